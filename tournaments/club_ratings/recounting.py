"""Ratings are counted anew whenever something they are computed from changes.

Rounds that are finished, opened again, corrected or moved, and events changed or brought in, call for it themselves;
here is what rooms change that do not know of ratings.
"""

from __future__ import annotations

from clubs.models import Club, MemberListing, MemberRating, RatingListImport
from clubs.rating.lists.listings import is_fide
from common.signals import Changed, follow
from common.text.months import months_later
from tournaments.club_ratings.factors import MONTHS_IN_FORCE
from tournaments.club_ratings.keeping import rate_event, rate_from
from tournaments.models import Round


def watch() -> None:
    """Begin; once, when the application starts."""
    follow(Changed.RATED_MEMBERS, "ratings", _members_changed)
    follow(Changed.LISTINGS, "ratings", _list_kept)
    follow(Changed.EVENT, "ratings", _event_changed)


def _members_changed(club: int) -> None:
    if MemberRating.objects.filter(member__club=club).exists():
        rate_from(Club.objects.get(pk=club), None)


def _list_kept(listed: int) -> None:
    """K of FIDE's list counts from its month on, and of whoever is new on it says of the year before if he was new."""
    brought = RatingListImport.objects.select_related("register").get(pk=listed)
    if brought.month is None or not is_fide(brought.register):
        return
    said_of = MemberListing.objects.filter(register=brought.register, month=brought.month)
    since = months_later(brought.month, -MONTHS_IN_FORCE)
    rated = MemberRating.objects.filter(month__gte=since, member__in=said_of.values("member"))
    for club in Club.objects.filter(pk__in=rated.values("member__club")):
        rate_from(club, since)


def _event_changed(tournament: int) -> None:
    if Round.objects.filter(tournament=tournament, state=Round.State.FINISHED).exists():
        rate_event(tournament)
