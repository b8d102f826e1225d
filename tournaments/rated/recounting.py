"""Ratings are counted anew whenever something they are computed from changes.

Rounds that are finished, opened again, corrected or moved, and events changed or brought in, call for it themselves;
here is what rooms change that do not know of ratings.
"""

from __future__ import annotations

from clubs.followers import Changed, follow
from clubs.models import Club, MemberRating
from tournaments.models import Round
from tournaments.rated.counting import rate_event, rate_from


def watch() -> None:
    """Begin; once, when the application starts."""
    follow(Changed.BIRTH_YEARS, "ratings", _birth_years_changed)
    follow(Changed.EVENT, "ratings", _event_changed)


def _birth_years_changed(club: int) -> None:
    if MemberRating.objects.filter(member__club=club).exists():
        rate_from(Club.objects.get(pk=club), None)


def _event_changed(tournament: int) -> None:
    if Round.objects.filter(tournament=tournament, state=Round.State.FINISHED).exists():
        rate_event(tournament)
