"""What a candidate that comes earlier would have failed on: asked afterwards, for the reasons."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pairing.engine.rules.matching import Matching
from pairing.engine.systems.dutch_2026.brackets import Bracket
from pairing.engine.systems.dutch_2026.candidates import Candidate
from pairing.engine.systems.dutch_2026.faces import Face, OddSet, WeighedFace

MOST_WEIGHED = 60
"""Up to so many vertices a bracket is weighed once more for every reason."""
FIRST_TOLD = 10
"""From this criterion on the graphs of a face tell one from the other."""


class Against(NamedTuple):
    """The first criterion that an earlier candidate keeps less well (None: none), and whether by its own pair."""

    criterion: str | None
    counts: bool


class Rivals:
    """The graphs that each criterion has left of a bracket, in which earlier pairs can be tried out.

    Where several leave, the graphs ask of each of them alone whether he may: a pair that fails on a criterion here may
    leave no legal round at all besides.
    """

    def __init__(self, bracket: Bracket, face: Face | WeighedFace, candidate: Candidate) -> None:
        """Take a bracket whose candidate was found in that face."""
        self._bracket, self._candidate, self._face = bracket, candidate, face
        self._graphs: list[Sequence[int]] = [*(step.before for step in face.steps), face.graph]
        self._followers: dict[int, Follower] = {}
        self._matchings: dict[int, Matching] = {}

    def criterion_against(self, number: int, vertex: int) -> Against:
        """What speaks against that someone who stood before was given to the player whose turn it was."""
        chooser = self._candidate.turns[number].chooser
        if isinstance(self._face, WeighedFace):
            made = [turn[:2] for turn in self._candidate.turns[:number]]
            return self._weighed(self._face, made, chooser, 1 << vertex)
        for at in range(len(self._graphs)):
            if not self._graphs[at][chooser] >> vertex & 1 or not self._follower(at).can_pair(number, vertex):
                return self._failing(at, chooser, 1 << vertex)
        return Against(None, counts=False)

    def criterion_against_leaving(self, vertex: int) -> Against:
        """What speaks against that a player leaves in place of the one who does."""
        exits = self._bracket.exits
        if isinstance(self._face, WeighedFace):
            return self._weighed(self._face, [], vertex, exits)
        for at, graph in enumerate(self._graphs):
            if not graph[vertex] & exits or not self._untouched(at).partners(vertex) & exits:
                return self._failing(at, vertex, exits)
        return Against(None, counts=False)

    def _failing(self, at: int, vertex: int, others: int) -> Against:
        """The criterion before the first graph in which there is no candidate with the pair."""
        if at == 0:
            return Against("C6", counts=False)
        step = self._face.steps[at - 1]
        return Against(step.criterion, counts=bool(step.costly[vertex] & others))

    def _weighed(self, face: WeighedFace, made: list[tuple[int, int]], vertex: int, others: int) -> Against:
        """Where all is weighed together: weighed once more, or of large brackets what the pair itself would count."""
        if len(face.graph) > MOST_WEIGHED:
            counting = (step for step in face.steps if step.least == 0 and step.costly[vertex] & others)
            lost = next(counting, None)
            if lost is None:
                return Against("2", counts=False)
        else:
            try:
                lost = face.first_lost(made, vertex, others)
            except OddSet:
                return Against("C6", counts=False)
            if lost is None:
                return Against(None, counts=False)
        told = int(lost.criterion[1:]) >= FIRST_TOLD
        return Against(lost.criterion if told else "C6", counts=bool(lost.costly[vertex] & others))

    def _untouched(self, at: int) -> Matching:
        if at not in self._matchings:
            pairs = [turn[:2] for turn in self._candidate.turns]
            self._matchings[at] = Matching(self._graphs[at], pairs=pairs)
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
