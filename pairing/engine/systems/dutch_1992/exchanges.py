"""The first exchange between S1 and S2 that allows a transposition (C8 and D2)."""

from __future__ import annotations

from collections.abc import Sequence

from pairing.engine.matching import bitmask_of
from pairing.engine.rules.exchanges import PlayerExchange, exchange_prices, find_exchange
from pairing.engine.systems.dutch_1992.candidate_search import ActiveCriteria, CandidateSearch


def find_first_exchange(
    options: CandidateSearch, terms: ActiveCriteria, group: Sequence[int], pairs: int, size: int
) -> PlayerExchange:
    """Find the first exchange of D2 in a group to be split after `pairs`.

    `group` holds vertices in A2 order; `size` is the number of all members of the bracket.
    """
    prices = exchange_prices(group, pairs, size)
    return find_exchange(options.find_cheapest_candidate(terms, bitmask_of(group), prices), group, pairs)
