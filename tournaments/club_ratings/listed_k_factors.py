"""K factors and inactivity from FIDE's lists, limited to the lists that count for a month."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from datetime import date
from typing import TypeAlias

from clubs.models import Club, MemberRatingListing
from clubs.rating.calculation.rating_periods import months_between
from clubs.rating.lists.member_listings import FIDE_REGISTER_NAME

MONTHS_LIST_IN_FORCE = 12
"""A list counts until the next one is imported, but not longer, so that no K is years old."""

KFactors: TypeAlias = Mapping[int, list[tuple[date, int]]]
"""By member's key: months of lists, the earliest first, and K."""


def k_factors_on_lists(members: Collection[int], kind: str) -> KFactors:
    """Return these members' K-factors on FIDE's lists. One query."""
    listings = MemberRatingListing.objects.filter(
        register__club=None, register__name=FIDE_REGISTER_NAME, kind=kind, member__in=members, factor__gt=0
    )
    found: dict[int, list[tuple[date, int]]] = defaultdict(list)
    for member, month, factor in listings.order_by("month").values_list("member_id", "month", "factor"):
        found[member].append((month, factor))
    return found


def k_factors_in_force(factors: KFactors, first_day: date) -> dict[int, int]:
    """Return the K-factors on the latest list in force in a month. A list counts for its month and the next 11."""
    found = {}
    for member, listed in factors.items():
        in_force = [factor for month, factor in listed if 0 <= months_between(month, first_day) < MONTHS_LIST_IN_FORCE]
        if in_force:
            found[member] = in_force[-1]
    return found


def k_factors_of_coming_lists(factors: KFactors, first_day: date) -> dict[int, int]:
    """Return each member's K-factor on their first list, if that list is within the 12 months after this month."""
    firsts = {member: listed[0] for member, listed in factors.items() if listed}
    return {
        member: factor
        for member, (month, factor) in firsts.items()
        if 0 < months_between(first_day, month) <= MONTHS_LIST_IN_FORCE
    }


def fide_inactivity_by_member(club: Club, kind: str) -> dict[int, list[tuple[date, bool]]]:
    """Return each member's FIDE lists by member key: months, earliest first, with the inactive flag. One query."""
    listings = MemberRatingListing.objects.filter(
        register__club=None, register__name=FIDE_REGISTER_NAME, kind=kind, member__club=club
    )
    found: dict[int, list[tuple[date, bool]]] = defaultdict(list)
    for member, month, is_inactive in listings.order_by("month").values_list("member_id", "month", "is_inactive"):
        found[member].append((month, is_inactive))
    return found
