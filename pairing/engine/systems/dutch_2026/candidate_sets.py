"""The candidates left in a bracket after each criterion.

Candidates are the perfect matchings of a graph. For each criterion we find the smallest number of pairs that count
against it. Dual values prove that number and show which pairs occur in the best candidates. Those candidates are the
perfect matchings of a smaller graph, which goes to the next criterion, so no weights are needed. Where an odd set of
players binds (a blossom has a share in the proof), the graph alone is not enough. The candidates are then an
`OddSetCandidates` until no set binds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from operator import and_

from pairing.engine.matching import ConstrainedMatching, MaximumMatching, bitmask_members, find_min_weight_matching
from pairing.engine.matching.zero_one_matching import ZeroOneCostMatching
from pairing.engine.rules.exchanges import ExchangePrices
from pairing.engine.systems.dutch_2026.criteria import CriterionCosts
from pairing.engine.systems.dutch_2026.odd_set_candidates import (
    CriterionStep,
    OddSetCandidates,
    RemainingCandidateGraph,
    build_edge_costs,
    ensure_pairs_found,
)


class CandidateSet:
    """The remaining candidates, as a graph and one current candidate; later its pairs are fixed one by one."""

    def __init__(self, graph: Sequence[int], matching: MaximumMatching, steps: Iterable[CriterionStep] = ()) -> None:
        """Take a graph, a perfect matching of it, and the steps that led there."""
        self.graph = list(graph)
        self.steps = list(steps)
        self.matching = matching
        self._narrowing: ConstrainedMatching | None = None

    def keep_best_candidates(self, costs: CriterionCosts) -> CandidateSet | OddSetCandidates:
        """Keep only the candidates with the fewest pairs that count against a criterion."""
        if not any(map(and_, costs.costly, self.graph)):
            self.steps.append(CriterionStep(costs.criterion, None, costs.costly))
            return self
        pairs = self.matching.matched_pairs()
        everyone = self.matching.alive
        if 2 * costs.crowd.bit_count() <= everyone.bit_count():
            free = _without(self.graph, costs.costly)
            matching = MaximumMatching(free, everyone, _standing(pairs, free))
            if not matching.deficiency:
                return self._leave(costs, free, matching)
        dual = _duals_of_a_crowd(costs, self.graph, everyone)
        tight = _tight(self.graph, costs.costly, dual, everyone)
        matching = MaximumMatching(tight, everyone, _standing(pairs, tight))
        if matching.deficiency:
            costly = [*map(and_, costs.costly, self.graph)]
            weighted = ZeroOneCostMatching(
                _without(self.graph, costly), costly, everyone, dual, matching.matched_pairs()
            )
            found = weighted.optimal_matchings()
            if found.crossing_count:
                return OddSetCandidates(found, [*self.steps, self._step(costs)])
            tight = found.levels[0]
            matching = MaximumMatching(tight, everyone, found.pairs)
        return self._leave(costs, tight, matching)

    @property
    def remaining_graph(self) -> RemainingCandidateGraph:
        """The graph left by the steps, before any pairs are fixed."""
        return RemainingCandidateGraph(self.graph, ())

    def _leave(self, costs: CriterionCosts, graph: list[int], matching: MaximumMatching) -> CandidateSet:
        self.steps.append(self._step(costs))
        self.graph, self.matching = graph, matching
        return self

    def _step(self, costs: CriterionCosts) -> CriterionStep:
        return CriterionStep(costs.criterion, self.remaining_graph, costs.costly)

    def keep_in_bracket(self, vertices: Sequence[int], exits: int) -> list[int]:
        """Forbid the exits to each vertex in turn, if a candidate then remains; return the vertices that can stay."""
        return [vertex for vertex in vertices if not self.graph[vertex] & exits or self._forbid(vertex, exits)]

    def _forbid(self, vertex: int, others: int) -> bool:
        mark = self.matching.create_savepoint()
        if self.matching.forbid_edges(vertex, others & self.graph[vertex]) == 0:
            return True
        self.matching.rollback(mark)
        return False

    def fix_first_possible_pair(self, vertex: int, among: int) -> int | None:
        """Pair a vertex with the first member of a bitmask that any candidate allows; return it."""
        if self._narrowing is None or self._narrowing.matching is not self.matching:
            self._narrowing = ConstrainedMatching(self.matching)
        return self._narrowing.fix_first_possible_pair(vertex, among)

    def restrict_to_subgroups(self, upper: int, lower: int) -> bool:
        """Keep the candidates that pair all of `upper` with `lower`; return False if there are none."""
        graph = [
            own & lower if upper >> vertex & 1 else own & ~lower if lower >> vertex & 1 else own & ~upper
            for vertex, own in enumerate(self.graph)
        ]
        alive = self.matching.alive
        seeds = pair_halves_in_order(graph, upper & alive, lower & alive)
        matching = MaximumMatching(graph, alive, seeds)
        if matching.deficiency:
            return False
        self.matching = matching
        return True

    def find_cheapest_candidate(self, prices: ExchangePrices) -> list[tuple[int, int]]:
        """Return the pairs of the candidate with the lowest cost by these prices."""
        return ensure_pairs_found(
            find_min_weight_matching(
                build_edge_costs([(0, self.graph)], prices), self.matching.alive, pairs=self.matching.matched_pairs()
            )
        )

    @property
    def current_pairs(self) -> list[tuple[int, int]]:
        """The pairs of the current candidate, without fixed pairs."""
        return self.matching.matched_pairs()

    def current_partner(self, vertex: int) -> int:
        """Return a vertex's partner in the current candidate."""
        return self.matching.mate[vertex]


