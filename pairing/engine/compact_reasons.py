"""Compact storage for the reasons of a board: long runs of reasons that differ in one player only are kept as one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast, overload

from pairing.engine.paired_round import PairingReason, ReasonFact, ReasonKind, reason_for_players
from pairing.engine.snapshot import PairingNumber


@dataclass(frozen=True, slots=True, kw_only=True)
class ReasonRun:
    """A run of consecutive reasons that differ in their last player only.

    `first` is the first reason; each of `others` is the last player of one further reason.
    """

    first: PairingReason
    others: tuple[PairingNumber, ...]

    @property
    def kind(self) -> ReasonKind:
        return self.first.kind

    @property
    def players(self) -> tuple[PairingNumber, ...]:
        """Return all players that the run names."""
        return (*self.first.players, *self.others)

    def get_fact(self, name: str) -> ReasonFact:
        return self.first.get_fact(name)

    def __iter__(self) -> Iterator[PairingReason]:
        yield self.first
        before = self.first.players[:-1]
        for other in self.others:
            yield reason_for_players(self.first, *before, other)


ReasonEntry: TypeAlias = PairingReason | ReasonRun
"""One entry of a reason sequence: a single reason or a run."""


class ReasonSequence(Sequence[PairingReason]):
    """A sequence of reasons, equal to a tuple of them, that stores runs and expands them when read."""

    __slots__ = ("_length", "told")

    def __init__(self, told: Iterable[ReasonEntry]) -> None:
        self.told = tuple(told)
        self._length = sum(1 + len(one.others) if isinstance(one, ReasonRun) else 1 for one in self.told)

    def __iter__(self) -> Iterator[PairingReason]:
        for one in self.told:
            if isinstance(one, ReasonRun):
                yield from one
            else:
                yield one

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, place: int) -> PairingReason: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[PairingReason, ...]: ...
    def __getitem__(self, place: int | slice) -> PairingReason | tuple[PairingReason, ...]:
        return tuple(self)[place]

    def __eq__(self, other: object) -> bool:
        return tuple(self) == tuple(other) if isinstance(other, ReasonSequence | tuple) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))


def build_reason_sequence(told: Sequence[ReasonEntry]) -> Sequence[PairingReason]:
    """Return the reasons in their order, as a plain tuple if there are no runs."""
    # Check all types at once: nearly every board of an ordinary event has a few plain reasons.
    if ReasonRun in {*map(type, told)}:
        return ReasonSequence(told)
    return cast(tuple[PairingReason, ...], tuple(told))


def list_reason_entries(reasons: Sequence[PairingReason]) -> Sequence[ReasonEntry]:
    """Return the stored entries of a reason sequence, with its runs unexpanded."""
    return reasons.told if isinstance(reasons, ReasonSequence) else reasons
