"""The first exchange between the halves of a group, in the order that Dutch systems have used since 1992.

A pairing that needs an exchange has pairs inside S1 and inside S2 or leaves players of S1 over. It is met first where,
of every two who play inside S1, the lower has left it, as has everyone of S1 left over, and of every two who
play inside S2 the higher has come in. So an exchange has a price that is paid pair by pair, and the first one is that
of the cheapest pairing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pairing.engine.matching import bitmask_of


class PlayerExchange(NamedTuple):
    """Who leaves S1 for S2, and who comes in for them (vertices)."""

    leaving: tuple[int, ...]
    entering: tuple[int, ...]


class ExchangePrices(NamedTuple):
    """What exchanges cost: `owned` and `prices` of a Tariff, and more than all of them cost."""

    owned: Sequence[int]
    prices: Sequence[int]
    upper_bound: int


def exchange_prices(group: Sequence[int], pairs: int, size: int) -> ExchangePrices:
    """What it costs each of S1 to leave and each of S2 to come in.

    `group` are vertices, the highest first, to be split after `pairs`; `size` is the number of all players. In a sum
    of prices, the number of players exchanged outweighs the difference of their positions, that the lowest who
    leaves, he the next to leave, and so on, and these those who come in, the highest first. As many leave as
    come in, so half of the price of a player's exchange falls on each side.
    """
    count = len(group)
    leaver = 1 << (count + 1)
    difference = leaver << (count + 2)
    player = difference * (count + 1) ** 2
    owned, prices = [0] * size, [0] * size
    everyone, s1 = bitmask_of(group), bitmask_of(group[:pairs])
    for place, vertex in enumerate(group, start=1):
        higher = (1 << vertex) - 1
        if place <= pairs:
            # His are the pairs with the higher ones of S1, and all vertices behind the players: to be left over.
            owned[vertex] = s1 & higher | -1 << size
            prices[vertex] = player - difference * place - (leaver << place)
        else:
            owned[vertex] = everyone & ~s1 & ~higher & ~(1 << vertex)
            prices[vertex] = player + difference * place - (1 << (count - place))
    return ExchangePrices(owned, prices, player * 4 * count)


def find_exchange(matched: Iterable[tuple[int, int]], group: Sequence[int], pairs: int) -> PlayerExchange:
    """The exchange that a pairing of a group, split after `pairs`, comes from; lower vertex first in every pair."""
    position = {vertex: place for place, vertex in enumerate(group, start=1)}
    leaving: list[int] = []
    entering: list[int] = []
    for one, other in matched:
        first, second = position.get(one, 0), position.get(other, 0)
        if 0 < first <= pairs and not 0 < second <= pairs:
            if not second:
                leaving.append(one)
        elif 0 < first <= pairs:
            leaving.append(group[max(first, second) - 1])
        elif first and second:
            entering.append(group[min(first, second) - 1])
    return PlayerExchange(tuple(sorted(leaving)), tuple(sorted(entering)))
