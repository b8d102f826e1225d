"""The first exchange between the halves of a group, in the order that Dutch systems have used since 1992.

A pairing that needs an exchange has pairs inside S1 and inside S2, or leaves players of S1 over. It first occurs after
one particular exchange. Of every two who play inside S1 the lower has left it, and so has everyone of S1 left over. Of
every two who play inside S2 the higher has entered S1. So the price of an exchange is paid pair by pair. The first
exchange is that of the cheapest pairing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, count
from typing import NamedTuple

from pairing.engine.matching import bitmask_of


class PlayerExchange(NamedTuple):
    """The players who leave S1 for S2, and the players who replace them (as vertices)."""

    leaving: tuple[int, ...]
    entering: tuple[int, ...]


class ExchangeCosts(NamedTuple):
    """The costs of exchanges: `owned` and `prices` of EdgeCosts, and a bound above the sum of all prices."""

    owned: Sequence[int]
    prices: Sequence[int]
    upper_bound: int


def exchange_costs(group: Sequence[int], pairs: int, size: int) -> ExchangeCosts:
    """Return the costs of players leaving S1 and of players entering it from S2.

    `group` are vertices, the highest first, to be split after `pairs`; `size` is the number of all players. Sums of
    prices compare by, in this order:

    - the number of players exchanged
    - the difference of their positions
    - the lowest who leaves, the next to leave, and so on
    - those who enter, the highest first

    As many leave as enter, so half of the price of an exchange falls on each side.
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
            # A player of S1 owns the pairs with higher ones of S1, and all vertices after the players: to be left over.
            owned[vertex] = s1 & higher | -1 << size
            prices[vertex] = player - difference * place - (leaver << place)
        else:
            owned[vertex] = everyone & ~s1 & ~higher & ~(1 << vertex)
            prices[vertex] = player + difference * place - (1 << (count - place))
    return ExchangeCosts(owned, prices, player * 4 * count)


def find_exchange(matched: Iterable[tuple[int, int]], group: Sequence[int], pairs: int) -> PlayerExchange:
    """Return the exchange that leads to the `matched` pairs, lower vertex first. S1 is the first `pairs` of `group`."""
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


MAX_LISTED_EXCHANGES = 20
"""Up to this many earlier exchanges are listed; the others are only counted."""

MAX_COUNTED_EXCHANGES = 200
"""Counting stops where nobody would read on."""


def earlier_exchanges(group: Sequence[int], pairs: int, made: PlayerExchange) -> Iterator[PlayerExchange]:
    """Yield the exchanges that come before the one made, in order, starting with no exchange."""
    yield PlayerExchange((), ())
    upper, lower = group[:pairs], group[pairs:]
    for size in count(1):
        for leaving, entering in _in_table(len(upper), len(lower), size):
            one = PlayerExchange(
                tuple(sorted(upper[place] for place in leaving)), tuple(sorted(lower[place] for place in entering))
            )
            if one == made:
                return
            yield one


def _in_table(upper: int, lower: int, size: int) -> Iterator[tuple[Sequence[int], Sequence[int]]]:
    """Yield exchanges of a given size in order, as places in S1 and S2, from 0."""
    if size == 1:
        # Smaller distances come first, then the lowest of S1. Few are ever needed.
        for distance in range(1, upper + lower):
            for into in range(min(distance, lower) - 1, -1, -1):
                out = upper + into - distance
                if out >= 0:
                    yield (out,), (into,)
        return

    def order_in_table(exchange: tuple[Sequence[int], Sequence[int]]) -> tuple[int, list[int], Sequence[int]]:
        out, into = exchange
        return sum(into) + size * upper - sum(out), sorted(-one for one in out), into

    every = [(out, into) for out in combinations(range(upper), size) for into in combinations(range(lower), size)]
    yield from sorted(every, key=order_in_table)
