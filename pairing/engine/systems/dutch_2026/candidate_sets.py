"""The candidates left in a bracket if odd sets of players restrict them.

Without binding sets they would be all perfect matchings of a graph. An odd set has at least one pair that leaves it. So
the candidates are the matchings with the fewest such pairs. These numbers stay small, however many criteria apply.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import and_
from typing import NamedTuple, TypeAlias

from pairing.engine.matching import (
    NO_VERTEX,
    ConstrainedMatching,
    EdgeCosts,
    MaximumMatching,
    OptimalMatchings,
    bitmask_members,
    bitmask_of,
    find_min_weight_matching,
    find_optimal_matchings,
)
from pairing.engine.matching.zero_one_matching import ZeroOneCostMatching
from pairing.engine.rules.exchanges import ExchangeCosts
from pairing.engine.systems.dutch_2026.brackets import bitmask_union
from pairing.engine.systems.dutch_2026.criteria import CriterionCosts

LevelsByCrossings: TypeAlias = Mapping[int, Sequence[int]]
"""Disjoint graphs, by how many borders of binding sets their pairs cross."""


class RemainingCandidateGraph(NamedTuple):
    """The candidates left at some point: perfect matchings of a graph that cross each border once."""

    graph: Sequence[int]
    borders: Sequence[int]


class CriterionStep(NamedTuple):
    """A criterion, the candidates before it (None if it rules out nothing), and the pairs that count against it."""

    criterion: str
    before: RemainingCandidateGraph | None
    costly: Sequence[int]


class OddSetCandidates:
    """The remaining candidates, and one of them as the current candidate, whose pairs are later fixed one at a time."""

    def __init__(self, found: OptimalMatchings, steps: Iterable[CriterionStep]) -> None:
        """Take the candidates left after these steps."""
        self.steps = list(steps)
        self.remaining_graph: RemainingCandidateGraph
        """The graph left by the steps, before any pairs are fixed."""
        self.graph: list[int]
        self._levels: LevelsByCrossings
        self._crossings: int
        self._alive: int
        self._pairs: list[tuple[int, int]]
        self._mate: list[int]
        self._take(found)

    def keep_best_candidates(self, costs: CriterionCosts) -> OddSetCandidates:
        """Keep only the candidates with the fewest pairs that count against a criterion."""
        if not any(mask & own for mask, own in zip(costs.costly, self.graph, strict=True)):
            self.steps.append(CriterionStep(costs.criterion, None, costs.costly))
            return self
        least = sum(costs.costly[one] >> other & 1 for one, other in self._pairs)
        if least:
            scale = len(self.graph)
            parted = sorted(_parted(self._levels, scale, costs.costly))
            found = find_optimal_matchings(EdgeCosts(parted, [0] * scale, [0] * scale), self._alive, self._pairs)
            if found is None:
                raise AssertionError("a face has candidates")
        else:
            within = _within(self._levels, [~mask for mask in costs.costly])
            found = OptimalMatchings(within, self.remaining_graph.borders, self._pairs)
        self.steps.append(CriterionStep(costs.criterion, self.remaining_graph, costs.costly))
        self._take(found)
        return self

    @property
    def current_pairs(self) -> list[tuple[int, int]]:
        """The pairs of the current candidate, without fixed pairs."""
        return self._pairs

    def current_partner(self, vertex: int) -> int:
        """Return a vertex's partner in the current candidate."""
        return self._mate[vertex]

    def keep_in_bracket(self, vertices: Sequence[int], exits: int) -> list[int]:
        """Remove each vertex's exits in turn, if that leaves a candidate. Return the vertices that can stay."""
        owned, prices = [0] * len(self.graph), [0] * len(self.graph)
        for place, vertex in enumerate(reversed(vertices)):
            owned[vertex], prices[vertex] = exits, 1 << place
        if any(self.graph[vertex] & exits for vertex in vertices):
            self._keep(self.find_cheapest_candidate(ExchangeCosts(owned, prices, 1 << len(vertices))))
        inside = [vertex for vertex in vertices if not exits >> self._mate[vertex] & 1]
        # The current candidate already keeps these vertices inside.
        kept = bitmask_of(inside)
        within = [~exits if kept >> one & 1 else ~kept if exits >> one & 1 else -1 for one in range(len(self.graph))]
        self._levels = _within(self._levels, within)
        self.graph = _united(self._levels)
        return inside

    def restrict_to_subgroups(self, upper: int, lower: int) -> bool:
        """Keep the candidates that pair all of `upper` with `lower`, and return False if there are none."""
        within = [
            lower if upper >> vertex & 1 else ~lower if lower >> vertex & 1 else ~upper
            for vertex in range(len(self.graph))
        ]
        levels = _within(self._levels, within)
        pairs = _with_crossings(levels, self._crossings, self._alive, self._pairs)
        if pairs is None:
            return False
        self._levels, self.graph = levels, _united(levels)
        self._keep(pairs)
        return True

    def fix_first_possible_pair(self, vertex: int, among: int) -> int | None:
        """Pair a vertex with the first partner in a bitmask that some candidate allows. Return that partner.

        `among` holds all the partners it still has.
        """
        possible = list(bitmask_members(self.graph[vertex] & self._alive & among))
        if possible and self._mate[vertex] != possible[0]:
            owned, prices = [0] * len(self.graph), [0] * len(self.graph)
            for price, one in enumerate(possible):
                owned[one], prices[one] = 1 << vertex, price
            self._keep(self.find_cheapest_candidate(ExchangeCosts(owned, prices, len(possible))))
        chosen = self._mate[vertex]
        if chosen not in possible:
            return None
        self._alive &= ~(1 << vertex | 1 << chosen)
        self._pairs = [pair for pair in self._pairs if vertex not in pair]
        self._crossings -= _crossings(self._levels, [(vertex, chosen)])
        return chosen

    def find_cheapest_candidate(self, prices: ExchangeCosts) -> list[tuple[int, int]]:
        """Return the pairs of the candidate that costs least at these prices."""
        scaled = [(crossings * prices.upper_bound, graph) for crossings, graph in self._levels.items()]
        return ensure_pairs_found(
            find_min_weight_matching(build_edge_costs(scaled, prices), self._alive, pairs=self._pairs)
        )

    def _take(self, found: OptimalMatchings) -> None:
        self._levels, self._crossings = found.levels, found.min_border_crossings
        self.graph = _united(found.levels)
        self.remaining_graph = RemainingCandidateGraph(self.graph, found.borders)
        self._alive = (1 << len(self.graph)) - 1
        self._keep(found.pairs)

    def _keep(self, pairs: list[tuple[int, int]]) -> None:
        self._pairs = pairs
        self._mate = [NO_VERTEX] * len(self.graph)
        for one, other in pairs:
            self._mate[one], self._mate[other] = other, one


