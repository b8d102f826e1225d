"""Incremental assignments, compared with all assignments of a few rows."""

import random
from collections.abc import Sequence

import pytest

from pairing.engine.matching import bitmask_members
from pairing.engine.rules.min_cost_assignment import MinCostAssignment, RowCosts


def least_cost(rows: Sequence[RowCosts], taken: int = 0) -> int | None:
    """The minimum cost of giving every row a column of its own, by trying all; None if impossible."""
    if not rows:
        return 0
    costs = []
    for cost, seats in rows[0]:
        for seat in bitmask_members(seats & ~taken):
            rest = least_cost(rows[1:], taken | 1 << seat)
            if rest is not None:
                costs.append(cost + rest)
    return min(costs, default=None)


def cost_as_seated(assignment: MinCostAssignment, rows: Sequence[RowCosts]) -> int:
    """The total cost of the rows' present columns."""
    return sum(
        min(cost for cost, seats in row if seats >> assignment.assigned_seat(n) & 1) for n, row in enumerate(rows)
    )


def random_offers(rng: random.Random, seats: int) -> RowCosts:
    return tuple(
        (rng.choice([0, 1, 2, 100, 10**30]), rng.getrandbits(seats) & rng.getrandbits(seats))
        for _ in range(rng.randint(1, 3))
    )


@pytest.mark.parametrize("rows", [[()], [((1, 0),)], [((0, 1),), ((5, 1),)]], ids=["no offer", "no seat", "one seat"])
def test_rows_that_cannot_all_be_seated_are_refused(rows):
    with pytest.raises(ValueError, match="cannot be seated"):
        MinCostAssignment(rows, 2)


def test_a_refused_change_leaves_everything_as_it_was():
    rows = [((0, 0b01), (7, 0b10)), ((0, 0b01), (9, 0b10))]
    assignment = MinCostAssignment(rows, 2)
    assert not assignment.replace_row_costs(0, ((0, 0),))
    assert assignment.total_cost == cost_as_seated(assignment, rows) == 7


@pytest.mark.parametrize("seed", range(300))
def test_the_cost_is_the_least_after_every_change(seed):
    rng = random.Random(seed)
    count = rng.randint(1, 4)
    seats = rng.randint(count, 6)
    rows = [((0, 1 << row),) for row in range(count)]
    assignment = MinCostAssignment(rows, seats)
    for _ in range(12):
        row = rng.randrange(count)
        changed = [*rows]
        changed[row] = random_offers(rng, seats)
        possible = least_cost(changed) is not None
        assert assignment.replace_row_costs(row, changed[row]) == possible
        if possible:
            rows = changed
        assert assignment.total_cost == cost_as_seated(assignment, rows) == least_cost(rows)
        assert len({assignment.assigned_seat(row) for row in range(count)}) == count
