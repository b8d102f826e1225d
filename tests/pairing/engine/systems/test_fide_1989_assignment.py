"""The cost of an assignment of floaters, compared with a search through all assignments of a few rows."""

import random
from collections.abc import Sequence

import pytest

from pairing.engine.matching import bitmask_members
from pairing.engine.systems.fide_1989.outgoing_floaters import RowCosts, least_assignment_cost


def least_cost(rows: Sequence[RowCosts], taken: int = 0) -> int | None:
    """The least cost of giving every row a seat of its own, by trying them all; None where they cannot be seated."""
    if not rows:
        return 0
    costs = []
    for cost, seats in rows[0]:
        for seat in bitmask_members(seats & ~taken):
            rest = least_cost(rows[1:], taken | 1 << seat)
            if rest is not None:
                costs.append(cost + rest)
    return min(costs, default=None)


def random_offers(rng: random.Random, seats: int) -> RowCosts:
    return tuple(
        (rng.choice([0, 1, 2, 100, 10**30]), rng.getrandbits(seats) & rng.getrandbits(seats))
        for _ in range(rng.randint(1, 3))
    )


@pytest.mark.parametrize("rows", [[()], [((1, 0),)], [((0, 1),), ((5, 1),)]], ids=["no offer", "no seat", "one seat"])
def test_rows_that_cannot_all_be_seated_cost_nothing_that_can_be_said(rows):
    assert least_assignment_cost(rows) is None


@pytest.mark.parametrize("seed", range(300))
def test_the_cost_is_the_least(seed):
    rng = random.Random(seed)
    count = rng.randint(1, 4)
    rows = [random_offers(rng, rng.randint(count, 6)) for _ in range(count)]
    assert least_assignment_cost(rows) == least_cost(rows)
