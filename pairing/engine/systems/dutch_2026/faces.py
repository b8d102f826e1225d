"""The candidates left of a bracket, criterion after criterion: `Face`, and `WeighedFace` where that is not enough.

Candidates are the perfect matchings of a graph. For each criterion the fewest pairs are found that must count against
it; dual values that prove this number tell which pairs can stand in the candidates that have it, and those are just
the perfect matchings of what is left of the graph. So nothing is weighed against anything: each criterion
leaves a smaller graph to the next. Only where an odd set of players binds (a blossom has a share in the proof) no
graph can say it; then all criteria are weighed together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from pairing.engine.rules.exchanges import Prices
from pairing.engine.rules.matching import (
    NOBODY,
    Matching,
    Tariff,
    cheapest_pairs,
    cheapest_pairs_with_duals,
    mask_of,
    members,
)
from pairing.engine.rules.matching.weighted import LeastCostMatching
from pairing.engine.systems.dutch_2026.criteria import Costs


class OddSet(Exception):
    """No graph holds just the candidates that are best by a criterion."""


class Step(NamedTuple):
    """A criterion that has ruled out pairs: the least that counts against it, and the graph it found."""

    criterion: str
    before: Sequence[int]
    costly: Sequence[int]
    least: int


class Face:
    """The candidates still in, as a graph with one of them kept; taken apart pair by pair later on."""

    def __init__(self, graph: Sequence[int], matching: Matching) -> None:
        """Take a graph and a matching of it that leaves nobody over."""
        self.graph = list(graph)
        self.steps: list[Step] = []
        self.matching = matching

    def keep_best(self, costs: Costs) -> int:
        """Leave only the candidates with the fewest pairs that count; return how many. Raises OddSet."""
        costly = [mask & own for mask, own in zip(costs.costly, self.graph, strict=True)]
        if not any(costly):
            return 0
        free = [own & ~mask for mask, own in zip(costly, self.graph, strict=True)]
        pairs = self.matching.pairs()
        everyone = self.matching.alive
        least = 0
        if 2 * costs.crowd.bit_count() <= everyone.bit_count():
            matching = Matching(free, everyone, _standing(pairs, free))
            if not matching.deficiency:
                self._shrink(costs.criterion, costly, 0, free, matching)
                return 0
        dual = _duals_of_a_crowd(costs.crowd, free, everyone)
        tight = _tight(free, costly, dual, everyone)
        matching = Matching(tight, everyone, _standing(pairs, tight))
        if matching.deficiency:
            weighted = LeastCostMatching(free, costly, everyone, dual, matching.pairs())
            found = weighted.plain_duals()
            if found is None:
                raise OddSet
            dual = found
            tight = _tight(free, costly, dual, everyone)
            matching = Matching(tight, everyone, weighted.pairs())
        least = sum(costly[one] >> other & 1 for one, other in matching.pairs())
        self._shrink(costs.criterion, costly, least, tight, matching)
        return least

    def _shrink(self, criterion: str, costly: Sequence[int], least: int, graph: list[int], matching: Matching) -> None:
        self.steps.append(Step(criterion, self.graph, costly, least))
        self.graph, self.matching = graph, matching

    def keep_inside(self, vertices: Sequence[int], exits: int) -> list[int]:
        """Each in turn must not leave through one of the exits, if candidates are left then; return who need not."""
        return [vertex for vertex in vertices if not self.graph[vertex] & exits or self._forbid(vertex, exits)]

    def _forbid(self, vertex: int, others: int) -> bool:
        mark = self.matching.mark()
        if self.matching.forbid(vertex, others & self.graph[vertex]) == 0:
            return True
        self.matching.rollback(mark)
        return False

    def pair_first(self, vertex: int, candidates: Iterable[int]) -> int | None:
        """Fix the pair with the first of these that any candidate has."""
        return self.matching.pair_first(vertex, candidates)

    def halve(self, upper: int, lower: int) -> bool:
        """Keep those in which everyone of `upper` meets one of `lower`, if there are any."""
        graph = [
            own & lower if upper >> vertex & 1 else own & ~lower if lower >> vertex & 1 else own & ~upper
            for vertex, own in enumerate(self.graph)
        ]
        alive = self.matching.alive
        seeds = natural_pairs(graph, upper & alive, lower & alive)
        matching = Matching(graph, alive, seeds)
        if matching.deficiency:
            return False
        self.matching = matching
        return True

    def cheapest(self, prices: Prices) -> list[tuple[int, int]]:
        """The pairs of the candidate that costs the least by these prices."""
        return there_are(cheapest_pairs(_tariff([(0, self.graph)], prices), self.matching.alive))

    def partner(self, vertex: int) -> int:
        """With whom the candidate kept at present has paired a vertex."""
        return self.matching.mate[vertex]


class WeighedFace:
    """The same candidates as the cheapest matchings of the whole graph, all criteria weighed together.

    A criterion weighs more than all later ones together can, whatever the candidate: its weight is the next one's
    times a number above that of all pairs.
    """

    def __init__(self, graph: Sequence[int], costs: Sequence[Costs]) -> None:
        """Take a graph with a perfect matching, and the criteria in their order."""
        self.graph = list(graph)
        self._alive = (1 << len(graph)) - 1
        weights = [len(graph) ** power for power in reversed(range(len(costs)))]
        self._levels: dict[int, list[int]] = {0: list(graph)}
        for weight, one in zip(weights, costs, strict=True):
            self._levels = dict(_split(self._levels, weight, one.costly))
        self._free = Prices([0] * len(graph), [0] * len(graph), 1)
        found = cheapest_pairs_with_duals(_tariff(list(self._levels.items()), self._free), self._alive)
        if found is None:
            raise AssertionError("a face has candidates")
        pairs, self._dual = found
        self._first = (self._levels, self._dual)
        self._take(pairs)
        self.steps = [
            Step(one.criterion, self.graph, one.costly, self._counted(one.costly)) for one in costs if any(one.costly)
        ]

    @property
    def alive(self) -> int:
        """Bitmask of the vertices in no fixed pair."""
        return self._alive

    def partner(self, vertex: int) -> int:
        """With whom the candidate kept at present has paired a vertex."""
        return self._mate[vertex]

    def keep_inside(self, vertices: Sequence[int], exits: int) -> list[int]:
        """Each in turn must not leave through one of the exits, if candidates are left then; return who need not."""
        owned, prices = [0] * len(self.graph), [0] * len(self.graph)
        for place, vertex in enumerate(reversed(vertices)):
            owned[vertex], prices[vertex] = exits, 1 << place
        if any(self.graph[vertex] & exits for vertex in vertices):
            self._take(self.cheapest(Prices(owned, prices, 1 << len(vertices))))
        inside = [vertex for vertex in vertices if not exits >> self._mate[vertex] & 1]
        # What is kept stands in one of the candidates, so nothing need be asked again.
        kept = mask_of(inside)
        self._levels = _within(
            self._levels,
            [
                ~exits if kept >> vertex & 1 else ~kept if exits >> vertex & 1 else -1
                for vertex in range(len(self.graph))
            ],
        )
        return inside

    def halve(self, upper: int, lower: int) -> bool:
        """Keep those in which everyone of `upper` meets one of `lower`, if there are any."""
        return self._narrow(
            [
                lower if upper >> vertex & 1 else ~lower if lower >> vertex & 1 else ~upper
                for vertex in range(len(self.graph))
            ]
        )

    def pair_first(self, vertex: int, candidates: Iterable[int]) -> int | None:
        """Fix the pair with the first of these, who are all that are left to him, that any candidate has."""
        possible = [one for one in candidates if self.graph[vertex] >> one & 1 and self._alive >> one & 1]
        if possible and self._mate[vertex] != possible[0]:
            owned, prices = [0] * len(self.graph), [0] * len(self.graph)
            for price, one in enumerate(possible):
                owned[one], prices[one] = 1 << vertex, price
            self._take(self.cheapest(Prices(owned, prices, len(possible))))
        chosen = self._mate[vertex]
        if chosen not in possible:
            return None
        self._alive &= ~(1 << vertex | 1 << chosen)
        self._least -= self._price(vertex, chosen)
        return chosen

    def cheapest(self, prices: Prices) -> list[tuple[int, int]]:
        """The pairs of the candidate that costs the least by these prices."""
        scaled = [(weight * prices.beyond, graph) for weight, graph in self._levels.items()]
        dual = [prices.beyond * value for value in self._dual]
        return there_are(cheapest_pairs(_tariff(scaled, prices), self._alive, dual))

    def first_lost(self, made: Sequence[tuple[int, int]], vertex: int, others: int) -> Step | None:
        """The first criterion kept less well if these pairs are made and a vertex meets one of others.

        None where no criterion is. Raises OddSet where nothing can be made at all.
        """
        taken = mask_of(end for pair in made for end in pair)
        within = [~taken & (-1 if others >> one & 1 else ~(1 << vertex)) for one in range(len(self.graph))]
        within[vertex] = others & ~taken
        for one, other in made:
            within[one], within[other] = 1 << other, 1 << one
        levels, dual = self._first
        found = cheapest_pairs(_tariff(list(_within(levels, within).items()), self._free), (1 << len(dual)) - 1, dual)
        if found is None:
            raise OddSet
        return next(
            (step for step in self.steps if sum(step.costly[one] >> other & 1 for one, other in found) > step.least),
            None,
        )

    def _narrow(self, within: Sequence[int]) -> bool:
        levels = _within(self._levels, within)
        found = cheapest_pairs_with_duals(_tariff(list(levels.items()), self._free), self._alive, self._dual)
        if found is None or sum(self._price(*pair) for pair in found[0]) > self._least:
            return False
        self._levels = levels
        pairs, self._dual = found
        self._take(pairs)
        return True

    def _take(self, pairs: Sequence[tuple[int, int]]) -> None:
        self._mate = [NOBODY] * len(self.graph)
        for one, other in pairs:
            self._mate[one], self._mate[other] = other, one
        self._least = sum(self._price(*pair) for pair in pairs)

    def _price(self, one: int, other: int) -> int:
        return next(weight for weight, graph in self._levels.items() if graph[one] >> other & 1)

    def _counted(self, costly: Sequence[int]) -> int:
        return sum(costly[one] >> other & 1 for one, other in enumerate(self._mate) if one < other)


def there_are(pairs: list[tuple[int, int]] | None) -> list[tuple[int, int]]:
    """The pairs of a matching that is known to exist."""
    if pairs is None:
        raise AssertionError("a face has candidates")
    return pairs


def _tariff(levels: Sequence[tuple[int, Sequence[int]]], prices: Prices) -> Tariff:
    count = len(levels[0][1])
    zeros = [0] * (count - len(prices.owned))
    every_vertex = (1 << count) - 1
    return Tariff(levels, [*(mask & every_vertex for mask in prices.owned), *zeros], [*prices.prices, *zeros])


def _within(levels: Mapping[int, Sequence[int]], within: Sequence[int]) -> dict[int, list[int]]:
    """Every level as far as each vertex's pairs lie within a bitmask."""
    return {weight: [own & mask for own, mask in zip(graph, within, strict=True)] for weight, graph in levels.items()}


