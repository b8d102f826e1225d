"""4.3 of the Dutch system of February 2026: the exchanges between the halves of a group, in order."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cmp_to_key
from itertools import combinations


def exchanges(players: int, pairs: int) -> Iterator[tuple[list[int], list[int]]]:
    """4.3: S1 and S2 of a homogeneous bracket or remainder, the original halves first."""
    upper, lower = range(1, pairs + 1), range(pairs + 1, players + 1)
    for size in range(min(len(upper), len(lower)) + 1):
        every = [(down, up) for down in combinations(upper, size) for up in combinations(lower, size)]
        for down, up in sorted(every, key=cmp_to_key(_earlier)):
            yield sorted({*upper, *up} - {*down}), sorted({*lower, *down} - {*up})


def _earlier(one: tuple[tuple[int, ...], ...], other: tuple[tuple[int, ...], ...]) -> int:
    """Negative if the first of two exchanges of equal size comes first."""
    (down, up), (other_down, other_up) = one, other
    differences = sum(up) - sum(down), sum(other_up) - sum(other_down)
    if differences[0] != differences[1]:
        return differences[0] - differences[1]
    if set(down) != set(other_down):
        highest = max(set(down) ^ set(other_down))
        return -1 if highest in down else 1
    if set(up) != set(other_up):
        lowest = min(set(up) ^ set(other_up))
        return -1 if lowest in up else 1
    return 0
