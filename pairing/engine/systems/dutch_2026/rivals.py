"""What a candidate that comes earlier would have failed on: asked afterwards, for the reasons."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from pairing.engine.matching import NOBODY, NestedMatching, mask_of, members
from pairing.engine.systems.dutch_2026.bound_faces import BoundFace
from pairing.engine.systems.dutch_2026.brackets import Bracket
from pairing.engine.systems.dutch_2026.candidates import Candidate, Turn
from pairing.engine.systems.dutch_2026.faces import Face

MOST_IN_TURN = 12
"""Up to so many criteria are asked in turn."""
FEW = 3
"""So many in doubt are looked at together: one search for each takes longer then."""
SOME = 64
"""So many later pairs are looked at for a change of three pairs: where few are kept apart that is enough."""


class Against(NamedTuple):
    """The first criterion that an earlier candidate keeps less well (None: none), and whether by its own pair."""

    criterion: str | None
    counts: bool


class Rivals:
    """What each criterion has left of a bracket, in which earlier pairs can be tried out."""

    def __init__(self, bracket: Bracket, face: Face | BoundFace, candidate: Candidate) -> None:
        """Take a bracket whose candidate was found in that face, which has nothing left to be fixed in its order."""
        self._exits, self._turns = bracket.exits, candidate.turns
        self._pairs = [*(turn[:2] for turn in candidate.turns), *face.pairs]
        self._mate = _mates(self._pairs, len(bracket.graph))
        self._steps = [step for step in face.steps if step.before is not None]
        self.left = [*(step.before for step in self._steps if step.before is not None), face.left]
        self._followers: dict[int, Follower] = {}
        self._untouched: dict[int, NestedMatching] = {}

    def all_against(self, number: int) -> dict[Against, int]:
        """What speaks against each of those who stood before the opponent in a turn: bitmasks of those with the same.

        All of them together: who is no neighbour any more, or beyond a barrier that is known, need not be asked about,
        nor who could be taken one criterion earlier because the two opponents left may meet.
        """
        chooser, _, passed, _ = self._turns[number]
        found: dict[Against, int] = {}
        asked = mask_of(passed)
        for at in range(len(self.left) + 1):
            kept = asked & self._within(at, chooser) if at < len(self.left) else 0
            gone, asked = asked & ~kept, kept
            if gone:
                in_doubt = self._in_doubt(at - 1, number, gone) if at else 0
                for against, some in self._said(at, chooser, gone ^ in_doubt):
                    if some:
                        found[against] = found.get(against, 0) | some
                for vertex in members(in_doubt) if in_doubt else ():
                    against = self.criterion_against(number, vertex)
                    found[against] = found.get(against, 0) | 1 << vertex
            if not asked:
                break
        return found

    def _within(self, at: int, vertex: int) -> int:
        """Bitmask beyond which a vertex has no partner after so many criteria, as far as is known."""
        row, follower = self.left[at].graph[vertex], self._followers.get(at)
        return row if follower is None else row & follower.within(vertex)

    def _in_doubt(self, at: int, number: int, vertices: int) -> int:
        """Those of a bitmask of whom it takes a search to tell whether the chooser of a turn could be given them."""
        graph, borders = self.left[at]
        if borders:
            return vertices
        opponent, mate = self._turns[number].opponent, self._mate
        apart = ((1 << len(graph)) - 1) & ~graph[opponent]
        if apart.bit_count() < vertices.bit_count():
            left = vertices & mask_of(mate[vertex] for vertex in members(apart))
        else:
            eights = apart.to_bytes(len(graph) // 8 + 1, "little")
            left = mask_of(one for one in members(vertices) if eights[mate[one] >> 3] >> (mate[one] & 7) & 1)
        if left.bit_count() < FEW:
            return left
        freed = self._freed_for(number, ~apart)
        return mask_of(one for one in members(left) if not graph[mate[one]] & freed)

    def _freed_for(self, number: int, near: int) -> int:
        """Bitmask of some who are paired later than that turn, with one of those near its opponent: a third pair."""
        later = [turn[:2] for turn in self._turns[number + 1 : number + 1 + SOME]]
        pairs = (*later, *((other, one) for one, other in later))
        return mask_of(other for one, other in pairs if near >> one & 1)

    def _said(self, at: int, chooser: int, vertices: int) -> Iterator[tuple[Against, int]]:
        """What it is that speaks against some who fail just there, as bitmasks."""
        if not 0 < at < len(self.left):
            yield Against("C6" if at == 0 else None, counts=False), vertices
            return
        step = self._steps[at - 1]
        counting = vertices & step.costly[chooser]
        yield Against(step.criterion, counts=True), counting
        yield Against(step.criterion, counts=False), vertices & ~counting

    def criterion_against(self, number: int, vertex: int) -> Against:
        """What speaks against that someone who stood before was given to the player whose turn it was."""
        chooser = self._turns[number].chooser
        return self._failing(lambda at: self._follower(at).can_pair(number, vertex), chooser, 1 << vertex)

    def criterion_against_leaving(self, vertex: int) -> Against:
        """What speaks against that a player leaves in place of the one who does.

        To be asked where one leaves alone: then there is a single exit, for where one could, none are opened wide (C6).
        """
        return self._failing(lambda at: bool(self._leaving(at, vertex)), vertex, self._exits)

    def _failing(self, can_be: Callable[[int], bool], vertex: int, others: int) -> Against:
        """The criterion after which there is no candidate with the pair of a vertex and the only one of `others`."""
        # Each criterion leaves a part of what the one before has left. Mostly one of the first fails.
        gone = next((at for at, left in enumerate(self.left) if not left.graph[vertex] & others), len(self.left))
        if gone <= MOST_IN_TURN:
            at = next((at for at in range(gone) if not can_be(at)), gone)
        else:
            at = bisect_left(range(gone), True, key=lambda at: not can_be(at))
        if at == 0:
            return Against("C6", counts=False)
        if at == len(self.left):
            return Against(None, counts=False)
        step = self._steps[at - 1]
        return Against(step.criterion, counts=bool(step.costly[vertex] & others))

    def _leaving(self, at: int, vertex: int) -> int:
        """Bitmask of the exits by which a player could leave."""
        if at not in self._untouched:
            self._untouched[at] = NestedMatching(*self.left[at], self._pairs)
        return self._untouched[at].partners(vertex) & self._exits

    def _follower(self, at: int) -> Follower:
        if at not in self._followers:
            self._followers[at] = Follower(NestedMatching(*self.left[at], self._pairs), self._turns)
        return self._followers[at]


class Follower:
    """A matching in which the pairs of a candidate are fixed one after the other."""

    def __init__(self, matching: NestedMatching, turns: Sequence[Turn]) -> None:
        """Take a matching that holds the pairs of these turns; nothing is fixed yet."""
        self._turns = turns
        self._matching = matching
        self._fixed = 0

    def can_pair(self, number: int, vertex: int) -> bool:
        """Whether, after the turns before, that one could be given to the player whose turn it is.

        Turns are asked about in their order.
        """
        if self._fixed < number:
            self._matching.fix_all([turn[:2] for turn in self._turns[self._fixed : number]])
            self._fixed = number
        return self._matching.can_pair(self._turns[number].chooser, vertex)

    def within(self, vertex: int) -> int:
        """Bitmask beyond which a vertex has no partner, now or after further turns, as far as is known."""
        return self._matching.within(vertex)


def _mates(pairs: Iterable[tuple[int, int]], count: int) -> list[int]:
    mate = [NOBODY] * count
    for one, other in pairs:
        mate[one], mate[other] = other, one
    return mate
