"""What a candidate that comes earlier would have failed on: asked afterwards, for the reasons."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import NamedTuple

from pairing.engine.rules.matching import Matching, mask_of
from pairing.engine.systems.dutch_2026.bound_faces import BoundFace, first_lost
from pairing.engine.systems.dutch_2026.brackets import Bracket
from pairing.engine.systems.dutch_2026.candidates import Candidate
from pairing.engine.systems.dutch_2026.faces import Face

MOST_ASKED = 60
"""Up to so many vertices a bracket where odd sets bind is searched once more for every reason."""
MOST_IN_TURN = 12
"""Up to so many graphs are asked in turn."""


class Against(NamedTuple):
    """The first criterion that an earlier candidate keeps less well (None: none), and whether by its own pair."""

    criterion: str | None
    counts: bool


class Rivals:
    """The graphs that each criterion has left of a bracket, in which earlier pairs can be tried out.

    Where several leave, the graphs ask of each of them alone whether he may: a pair that fails on a criterion here may
    leave no legal round at all besides.
    """

    def __init__(self, bracket: Bracket, face: Face | BoundFace, candidate: Candidate) -> None:
        """Take a bracket whose candidate was found in that face."""
        self._bracket, self._candidate, self._face = bracket, candidate, face
        self._steps = [step for step in face.steps if step.before is not None]
        faces = [*(step.before for step in self._steps if step.before is not None), face.left]
        self._is_bound = any(crossings for _, crossings in faces)
        self._graphs = [] if self._is_bound else [levels[0] for levels, _ in faces]
        self._pairs = [turn[:2] for turn in candidate.turns]
        self._followers: dict[int, Follower] = {}
        self._matchings: dict[int, Matching] = {}

    def criterion_against(self, number: int, vertex: int) -> Against:
        """What speaks against that someone who stood before was given to the player whose turn it was."""
        chooser = self._candidate.turns[number].chooser
        if self._is_bound:
            return self._bound(self._pairs[:number], chooser, 1 << vertex)
        return self._failing(lambda at: self._follower(at).can_pair(number, vertex), chooser, 1 << vertex)

    def criterion_against_leaving(self, vertex: int) -> Against:
        """What speaks against that a player leaves in place of the one who does."""
        exits = self._bracket.exits
        if self._is_bound:
            return self._bound([], vertex, exits)
        return self._failing(lambda at: bool(self._untouched(at).partners(vertex) & exits), vertex, exits)

    def _failing(self, can_be: Callable[[int], bool], vertex: int, others: int) -> Against:
        """The criterion before the first graph in which there is no candidate with the pair."""
        # Every graph is a part of the one before. Mostly one of the first fails, and each has to be matched first.
        gone = next((at for at, graph in enumerate(self._graphs) if not graph[vertex] & others), len(self._graphs))
        if gone <= MOST_IN_TURN:
            at = next((at for at in range(gone) if not can_be(at)), gone)
        else:
            at = bisect_left(range(gone), True, key=lambda at: not can_be(at))
        if at == 0:
            return Against("C6", counts=False)
        if at == len(self._graphs):
            return Against(None, counts=False)
        step = self._steps[at - 1]
        return Against(step.criterion, counts=bool(step.costly[vertex] & self._graphs[at - 1][vertex] & others))

    def _bound(self, made: Sequence[tuple[int, int]], vertex: int, others: int) -> Against:
        """Where odd sets bind: asked of every step, or in large brackets what the pair itself would count."""
        count = len(self._bracket.graph)
        if count > MOST_ASKED:
            counting = (step for step in self._face.steps if step.least == 0 and step.costly[vertex] & others)
            lost = next(counting, None)
            if lost is None:
                return Against("2", counts=False)
        else:
            taken = mask_of(end for pair in made for end in pair)
            within = [~taken & (-1 if others >> one & 1 else ~(1 << vertex)) for one in range(count)]
            within[vertex] = others & ~taken
            for one, other in made:
                within[one], within[other] = 1 << other, 1 << one
            try:
                lost = first_lost(self._steps, self._face.left, self._pairs, within)
            except ValueError:
                return Against("C6", counts=False)
            if lost is None:
                return Against(None, counts=False)
        return Against(lost.criterion, counts=bool(lost.costly[vertex] & others))

    def _untouched(self, at: int) -> Matching:
        if at not in self._matchings:
            self._matchings[at] = Matching(self._graphs[at], pairs=self._pairs)
        return self._matchings[at]

    def _follower(self, at: int) -> Follower:
        if at not in self._followers:
            self._followers[at] = Follower(self._graphs[at], self._candidate)
        return self._followers[at]


class Follower:
    """A graph in which the pairs of a candidate are fixed one after the other."""

    def __init__(self, graph: Sequence[int], candidate: Candidate) -> None:
        """Take a graph that allows the candidate; nothing is fixed yet."""
        self._turns = candidate.turns
        self._matching = Matching(graph, pairs=[turn[:2] for turn in candidate.turns])
        self._fixed = 0

    def can_pair(self, number: int, vertex: int) -> bool:
        """Whether, after the turns before, that one could be given to the player whose turn it is.

        Turns are asked about in their order.
        """
        while self._fixed < number:
            turn = self._turns[self._fixed]
            self._matching.set_aside(turn.chooser, turn.opponent)
            self._fixed += 1
        return self._matching.can_pair(self._turns[number].chooser, vertex)
