"""Whom a player passed over: in a large group thousands, of nearly all of whom the same is said."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from pairing.engine.paired_round import Reason, retold
from pairing.engine.rules.compatibility import Company, absolute_colour


def tell_all(
    company: Company,
    chooser: int,
    passed: Iterable[int],
    tell: Callable[[int], Reason],
    *,
    alike: Collection[int],
    single: Collection[int],
) -> tuple[Reason, ...]:
    """What `tell` says of each candidate, asked once for all of whom it says the same but for their numbers.

    So it does of those who must have the colour that the chooser must have, and of the others in `alike`; never mind of
    whom else. Those whom he may not meet for another reason, and those in `single`, are asked about one by one.
    """
    player = company.players[chooser]
    bound = company.bound_to.get(absolute_colour(player), frozenset())
    apart = company.apart_from(player)
    for_colour: Reason | None = None
    for_alike: Reason | None = None
    told: list[Reason] = []
    for candidate in passed:
        if candidate in apart or candidate in single:
            told.append(tell(candidate))
        elif candidate in bound:
            told.append(tell(candidate) if for_colour is None else _retold(for_colour, company, candidate))
            for_colour = for_colour or told[-1]
        elif candidate in alike:
            told.append(tell(candidate) if for_alike is None else _retold(for_alike, company, candidate))
            for_alike = for_alike or told[-1]
        else:
            told.append(tell(candidate))
    return tuple(told)


def _retold(why: Reason, company: Company, candidate: int) -> Reason:
    return retold(why, why.players[0], company.players[candidate].tpn)