def pair_halves_in_order(graph: Sequence[int], upper: int, lower: int) -> list[tuple[int, int]]:
    """Pair each of the upper half with the first free one of the lower: a good start for a matching."""
    pairs = []
    for vertex in bitmask_members(upper):
        possible = graph[vertex] & lower
        if possible:
            first = (possible & -possible).bit_length() - 1
            lower ^= 1 << first
            pairs.append((vertex, first))
    return pairs


def _standing(pairs: Iterable[tuple[int, int]], graph: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the pairs that a graph allows."""
    return ((one, other) for one, other in pairs if graph[one] >> other & 1)


def _without(graph: Sequence[int], costly: Sequence[int]) -> list[int]:
    """Return a graph without some pairs; unchanged vertices share their bitmasks to save memory."""
    return [own ^ lost if (lost := own & mask) else own for own, mask in zip(graph, costly, strict=True)]


def _duals_of_a_crowd(costs: CriterionCosts, graph: Sequence[int], everyone: int) -> list[int]:
    """Return dual values for the crowd bound: if the crowd is over half of the players, pairs inside it must count."""
    crowd = costs.crowd
    too_large = 2 * (crowd & everyone).bit_count() > everyone.bit_count()
    if not too_large or any(
        graph[vertex] & crowd & ~costs.costly[vertex] for vertex in bitmask_members(crowd & everyone)
    ):
        return [0] * len(graph)
    return [1 if crowd >> vertex & 1 else -1 for vertex in range(len(graph))]


def _tight(graph: Sequence[int], costly: Sequence[int], dual: Sequence[int], everyone: int) -> list[int]:
    """Return the pairs without slack: free pairs whose values add up to 0, costly pairs whose values add up to 2."""
    by_value: dict[int, int] = {}
    for vertex in bitmask_members(everyone):
        by_value[dual[vertex]] = by_value.get(dual[vertex], 0) | 1 << vertex
    tight = [0] * len(graph)
    # Thousands of vertices often share a value and a costly mask.
    within: dict[tuple[int, int], int] = {}
    for vertex in bitmask_members(everyone):
        value, mask = dual[vertex], costly[vertex]
        if (value, id(mask)) not in within:
            within[value, id(mask)] = (by_value.get(-value, 0) & ~mask) | (by_value.get(2 - value, 0) & mask)
        tight[vertex] = graph[vertex] & within[value, id(mask)]
    return tight