def ensure_pairs_found(pairs: list[tuple[int, int]] | None) -> list[tuple[int, int]]:
    """Return the pairs of a matching that is known to exist."""
    if pairs is None:
        raise AssertionError("a face has candidates")
    return pairs


def build_edge_costs(levels: Sequence[tuple[int, Sequence[int]]], prices: ExchangeCosts) -> EdgeCosts:
    """Return the costs of pairs by their level, plus prices for some of the first vertices."""
    count = len(levels[0][1])
    zeros = [0] * (count - len(prices.owned))
    every_vertex = (1 << count) - 1
    return EdgeCosts(levels, [*(mask & every_vertex for mask in prices.owned), *zeros], [*prices.prices, *zeros])


def _with_crossings(
    levels: LevelsByCrossings, crossings: int, alive: int, pairs: Sequence[tuple[int, int]]
) -> list[tuple[int, int]] | None:
    """Return a perfect matching with at most this many crossings, or None. `pairs` is a start."""
    if crossings:
        nothing = [0] * len(next(iter(levels.values())))
        found = find_min_weight_matching(EdgeCosts(list(levels.items()), nothing, nothing), alive, pairs=pairs)
        return found if found is not None and _crossings(levels, found) <= crossings else None
    if 0 not in levels:
        return None if alive else []
    matching = MaximumMatching(levels[0], alive, [(one, other) for one, other in pairs if levels[0][one] >> other & 1])
    return None if matching.deficiency else matching.matched_pairs()


