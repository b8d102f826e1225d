"""Cheapest assignments: every row gets an option of its own, at the least cost in all (Kuhn, Munkres)."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

Option = TypeVar("Option", bound=Hashable)


def cheapest_assignment(rows: Sequence[Mapping[Option, int]]) -> list[Option] | None:
    """Give each row one of the options it names, no option twice, so that the sum of the costs is least.

    A row maps its options to whole-number costs of any size. Returns the options in the order of the rows, or None
    where the rows cannot all be served. Among equally cheap assignments any may be returned.
    """
    row_price = [0] * len(rows)
    option_price: dict[Option, int] = {}
    holder: dict[Option, int] = {}
    if not all(rows):
        return None
    # Once those with the dearest options are served, the others seldom have cause to move them.
    for row in sorted(range(len(rows)), key=lambda row: -max(rows[row].values())):
        if not _serve(row, rows, row_price, option_price, holder):
            return None
    held = {row: option for option, row in holder.items()}
    return [held[row] for row in range(len(rows))]


def _serve(
    row: int,
    rows: Sequence[Mapping[Option, int]],
    row_price: list[int],
    option_price: dict[Option, int],
    holder: dict[Option, int],
) -> bool:
    """Give one more row an option, along the cheapest chain of rows that move to another (Dijkstra, reduced costs)."""
    distance: dict[Option, int] = {}
    reached_by: dict[Option, int] = {}
    done: dict[Option, int] = {}
    current, travelled = row, 0
    while True:
        for option, cost in rows[current].items():
            if option in done:
                continue
            length = travelled + cost - row_price[current] - option_price.get(option, 0)
            if option not in distance or length < distance[option]:
                distance[option], reached_by[option] = length, current
        if not distance:
            return False
        least = min(distance.values())
        nearest = min((option for option in distance if distance[option] == least), key=holder.__contains__)
        travelled = distance.pop(nearest)
        done[nearest] = travelled
        if nearest not in holder:
            break
        current = holder[nearest]
    for option, at in done.items():
        if option in holder:
            row_price[holder[option]] += travelled - at
        option_price[option] = option_price.get(option, 0) - (travelled - at)
    row_price[row] += travelled
    _hand_over(nearest, row, reached_by, holder)
    return True


def _hand_over(free: Option, row: int, reached_by: Mapping[Option, int], holder: dict[Option, int]) -> None:
    """Move every row of the chain to the option by which the search reached it."""
    held = {taker: option for option, taker in holder.items()}
    while (taker := reached_by[free]) != row:
        holder[free] = taker
        free = held[taker]
    holder[free] = row
