"""Minimum-cost assignment, kept up to date by repair (Kuhn, Munkres).

Every row has its own seat, at the least total cost. Each row and each seat has a dual value. A row's offer costs at
least the sum of both, and exactly that ("tight") where it is taken. One extra row holds all seats that nobody takes;
every seat is offered to it for nothing.

So when one row's offers change, only that row looks for a seat. Others move along a chain of tight offers. Few dual
values of seats differ: the tight offers of a row are found as one bitmask for each value.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from pairing.engine.progress import check_cancelled

RowCosts: TypeAlias = Sequence[tuple[int, int]]
"""The offers of a row: costs (whole numbers of any size), each with the bitmask of the seats it buys."""

NO_SEAT = -1


class _Chains:
    """All seats that chains of tight offers reach from one row.

    `leaves` gives the seat each row leaves, `taker` the row that takes each seat.
    """

    def __init__(self, row: int) -> None:
        self.leaves = {row: NO_SEAT}
        self.taker: dict[int, int] = {}
        self.reached = 0


class MinCostAssignment:
    """The cheapest assignment of rows 0, 1, ... to seats 0, 1, ..., with each seat used at most once."""

    def __init__(self, offers: Sequence[RowCosts], seats: int) -> None:
        """Seat one row after the other. Raises ValueError if they cannot all be seated."""
        self._offers: list[RowCosts] = [*offers, ((0, (1 << seats) - 1),)]
        self._rest = len(offers)
        self._free = (1 << seats) - 1
        self._holder = [self._rest] * seats
        self._seat = [NO_SEAT] * len(offers)
        self._row_value = [0] * len(self._offers)
        self._at_value = {0: self._free} if seats else {}
        for row in range(self._rest):
            if not self._find_seat(row, self._free):
                raise ValueError(f"row {row} cannot be seated with those before it")

    @property
    def total_cost(self) -> int:
        """The lowest total cost."""
        rows = sum(self._row_value[: self._rest]) + self._row_value[self._rest] * self._free.bit_count()
        return rows + sum(value * seats.bit_count() for value, seats in self._at_value.items())

    def assigned_seat(self, row: int) -> int:
        """Return the seat of a row in one of the cheapest assignments."""
        return self._seat[row]

    def replace_row_costs(self, row: int, offers: RowCosts) -> bool:
        """Replace the costs of a row. If not all rows can then be seated, keep the old ones and return False."""
        before, self._offers[row] = self._offers[row], offers
        if self._move(row):
            return True
        self._offers[row] = before
        self._find_seat(row, self._left_by(row))
        return False

    def _move(self, row: int) -> bool:
        """Seat a row again if its seat is no longer the cheapest."""
        check_cancelled()
        least = self._least(row)
        if least is None:
            return False
        if self._is_tight(row, least):
            self._row_value[row] = least
            return True
        return self._find_seat(row, self._left_by(row))

    def _left_by(self, row: int) -> int:
        """Free the seat of a row and return it as a bitmask. Only the end of a chain may take it."""
        seat = self._seat[row]
        self._holder[seat] = NO_SEAT
        return 1 << seat

    def _least(self, row: int) -> int | None:
        """Return the greatest value the row can have: its cheapest offer, less the value of the seat."""
        slacks = [
            cost - value for cost, mask in self._offers[row] for value, seats in self._at_value.items() if mask & seats
        ]
        return min(slacks, default=None)

    def _is_tight(self, row: int, row_value: int) -> bool:
        seat = self._seat[row]
        return any(
            mask >> seat & 1 and self._at_value.get(cost - row_value, 0) >> seat & 1 for cost, mask in self._offers[row]
        )

    def _find_seat(self, row: int, goals: int) -> bool:
        """Seat a row along the cheapest chain that ends in one of the goals (a bitmask). False if there is none."""
        least = self._least(row)
        if least is None:
            return False
        self._row_value[row] = least
        chains = _Chains(row)
        while not self._spread(chains, goals):
            step = self._step(chains)
            if step is None:
                return False
            self._change_values(chains, step)
        return True

    def _spread(self, chains: _Chains, goals: int) -> bool:
        """Follow the tight offers as far as they go. If a goal is met, move all rows of the chain and return True."""
        # The list grows while it is read: it is the queue of the search.
        queue = list(chains.leaves)
        for row in queue:
            for cost, mask in self._offers[row]:
                fresh = mask & self._at_value.get(cost - self._row_value[row], 0) & ~chains.reached
                if fresh & goals:
                    self._move_along(chains, row, (fresh & goals).bit_length() - 1)
                    return True
                chains.reached |= fresh
                while fresh:
                    seat = fresh.bit_length() - 1
                    holder = self._holder[seat]
                    fresh &= ~(self._free if holder == self._rest else 1 << seat)
                    if holder not in chains.leaves:
                        chains.leaves[holder], chains.taker[seat] = seat, row
                        queue.append(holder)
        return False

    def _step(self, chains: _Chains) -> int | None:
        """Return the change of values that makes another offer tight, or None if no offer ever will be."""
        masks: dict[int, int] = {}
        for row in chains.leaves:
            for cost, mask in self._offers[row]:
                left = cost - self._row_value[row]
                masks[left] = masks.get(left, 0) | mask
        slacks = [
            left - value
            for value, seats in self._at_value.items()
            for left, mask in masks.items()
            if mask & seats & ~chains.reached
        ]
        return min(slacks, default=None)

    def _change_values(self, chains: _Chains, step: int) -> None:
        for row in chains.leaves:
            self._row_value[row] += step
        at_value: dict[int, int] = {}
        for value, seats in self._at_value.items():
            for new, some in ((value, seats & ~chains.reached), (value - step, seats & chains.reached)):
                if some:
                    at_value[new] = at_value.get(new, 0) | some
        self._at_value = at_value

    def _move_along(self, chains: _Chains, last: int, seat: int) -> None:
        """Give the last row of a chain a seat, and each row before it the seat left by the next."""
        row = last
        while row != NO_SEAT:
            left = chains.leaves[row]
            self._holder[seat] = row
            if row == self._rest:
                self._free |= 1 << seat
            else:
                self._free &= ~(1 << seat)
                self._seat[row] = seat
            seat, row = left, chains.taker.get(left, NO_SEAT)
