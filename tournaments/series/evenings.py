"""When an event's rounds are played."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from clubs.models import User
from tournaments.audit_log.actions import EventAction
from tournaments.audit_log.lines import record
from tournaments.club_ratings.keeping import rate_from
from tournaments.locking import hold
from tournaments.models import Round, Tournament


def rounds_to_come(tournament: Tournament) -> list[Round]:
    """The rounds that are not finished, in order."""
    return list(tournament.rounds.exclude(state=Round.State.FINISHED))


@transaction.atomic
def set_evenings(tournament: Tournament, first: datetime, days: int, *, by: User | None) -> int:
    """Give the rounds that are not finished their evenings, so many days apart and always at the same hour.

    The hour is that of the clock on the wall, in summer as in winter. Returns how many rounds got one.
    """
    current = hold(tournament.pk)
    begins = timezone.localtime(first).replace(tzinfo=None)
    rounds = rounds_to_come(current)
    for count, this_round in enumerate(rounds):
        this_round.starts_at = timezone.make_aware(begins + timedelta(days=days * count))
        this_round.save(update_fields=["starts_at"])
    if len(rounds) < current.rounds_announced:
        # Its finished rounds count in the month in which the event ends.
        rate_from(current.club, None)
    record(current, EventAction.EVENINGS_SET, by=by, first=first.isoformat(), days=days, rounds=len(rounds))
    return len(rounds)
