"""The reasons of a board, of which in a large group thousands differ in one player only: such a run is kept as one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast, overload

from pairing.engine.paired_round import Fact, Reason, ReasonKind, retold
from pairing.engine.snapshot import PairingNumber


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Reasons one after the other, alike but for their last player: `first`, then the same of each of `others`."""

    first: Reason
    others: tuple[PairingNumber, ...]

    @property
    def kind(self) -> ReasonKind:
        return self.first.kind

    @property
    def players(self) -> tuple[PairingNumber, ...]:
        """All of whom the run speaks."""
        return (*self.first.players, *self.others)

    def fact(self, name: str) -> Fact:
        return self.first.fact(name)

    def __iter__(self) -> Iterator[Reason]:
        yield self.first
        before = self.first.players[:-1]
        for other in self.others:
            yield retold(self.first, *before, other)


Told: TypeAlias = Reason | Run
"""What a list of reasons is kept as."""


class Reasons(Sequence[Reason]):
    """A tuple of reasons, equal to one, that keeps its runs; a reason of a run is made when it is read."""

    __slots__ = ("_length", "told")

    def __init__(self, told: Iterable[Told]) -> None:
        self.told = tuple(told)
        self._length = sum(1 + len(one.others) if isinstance(one, Run) else 1 for one in self.told)

    def __iter__(self) -> Iterator[Reason]:
        for one in self.told:
            if isinstance(one, Run):
                yield from one
            else:
                yield one

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, place: int) -> Reason: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Reason, ...]: ...
    def __getitem__(self, place: int | slice) -> Reason | tuple[Reason, ...]:
        return tuple(self)[place]

    def __eq__(self, other: object) -> bool:
        return tuple(self) == tuple(other) if isinstance(other, Reasons | tuple) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))


def as_reasons(told: Sequence[Told]) -> Sequence[Reason]:
    """Reasons in their order, as a plain tuple where there are no runs."""
    # Asked of the types at once, as nearly every board of an ordinary event has a few plain reasons.
    if Run in {*map(type, told)}:
        return Reasons(told)
    return cast(tuple[Reason, ...], tuple(told))


def told_in(reasons: Sequence[Reason]) -> Sequence[Told]:
    """Reasons with their runs as they are kept."""
    return reasons.told if isinstance(reasons, Reasons) else reasons
