"""One lock per event, so that changes of its players, rounds or pairings never interleave."""

from __future__ import annotations

from django.utils.translation import gettext as _

from tournaments.models import Round, Tournament
from tournaments.problems import EventDeleted


def lock_tournament(tournament_id: int) -> Tournament:
    """Return the event, reloaded and locked until the caller's transaction ends.

    SQLite has no row locks and needs none: its transactions here begin with the write lock. Raises EventDeleted if the
    event is deleted.
    """
    held = Tournament.objects.select_for_update(no_key=True, of=("self",)).select_related("club")
    try:
        return held.get(pk=tournament_id)
    except Tournament.DoesNotExist:
        raise EventDeleted(_("This event has been deleted.")) from None


def lock_round(round: Round) -> Round:
    """Return a round, reloaded, with its event locked."""
    tournament = lock_tournament(round.tournament_id)
    fresh = Round.objects.get(pk=round.pk)
    fresh.tournament = tournament
    return fresh