def _split(levels: Mapping[int, Sequence[int]], weight: int, costly: Sequence[int]) -> Iterator[tuple[int, list[int]]]:
    """Every level parted into the pairs that count against a criterion and the others."""
    for cost, graph in levels.items():
        counting = [own & mask for own, mask in zip(graph, costly, strict=True)]
        others = [own & ~mask for own, mask in zip(graph, costly, strict=True)]
        for total, part in ((cost, others), (cost + weight, counting)):
            if any(part):
                yield total, part


def natural_pairs(graph: Sequence[int], upper: int, lower: int) -> list[tuple[int, int]]:
    """Each of the upper half with the first left of the lower: mostly the answer, and nothing to repair then."""
    pairs = []
    for vertex in members(upper):
        possible = graph[vertex] & lower
        if possible:
            first = (possible & -possible).bit_length() - 1
            lower ^= 1 << first
            pairs.append((vertex, first))
    return pairs


def _standing(pairs: Iterable[tuple[int, int]], graph: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Those pairs that a graph allows."""
    return ((one, other) for one, other in pairs if graph[one] >> other & 1)


def _duals_of_a_crowd(crowd: int, free: Sequence[int], everyone: int) -> list[int]:
    """Values that prove the bound of numbers: of a crowd too large for the others, pairs among itself must count."""
    too_large = 2 * (crowd & everyone).bit_count() > everyone.bit_count()
    if not too_large or any(free[vertex] & crowd for vertex in members(crowd & everyone)):
        return [0] * len(free)
    return [1 if crowd >> vertex & 1 else -1 for vertex in range(len(free))]


def _tight(free: Sequence[int], costly: Sequence[int], dual: Sequence[int], everyone: int) -> list[int]:
    """The pairs without slack under these values: free ones whose values cancel out, costly ones that add up to 2."""
    by_value: dict[int, int] = {}
    for vertex in members(everyone):
        by_value[dual[vertex]] = by_value.get(dual[vertex], 0) | 1 << vertex
    return [
        (free[vertex] & by_value.get(-value, 0)) | (costly[vertex] & by_value.get(2 - value, 0))
        if everyone >> vertex & 1
        else 0
        for vertex, value in enumerate(dual)
    ]
