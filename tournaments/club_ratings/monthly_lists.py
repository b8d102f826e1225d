"""The club's monthly list next to those of FIDE and federations, and rating trends over the years."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from statistics import median_low

from django.utils import timezone

from clubs.membership.members.membership_periods import (
    is_not_member_in_month,
    member_in_month_condition,
    membership_gaps,
)
from clubs.models import Club, Member, MemberRating, MemberRatingListing, RatingRegister
from clubs.rating.lists.member_listings import FIDE_REGISTER_NAME
from tournaments.club_ratings.listed_k_factors import fide_inactivity_by_member
from tournaments.club_ratings.rating_history import RatedMember, club_rating_list


@dataclass(frozen=True, slots=True, kw_only=True)
class MonthlyRatingRow:
    """A member's row for a month: the club's rating (None: never rated), then the rating in each register."""

    member: Member
    own: RatedMember | None
    listed: tuple[MemberRatingListing | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MonthlyRatingList:
    """A month's list. `months` are all months with data, the latest first."""

    month: date
    months: tuple[date, ...]
    registers: tuple[RatingRegister, ...]
    lines: tuple[MonthlyRatingRow, ...]


def months_with_lists(club: Club, kind: str) -> list[date]:
    """Return the months with a list of members, from the club or a register, the latest first. Two queries."""
    own = MemberRating.objects.filter(member__club=club, kind=kind).values_list("month", flat=True)
    listed = MemberRatingListing.objects.filter(member__club=club, kind=kind).values_list("month", flat=True)
    return sorted({*own.distinct().order_by(), *listed.distinct().order_by()}, reverse=True)


def monthly_rating_list(club: Club, kind: str, asked_for: date | None) -> MonthlyRatingList | None:
    """Return the list for a month, or else for the latest month that has begun. Return None if there is no list.

    For a register without a list in that month, its latest earlier list counts.
    """
    months = months_with_lists(club, kind)
    if not months:
        return None
    begun = [each for each in months if each <= timezone.localdate()] or months[-1:]
    month = asked_for if asked_for in months else begun[0]
    own = {row.member.pk: row for row in club_rating_list(club, kind, month)}
    listings = MemberRatingListing.objects.filter(member__club=club, kind=kind, month__lte=month)
    listings = listings.filter(member_in_month_condition(month, "member__")).select_related("member", "register")
    latest: dict[tuple[int, int], MemberRatingListing] = {}
    for listing in listings.order_by("month"):
        latest[listing.member_id, listing.register_id] = listing
    registers = _registers(latest.values())
    members = {listing.member_id: listing.member for listing in latest.values()}
    members |= {row.member.pk: row.member for row in own.values()}
    lines = [
        MonthlyRatingRow(
            member=member,
            own=own.get(pk),
            listed=tuple(latest.get((pk, register.pk)) for register in registers),
        )
        for pk, member in members.items()
    ]
    lines.sort(key=lambda line: (-((line.own and line.own.rating) or 0), -_highest(line), line.member.sort_name))
    return MonthlyRatingList(month=month, months=tuple(months), registers=tuple(registers), lines=tuple(lines))


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingTrend:
    """The highest and median rating and the number of players, month by month. Empty with only one month."""

    highest: list[tuple[date, int]]
    median: list[tuple[date, int]]
    players: list[tuple[date, int]]


def club_rating_trend(club: Club, kind: str) -> RatingTrend:
    """Return the trend of the club's own list. Three queries.

    Members count with their latest rating until they leave. Those who came with a rating count from the month they
    joined, not from their first game here. Those who are inactive on FIDE's list count only in months with a rated game
    here.
    """
    rows = MemberRating.objects.filter(member__club=club, kind=kind).order_by("month")
    by_month: dict[date, list[tuple[int, int | None, date | None]]] = {}
    came: dict[int, tuple[date, int, date | None]] = {}
    seen: set[int] = set()
    for member, month, before, after, joined_on, left_on in rows.values_list(
        "member_id", "month", "before", "after", "member__joined_on", "member__left_on"
    ):
        by_month.setdefault(month, []).append((member, after, left_on))
        if member not in seen and before is not None:
            came[member] = (joined_on or date.min).replace(day=1), before, left_on
        seen.add(member)
    standing: dict[int, tuple[int, date | None]] = {}
    gaps = membership_gaps(club)
    inactive = fide_inactivity_by_member(club, kind)
    ratings: dict[date, list[int]] = {}
    for month, changes in by_month.items():
        for member in [member for member, (since, _rating, _left) in came.items() if since <= month]:
            _since, rating, left_on = came.pop(member)
            standing[member] = rating, left_on
        for member, after, left_on in changes:
            standing.pop(member, None)
            came.pop(member, None)
            if after is not None:
                standing[member] = after, left_on
        played = {member for member, _after, _left_on in changes}
        ratings[month] = [
            rating
            for member, (rating, left_on) in standing.items()
            if (left_on is None or left_on >= month) and not is_not_member_in_month(gaps.get(member, []), month)
            if member in played or not _is_inactive(inactive, member, month)
        ]
    return _years(ratings)


def fide_rating_trend(club: Club, kind: str) -> RatingTrend:
    """Return the trend of active members' FIDE ratings over the imported lists. Two queries.

    Members count until they leave, and not in months whose list no longer has them.
    """
    listings = MemberRatingListing.objects.filter(
        register__club=None,
        register__name=FIDE_REGISTER_NAME,
        member__club=club,
        kind=kind,
        rating__gt=0,
        is_inactive=False,
    )
    ratings: dict[date, list[int]] = {}
    gaps = membership_gaps(club)
    rows = listings.order_by("month").values_list("member", "month", "rating", "member__left_on")
    for member, month, rating, left_on in rows:
        of_month = ratings.setdefault(month, [])
        if (left_on is None or left_on >= month) and not is_not_member_in_month(gaps.get(member, []), month):
            of_month.append(rating)
    return _years(ratings)


def _years(ratings: Mapping[date, list[int]]) -> RatingTrend:
    of_months = [(month, found) for month, found in ratings.items() if found]
    if len(of_months) < 2:
        return RatingTrend(highest=[], median=[], players=[])
    return RatingTrend(
        highest=[(month, max(found)) for month, found in of_months],
        median=[(month, median_low(found)) for month, found in of_months],
        players=[(month, len(found)) for month, found in of_months],
    )


def _is_inactive(inactive: Mapping[int, list[tuple[date, bool]]], member: int, month: date) -> bool:
    said = [is_inactive for listed, is_inactive in inactive.get(member, ()) if listed <= month]
    return bool(said) and said[-1]


def _registers(listings: Iterable[MemberRatingListing]) -> list[RatingRegister]:
    """Return the registers, FIDE's first, then the others by name."""
    found = {listing.register_id: listing.register for listing in listings}
    return sorted(found.values(), key=lambda register: (register.club_id is not None, register.name))


def _highest(line: MonthlyRatingRow) -> int:
    return max((listing.rating for listing in line.listed if listing), default=0)
