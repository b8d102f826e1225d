"""The reasons of a board, of which in a large group thousands differ in one player only: such a run is kept as one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast, overload

from pairing.engine.paired_round import PairingReason, ReasonFact, ReasonKind, reason_for_players
from pairing.engine.snapshot import PairingNumber


@dataclass(frozen=True, slots=True, kw_only=True)
class ReasonRun:
    """Reasons one after the other, alike but for their last player: `first`, then the same of each of `others`."""

    first: PairingReason
    others: tuple[PairingNumber, ...]

    @property
    def kind(self) -> ReasonKind:
        return self.first.kind

    @property
    def players(self) -> tuple[PairingNumber, ...]:
        """All of whom the run speaks."""
        return (*self.first.players, *self.others)

    def get_fact(self, name: str) -> ReasonFact:
        return self.first.get_fact(name)

    def __iter__(self) -> Iterator[PairingReason]:
        yield self.first
        before = self.first.players[:-1]
        for other in self.others:
            yield reason_for_players(self.first, *before, other)


ReasonEntry: TypeAlias = PairingReason | ReasonRun
"""What a list of reasons is kept as."""


class ReasonSequence(Sequence[PairingReason]):
    """A tuple of reasons, equal to one, that keeps its runs; a reason of a run is made when it is read."""

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
    """Reasons in their order, as a plain tuple where there are no runs."""
    # Asked of the types at once, as nearly every board of an ordinary event has a few plain reasons.
    if ReasonRun in {*map(type, told)}:
        return ReasonSequence(told)
    return cast(tuple[PairingReason, ...], tuple(told))


def list_reason_entries(reasons: Sequence[PairingReason]) -> Sequence[ReasonEntry]:
    """Reasons with their runs as they are kept."""
    return reasons.told if isinstance(reasons, ReasonSequence) else reasons
