"""The cheapest pairing for any costs, compared with all pairings of small fields."""

from __future__ import annotations

import random
from functools import cache

import pytest

from pairing.engine.matching import EdgeCosts, find_min_weight_matching, find_optimal_matchings


class Fares:
    """Costs under construction, and a plain record of the cost of every pair."""

    def __init__(self, count: int, costs: list[int], prices: list[int]) -> None:
        self.count = count
        self.cost: dict[tuple[int, int], int] = {}
        self._levels = [(cost, [0] * count) for cost in costs]
        self._owned = [0] * count
        self._prices = prices

    def add(self, one: int, other: int, level: int, owner: int | None = None) -> None:
        cost, neighbours = self._levels[level]
        neighbours[one] |= 1 << other
        neighbours[other] |= 1 << one
        if owner is not None:
            self._owned[owner] |= 1 << (one + other - owner)
            cost += self._prices[owner]
        self.cost[min(one, other), max(one, other)] = cost

    @property
    def tariff(self) -> EdgeCosts:
        return EdgeCosts(self._levels, self._owned, self._prices)

    def least(self, alive: int) -> int | None:
        """The cost of the cheapest pairing, found by trying all."""

        @cache
        def best(left: int) -> int | None:
            if not left:
                return 0
            vertex = (left & -left).bit_length() - 1
            found: list[int] = []
            for (one, other), cost in self.cost.items():
                if one == vertex and left >> other & 1:
                    rest = best(left & ~(1 << one | 1 << other))
                    if rest is not None:
                        found.append(cost + rest)
            return min(found, default=None)

        return best(alive)


def random_fares(rng: random.Random, count: int = 0, together: int = 12) -> Fares:
    """A random graph of so many vertices (0: up to 12), with edges inside each dozen or half dozen."""
    count = count or 2 * rng.randint(1, 6)
    greatest = rng.choice([0, 3, 60, 10**30])
    fares = Fares(
        count, [0, rng.choice([1, 50]), rng.choice([7, 10**31])], [rng.randint(0, greatest) for _ in range(count)]
    )
    share = rng.choice([0.3, 0.5, 0.8])
    for one in range(count):
        for other in range(one + 1, count):
            if one // together == other // together and rng.random() < share:
                fares.add(one, other, rng.randrange(3), rng.choice([None, one, other]))
    return fares


def values_to_start_from(rng: random.Random, fares: Fares) -> list[int] | None:
    """None, or odd and even values that no edge forbids."""
    if rng.random() < 0.5:
        return None
    values: list[int] = []
    for vertex in range(fares.count):
        bounds = (2 * fares.cost[one, vertex] - values[one] for one in range(vertex) if (one, vertex) in fares.cost)
        values.append(min([rng.randint(-60, 60), *bounds]))
    return values


@pytest.mark.parametrize("seed", range(8))
def test_nothing_is_cheaper(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(150):
        fares = random_fares(rng)
        alive = (1 << fares.count) - 1
        if fares.count > 2 and rng.random() < 0.3:
            alive &= ~(1 | 1 << rng.randrange(1, fares.count))
        check_that_nothing_is_cheaper(fares, alive, values_to_start_from(rng, fares))


def check_that_nothing_is_cheaper(fares: Fares, alive: int, dual: list[int] | None) -> bool:
    """Whether there are any pairs."""
    least = fares.least(alive)
    pairs = find_min_weight_matching(fares.tariff, alive, dual)
    if least is None:
        assert pairs is None
        return False
    assert pairs is not None
    assert pairs == sorted(pairs)
    assert sum(1 << one | 1 << other for one, other in pairs) == alive
    assert sum(fares.cost[pair] for pair in pairs) == least
    return True


def test_nothing_is_cheaper_among_so_many_that_most_are_paired_before_the_search() -> None:
    rng = random.Random(5)
    paired = 0
    for _ in range(60):
        # Six by six, so that trying all matchings is still possible.
        fares = random_fares(rng, count=24, together=6)
        alive = (1 << 24) - 1 & ~(0b11 << 6 * rng.randrange(4))
        paired += check_that_nothing_is_cheaper(fares, alive, values_to_start_from(rng, fares))
    assert paired > 10


def all_pairings(cost: dict[tuple[int, int], int], left: int) -> list[frozenset[tuple[int, int]]]:
    if not left:
        return [frozenset()]
    vertex = (left & -left).bit_length() - 1
    return [
        rest | {pair}
        for pair in cost
        if pair[0] == vertex and left >> pair[1] & 1
        for rest in all_pairings(cost, left & ~(1 << pair[0] | 1 << pair[1]))
    ]


@pytest.mark.parametrize("seed", range(4))
def test_the_cheapest_are_those_that_cross_the_fewest_borders(seed: int) -> None:
    rng = random.Random(seed)
    bound = 0
    for _ in range(150):
        fares = random_fares(rng)
        if fares.count > 10:
            continue
        alive = (1 << fares.count) - 1
        everything = all_pairings(fares.cost, alive)
        some = sorted(rng.choice(everything)) if everything else []
        found = find_optimal_matchings(fares.tariff, alive, some)
        if found is None:
            assert not everything
            continue
        bound += found.min_border_crossings > 0
        crossed = {
            (one, other): crossings
            for crossings, graph in found.levels.items()
            for one in range(fares.count)
            for other in range(one + 1, fares.count)
            if graph[one] >> other & 1 and graph[other] >> one & 1
        }
        least = fares.least(alive)
        cheapest = {pairs for pairs in everything if sum(fares.cost[pair] for pair in pairs) == least}
        left = {
            pairs
            for pairs in all_pairings(crossed, alive)
            if sum(crossed[pair] for pair in pairs) <= found.min_border_crossings
        }
        assert left == cheapest
        assert frozenset(found.pairs) in cheapest
    assert bound > 2, "no odd set was ever in the way"


def test_two_triangles_must_be_left_by_their_dear_edge() -> None:
    fares = Fares(6, [0, 9], [0] * 6)
    for one, other in ((0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5)):
        fares.add(one, other, 0)
    assert find_min_weight_matching(fares.tariff, 0b111111) is None
    fares.add(2, 3, 1)
    assert find_min_weight_matching(fares.tariff, 0b111111) == [(0, 1), (2, 3), (4, 5)]


def test_the_owner_decides_the_price() -> None:
    # A square: both pairs of one side, or both of the other. The pairs of 1 are expensive, those of 0 cheap.
    fares = Fares(4, [0], [1, 100, 0, 0])
    fares.add(0, 1, 0, owner=0)
    fares.add(2, 3, 0)
    fares.add(1, 2, 0, owner=1)
    fares.add(0, 3, 0)
    assert find_min_weight_matching(fares.tariff, 0b1111) == [(0, 1), (2, 3)]


def test_values_to_start_from_do_not_change_the_price() -> None:
    # Three of four are due the same colour: a pair of two of them costs 5, and one such pair is unavoidable.
    fares = Fares(4, [0, 5], [0] * 4)
    for one, other, level in ((0, 1, 1), (0, 2, 1), (1, 2, 1), (0, 3, 0), (1, 3, 0), (2, 3, 0)):
        fares.add(one, other, level)
    pairs = find_min_weight_matching(fares.tariff, 0b1111, dual=[5, 5, 5, -5])
    assert pairs is not None
    assert sum(fares.cost[pair] for pair in pairs) == fares.least(0b1111) == 5
