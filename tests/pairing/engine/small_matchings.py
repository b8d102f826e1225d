"""Matchings of a few players, found by trying everything: the basis for checking reasons."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

Compatible = Callable[[int, int], bool]


def can_all_be_paired(players: frozenset[int], compatible: Compatible) -> bool:
    """Whether there is a perfect matching."""
    return fewest_left_over(players, compatible) == 0


def fewest_left_over(players: frozenset[int], compatible: Compatible) -> int:
    """How many remain without an opponent in a maximum matching."""

    @cache
    def least(left: frozenset[int]) -> int:
        if not left:
            return 0
        one = min(left)
        rest = left - {one}
        best = 1 + least(rest)
        for other in rest:
            if best == len(left) % 2:
                break
            if compatible(one, other):
                best = min(best, least(rest - {other}))
        return best

    return least(players)


def fewest_clashes(players: frozenset[int], compatible: Compatible, clash: Compatible) -> int | None:
    """The fewest clashing pairs in a perfect matching; None if there is none."""

    @cache
    def least(left: frozenset[int]) -> int | None:
        if not left:
            return 0
        one = min(left)
        found = [
            more + clash(one, other)
            for other in left - {one}
            if compatible(one, other) and (more := least(left - {one, other})) is not None
        ]
        return min(found, default=None)

    return least(players)
