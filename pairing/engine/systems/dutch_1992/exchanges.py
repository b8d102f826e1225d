"""C8 and D2: the first exchange between S1 and S2 for which there is a transposition.

A pairing that needs an exchange has pairs inside S1 and inside S2 or leaves players of S1 over. It is met first where,
of every two who play inside S1, the lower has left it, as has everyone of S1 left over, and of every two who
play inside S2 the higher has come in. So an exchange has a price that is paid pair by pair, and the first one in the
order of D2 is that of the cheapest pairing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pairing.engine.rules.matching import mask_of
from pairing.engine.systems.dutch_1992.options import Options, Prices, Terms


class Exchange(NamedTuple):
    """Who leaves S1 for S2, and who comes in for them (vertices)."""

    leaving: tuple[int, ...]
    entering: tuple[int, ...]


def first_exchange(options: Options, terms: Terms, group: Sequence[int], pairs: int, size: int) -> Exchange:
    """The first exchange of D2 in a group to be split after `pairs`.

    `group` are vertices in A2 order, `size` is the number of all members of the bracket.
    """
    position = {vertex: place for place, vertex in enumerate(group, start=1)}
    prices = _prices(group, pairs, size)
    leaving: list[int] = []
    entering: list[int] = []
    for one, other in options.cheapest(terms, mask_of(group), prices):
        first, second = position.get(one, 0), position.get(other, 0)
        if 0 < first <= pairs and not 0 < second <= pairs:
            if not second:
                leaving.append(one)
        elif 0 < first <= pairs:
            leaving.append(group[max(first, second) - 1])
        elif first and second:
            entering.append(group[min(first, second) - 1])
    return Exchange(tuple(sorted(leaving)), tuple(sorted(entering)))


def _prices(group: Sequence[int], pairs: int, size: int) -> Prices:
    """What it costs each of S1 to leave and each of S2 to come in.

    In a sum of prices, the number of players exchanged outweighs the difference of their positions, that
    the lowest who leaves, he the next to leave, and so on, and these those who come in, the highest first. As
    many leave as come in, so half of the price of a player's exchange falls on each side.
    """
    count = len(group)
    leaver = 1 << (count + 1)
    difference = leaver << (count + 2)
    player = difference * (count + 1) ** 2
    owned, prices = [0] * size, [0] * size
    everyone, s1 = mask_of(group), mask_of(group[:pairs])
    for place, vertex in enumerate(group, start=1):
        higher = (1 << vertex) - 1
        if place <= pairs:
            # His are the pairs with the higher ones of S1, and all vertices behind the bracket's: to be left over.
            owned[vertex] = s1 & higher | -1 << size
            prices[vertex] = player - difference * place - (leaver << place)
        else:
            owned[vertex] = everyone & ~s1 & ~higher & ~(1 << vertex)
            prices[vertex] = player + difference * place - (1 << (count - place))
    return Prices(owned, prices, player * 4 * count)
