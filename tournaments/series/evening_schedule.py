"""Scheduling an event's rounds."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from clubs.models import User
from tournaments.access import lock_tournament
from tournaments.audit_log.actions import EventAction
from tournaments.audit_log.recorder import record_action
from tournaments.club_ratings.recalculation import schedule_rating_from_month
from tournaments.models import Round, Tournament


def unfinished_rounds(tournament: Tournament) -> list[Round]:
    """Return the unfinished rounds, in order."""
    return list(tournament.rounds.exclude(state=Round.State.FINISHED))


@transaction.atomic
def schedule_evenings(tournament: Tournament, first: datetime, days: int, *, games: int = 1, by: User | None) -> int:
    """Schedule the unfinished rounds, `games` on each evening. Returns the number of rounds.

    The evenings are `days` days apart, at the same time of day: local time, in summer and in winter.
    """
    current = lock_tournament(tournament.pk)
    begins = timezone.localtime(first).replace(tzinfo=None)
    rounds = unfinished_rounds(current)
    for count, this_round in enumerate(rounds):
        this_round.starts_at = timezone.make_aware(begins + timedelta(days=days * (count // games)))
        this_round.save(update_fields=["starts_at"])
    if len(rounds) < current.rounds_announced:
        # The event's finished rounds count in the month in which it ends.
        schedule_rating_from_month(current.club, None)
    record_action(current, EventAction.EVENINGS_SET, by=by, first=first.isoformat(), days=days, rounds=len(rounds))
    return len(rounds)
