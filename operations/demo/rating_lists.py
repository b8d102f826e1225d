"""Invented monthly rating lists of FIDE and a federation for the demo members.

They never enter FIDE's shared register of players, which may hold a real list.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import date

from clubs.models import Club, Member, MemberRatingListing, RatingRegister
from clubs.rating.lists.import_jobs import get_fide_register
from clubs.rating.lists.member_listings import is_fide_register
from common.text.months import add_months
from operations.demo.demo_texts import DemoTexts

FIRST_FIDE_ID = 999_000_001
"""Real FIDE IDs have at most eight digits, so these belong to nobody."""
MONTHS = 6


def make_demo_rating_lists(club: Club, members: Sequence[Member], today: date, texts: DemoTexts) -> None:
    """Create six months of lists with two thirds of the members. One in nine is inactive on FIDE's list."""
    chance = random.Random(2700)  # noqa: S311
    national, _made = RatingRegister.objects.get_or_create(club=club, name=texts.rating_list)
    rows = []
    for place, member in enumerate(members):
        if place % 3 == 2 or not member.rating:
            continue
        member.fide_id = FIRST_FIDE_ID + place
        member.national_id = f"{texts.national_id_prefix}-{10_000 + place}"
        member.save(update_fields=["fide_id", "national_id"])
        of_fide, of_federation = member.rating - chance.randrange(60), member.rating + chance.randrange(80)
        for ago in range(MONTHS, -1, -1):
            month = add_months(today.replace(day=1), -ago)
            rows += [
                _listing(member, get_fide_register(), month, max(1400, of_fide), place),
                _listing(member, national, month, of_federation, place),
            ]
            of_fide += chance.randrange(-12, 15)
            of_federation += chance.randrange(-15, 18)
    MemberRatingListing.objects.bulk_create(rows)


def _listing(member: Member, register: RatingRegister, month: date, rating: int, place: int) -> MemberRatingListing:
    of_fide = is_fide_register(register)
    is_junior = member.birth_year is not None and month.year - member.birth_year <= 18
    return MemberRatingListing(
        member=member,
        register=register,
        kind="standard",
        month=month,
        rating=rating,
        factor=(40 if is_junior else 20) if of_fide else 0,
        is_inactive=of_fide and place % 9 == 0,
    )
