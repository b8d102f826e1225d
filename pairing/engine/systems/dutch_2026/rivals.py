"""What a candidate that comes earlier would have failed on: asked afterwards, for the reasons."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import NamedTuple

from pairing.engine.rules.matching import NestedMatching
from pairing.engine.systems.dutch_2026.bound_faces import BoundFace
from pairing.engine.systems.dutch_2026.brackets import Bracket
from pairing.engine.systems.dutch_2026.candidates import Candidate, Turn
from pairing.engine.systems.dutch_2026.faces import Face

MOST_IN_TURN = 12
"""Up to so many criteria are asked in turn."""


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
        self._steps = [step for step in face.steps if step.before is not None]
        self.left = [*(step.before for step in self._steps if step.before is not None), face.left]
        self._followers: dict[int, Follower] = {}
        self._untouched: dict[int, NestedMatching] = {}

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
        while self._fixed < number:
            self._matching.fix(*self._turns[self._fixed][:2])
            self._fixed += 1
        return self._matching.can_pair(self._turns[number].chooser, vertex)
