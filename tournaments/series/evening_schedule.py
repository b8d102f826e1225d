"""When an event's rounds are played."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from clubs.models import User
from tournaments.audit_log.actions import EventAction
from tournaments.audit_log.recorder import record_action
from tournaments.club_ratings.recalculation import schedule_rating_from_month
from tournaments.locking import lock_tournament
from tournaments.models import Round, Tournament


def unfinished_rounds(tournament: Tournament) -> list[Round]:
    """The rounds that are not finished, in order."""
    return list(tournament.rounds.exclude(state=Round.State.FINISHED))


@transaction.atomic
def schedule_evenings(tournament: Tournament, first: datetime, days: int, *, by: User | None) -> int:
    """Give the rounds that are not finished their evenings, so many days apart and always at the same hour.

    The hour is that of the clock on the wall, in summer as in winter. Returns how many rounds got one.
    """
    current = lock_tournament(tournament.pk)
    begins = timezone.localtime(first).replace(tzinfo=None)
    rounds = unfinished_rounds(current)
    for count, this_round in enumerate(rounds):
        this_round.starts_at = timezone.make_aware(begins + timedelta(days=days * count))
        this_round.save(update_fields=["starts_at"])
    if len(rounds) < current.rounds_announced:
        # Its finished rounds count in the month in which the event ends.
        schedule_rating_from_month(current.club, None)
    record_action(current, EventAction.EVENINGS_SET, by=by, first=first.isoformat(), days=days, rounds=len(rounds))
    return len(rounds)
