"""Signals that trigger a recalculation of ratings.

Code that changes rounds or events schedules it directly. This module covers packages that don't know about ratings.
"""

from __future__ import annotations

from clubs.models import Club, MemberRating, MemberRatingListing, RatingListImport
from clubs.rating.lists.member_listings import is_fide_register
from common.signals import ChangeKind, subscribe_to_changes
from common.text.months import add_months
from tournaments.club_ratings.listed_k_factors import MONTHS_LIST_IN_FORCE
from tournaments.club_ratings.recalculation import schedule_event_rating, schedule_rating_from_month
from tournaments.models import Round


def connect_rating_signals() -> None:
    """Subscribe to changes that affect ratings, when the application starts."""
    subscribe_to_changes(ChangeKind.RATED_MEMBERS, "ratings", _members_changed)
    subscribe_to_changes(ChangeKind.LISTINGS, "ratings", _list_kept)
    subscribe_to_changes(ChangeKind.EVENT, "ratings", _event_changed)


def _members_changed(club: int) -> None:
    if MemberRating.objects.filter(member__club=club).exists():
        schedule_rating_from_month(Club.objects.get(pk=club), None)


def _list_kept(listed: int) -> None:
    """Recalculate for members on a new FIDE list, from a year before its month.

    Its K counts from that month on. For members new on the list, it also affects the year before.
    """
    brought = RatingListImport.objects.select_related("register").get(pk=listed)
    if brought.month is None or not is_fide_register(brought.register):
        return
    said_of = MemberRatingListing.objects.filter(register=brought.register, month=brought.month)
    since = add_months(brought.month, -MONTHS_LIST_IN_FORCE)
    rated = MemberRating.objects.filter(month__gte=since, member__in=said_of.values("member"))
    for club in Club.objects.filter(pk__in=rated.values("member__club")):
        schedule_rating_from_month(club, since)


def _event_changed(tournament: int) -> None:
    if Round.objects.filter(tournament=tournament, state=Round.State.FINISHED).exists():
        schedule_event_rating(tournament)