def can_pair_subgroups(
    left: RemainingCandidateGraph, upper: int, lower: int, pairs: Iterable[tuple[int, int]], leaving: int, exits: int
) -> bool:
    """Return True if a candidate pairs all of `upper` with `lower`.

    It also has the given pairs, and those in `leaving` (bitmask) leave by one of the `exits`.
    """
    graph = [
        own & lower if upper >> vertex & 1 else own & ~lower if lower >> vertex & 1 else own & ~upper
        for vertex, own in enumerate(left.graph)
    ]
    for one, other in pairs:
        graph[one], graph[other] = graph[one] & 1 << other, graph[other] & 1 << one
    for vertex in bitmask_members(leaving):
        graph[vertex] &= exits
    symmetric = [
        bitmask_of(other for other in bitmask_members(own) if graph[other] >> vertex & 1)
        for vertex, own in enumerate(graph)
    ]
    levels = {0: symmetric}
    for border in left.borders:
        levels = _parted_by_border(levels, border)
    return _with_crossings(levels, len(left.borders), (1 << len(graph)) - 1, ()) is not None


def _parted_by_border(levels: LevelsByCrossings, border: int) -> dict[int, list[int]]:
    """Split every level by whether pairs cross a border."""
    parted: dict[int, list[int]] = {}
    for many, graph in levels.items():
        for crossed in (0, 1):
            part = [own & (border if (border >> vertex & 1) ^ crossed else ~border) for vertex, own in enumerate(graph)]
            before = parted.get(many + crossed)
            parted[many + crossed] = part if before is None else [a | b for a, b in zip(before, part, strict=True)]
    return parted


def _crossings(levels: LevelsByCrossings, pairs: Iterable[tuple[int, int]]) -> int:
    return sum(next(many for many, graph in levels.items() if graph[one] >> other & 1) for one, other in pairs)


def _united(levels: LevelsByCrossings) -> list[int]:
    return [bitmask_union(masks) for masks in zip(*levels.values(), strict=True)]


def _within(levels: LevelsByCrossings, within: Sequence[int]) -> dict[int, list[int]]:
    """Restrict every level to the pairs that each vertex's bitmask allows."""
    return {many: [own & mask for own, mask in zip(graph, within, strict=True)] for many, graph in levels.items()}


def _parted(levels: LevelsByCrossings, scale: int, costly: Sequence[int]) -> Iterator[tuple[int, list[int]]]:
    """Split every level by whether pairs count against a criterion. Each crossing costs `scale`."""
    for many, graph in levels.items():
        counting = [own & mask for own, mask in zip(graph, costly, strict=True)]
        others = [own & ~mask for own, mask in zip(graph, costly, strict=True)]
        for total, part in ((many * scale, others), (many * scale + 1, counting)):
            if any(part):
                yield total, part


class CandidateSet:
    """The remaining candidates, as a graph, and a current candidate, whose pairs are later fixed one at a time."""

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
            if found.min_border_crossings:
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
        """Remove each vertex's exits in turn, if that leaves a candidate. Return the vertices that can stay."""
        return [vertex for vertex in vertices if not self.graph[vertex] & exits or self._forbid(vertex, exits)]

    def _forbid(self, vertex: int, others: int) -> bool:
        mark = self.matching.create_savepoint()
        if self.matching.forbid_edges(vertex, others & self.graph[vertex]) == 0:
            return True
        self.matching.rollback(mark)
        return False

    def fix_first_possible_pair(self, vertex: int, among: int) -> int | None:
        """Pair a vertex with the first partner in a bitmask that some candidate allows. Return that partner."""
        if self._narrowing is None or self._narrowing.matching is not self.matching:
            self._narrowing = ConstrainedMatching(self.matching)
        return self._narrowing.fix_first_possible_pair(vertex, among)

    def restrict_to_subgroups(self, upper: int, lower: int) -> bool:
        """Keep the candidates that pair all of `upper` with `lower`, and return False if there are none."""
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

    def find_cheapest_candidate(self, prices: ExchangeCosts) -> list[tuple[int, int]]:
        """Return the pairs of the candidate that costs least at these prices."""
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
    """Pair each player in the upper half with the first free one in the lower: a good start for a matching."""
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
    """Return a graph without some pairs. Unchanged vertices share their bitmasks to save memory."""
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
