"""Downfloaters (6.4) where taking players in order is not enough: exact for any group, without enumeration.

Floaters cross from the group to those below. We find the pairing of both together with the cheapest crossings. A
player's price is their share of the tests, as one number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import NamedTuple

from pairing.engine.matching import EdgeCosts, bitmask_members, bitmask_of, find_min_weight_matching
from pairing.engine.matching.alternating_tree import AlternatingTree
from pairing.engine.systems.dubov_1997.procedure_state import DubovEvent, LowerPlayers, ScoreGroupInProgress


class FloaterKind(IntEnum):
    """The kinds of floaters (6.4); the worst has the highest value."""

    STAYED_WITH_OPPONENT = 1
    STAYED_WITHOUT_OPPONENT = 2
    CAME_DOWN_WITH_OPPONENT = 3
    CAME_DOWN_WITHOUT_OPPONENT = 4


class FloaterPriority(NamedTuple):
    """The order of floaters (6.4): best kind, lowest rating, highest ARO, largest number."""

    kind: FloaterKind
    rating: int
    average: int
    tpn: int


def find_cheapest_floaters(
    turns: Mapping[int, FloaterPriority], group: ScoreGroupInProgress, below: LowerPlayers, event: DubovEvent
) -> tuple[int, ...]:
    """Return the players who cross in the pairing with the cheapest crossings, in order."""
    inside, outside = group.member_mask, below.matching.alive
    may_cross = bitmask_of(turns)
    neighbours = event.company.complement_graph
    allowed = [0] * len(neighbours)
    owned = [0] * len(neighbours)
    for place in bitmask_members(inside):
        owned[place] = neighbours[place] & outside if may_cross >> place & 1 else 0
        allowed[place] = neighbours[place] & inside | owned[place]
    for place in bitmask_members(outside):
        allowed[place] = neighbours[place] & (outside | may_cross)
    prices = [0] * len(neighbours)
    for place, price in _prices(turns).items():
        prices[place] = price
    start = _values_to_start_from(turns, prices, group, event)
    pairs = find_min_weight_matching(EdgeCosts(((0, allowed),), owned, prices), inside | outside, start)
    if pairs is None:
        raise ValueError("every step before has kept a legal round")
    crossing = {place for pair in pairs for place in pair if inside >> pair[0] & 1 != inside >> pair[1] & 1}
    return tuple(place for place in turns if place in crossing)


def _values_to_start_from(
    turns: Mapping[int, FloaterPriority], prices: Sequence[int], group: ScoreGroupInProgress, event: DubovEvent
) -> list[int]:
    """Return dual values close to the solution, as if those below could take in all surplus players.

    Players who could replace a floater get that floater's price, and the players they compete for its negative. If an
    odd cycle rules that out, the values stay 0.
    """
    values = [0] * len(prices)
    left = group.member_mask
    with group.matching.temporary_changes():
        out = [place for place in turns if group.matching.deficiency and group.matching.try_leave_out(place)]
        if group.matching.deficiency:
            return values
        for place in reversed(out):
            tree = AlternatingTree(event.company.complement_graph, group.matching.mate, place, left)
            tree.find_augmenting_path(0)
            if tree.outer.bit_count() == tree.inner.bit_count() + 1:
                left &= ~(tree.outer | tree.inner)
                for reached, value in ((tree.outer, 2 * prices[place]), (tree.inner, -2 * prices[place])):
                    for one in bitmask_members(reached):
                        values[one] = value
    return values


def _prices(turns: Mapping[int, FloaterPriority]) -> dict[int, int]:
    """Return each player's share of the tests as one number: a digit for each value, the first test highest.

    Of two lists of equal length, the one with more of the first value comes first, then of the second, and so on. So a
    player's value subtracts its digit. Each digit covers all players with the value, so none overflows. Each price
    exceeds all digits together, so that as few as possible cross.
    """
    parts = dict.fromkeys(turns, 0)
    digit = 1
    for test in ("tpn", "average", "rating"):
        for _, places in sorted(_by_value(turns, test).items(), reverse=True):
            for place in places:
                parts[place] -= digit
            digit *= len(places) + 1
    for _, places in sorted(_by_value(turns, "kind").items()):
        for place in places:
            parts[place] += digit
        digit *= len(places) + 1
    return {place: digit * 2 + part for place, part in parts.items()}


def _by_value(turns: Mapping[int, FloaterPriority], test: str) -> dict[int, list[int]]:
    places: dict[int, list[int]] = {}
    for place, turn in turns.items():
        places.setdefault(getattr(turn, test), []).append(place)
    return places
