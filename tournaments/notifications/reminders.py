"""The reminder before an evening: a day before it begins, or before byes can no longer be asked for."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from django.utils import timezone

from tournaments.import_export.snapshots import is_entered_in_round
from tournaments.models import Notification, Round
from tournaments.notifications.preferences import Recipient, recipients_wanting
from tournaments.notifications.triggers import is_round_ahead_of_player, queue_notifications

REMIND_BEFORE = timedelta(hours=24)
"""So long before the evening, or before the last moment for byes where the event has one."""

MIN_NOTICE = timedelta(hours=2)
"""Nobody is reminded of an evening that begins so soon: he is on his way, or has other plans."""

MAX_BYE_DEADLINE = timedelta(days=30)


def find_due_reminders() -> Iterator[tuple[Round, list[Recipient]]]:
    """The evenings that are near, and who is to be reminded of each and was not yet."""
    now = timezone.now()
    near = Round.objects.filter(
        state=Round.State.WAITING,
        starts_at__gt=now + MIN_NOTICE,
        starts_at__lt=now + REMIND_BEFORE + MAX_BYE_DEADLINE,
        tournament__deleted_at=None,
    ).select_related("tournament__club")
    for each in near:
        hours = timedelta(hours=each.tournament.bye_deadline_hours)
        if each.starts_at is None or each.starts_at - hours - REMIND_BEFORE > now:
            continue
        entries = [
            one for one in each.tournament.entries.select_related("member") if is_entered_in_round(one, each.number)
        ]
        told = set(Notification.objects.filter(about=_about(each)).values_list("channel", "entry"))
        left = [
            one
            for one in recipients_wanting(Notification.Kind.EVENING, entries)
            if (one.channel.pk, one.entry.pk) not in told and is_round_ahead_of_player(one.entry, each)
        ]
        if left:
            yield each, left


def queue_evening_reminders() -> None:
    """Write down whom to remind of evenings that are near."""
    for each, left in find_due_reminders():
        queue_notifications(Notification.Kind.EVENING, _about(each), each, [(one, {}) for one in left])


def _about(round: Round) -> str:
    """Another day is another reminder; an hour later is not."""
    day = timezone.localdate(round.starts_at) if round.starts_at else ""
    return f"evening {round.pk} {day}"
