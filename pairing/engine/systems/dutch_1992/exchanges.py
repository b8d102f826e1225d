"""C8 and D2: the first exchange between S1 and S2 for which there is a transposition."""

from __future__ import annotations

from collections.abc import Sequence

from pairing.engine.matching import mask_of
from pairing.engine.rules.exchanges import Exchange, exchange_in, exchange_prices
from pairing.engine.systems.dutch_1992.options import Options, Terms


def first_exchange(options: Options, terms: Terms, group: Sequence[int], pairs: int, size: int) -> Exchange:
    """The first exchange of D2 in a group to be split after `pairs`.

    `group` are vertices in A2 order, `size` is the number of all members of the bracket.
    """
    prices = exchange_prices(group, pairs, size)
    return exchange_in(options.cheapest(terms, mask_of(group), prices), group, pairs)
