"""Reminders of an evening: a day before it begins or before the deadline for answers."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from django.utils import timezone

from tournaments.import_export.snapshots import is_entered_in_round
from tournaments.models import Notification, Round
from tournaments.notifications.preferences import Recipient, recipients_wanting
from tournaments.notifications.triggers import is_player_in_upcoming_round, queue_notifications

REMIND_BEFORE = timedelta(hours=24)
"""The time before the evening, or before its bye deadline if it has one."""

MIN_NOTICE = timedelta(hours=2)
"""No reminder is sent for an evening that begins this soon: it would be too late to help."""

MAX_BYE_DEADLINE = timedelta(days=30)


def find_due_reminders() -> Iterator[tuple[Round, list[Recipient]]]:
    """Find evenings that are coming up, with the players who still need a reminder."""
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
        told_today = (_about(each), about_asking(each))
        told = set(Notification.objects.filter(about__in=told_today).values_list("channel", "entry"))
        left = [
            one
            for one in recipients_wanting(Notification.Kind.EVENING, entries)
            if (one.channel.pk, one.entry.pk) not in told and is_player_in_upcoming_round(one.entry, each)
        ]
        if left:
            yield each, left


def queue_evening_reminders() -> None:
    """Queue reminders of evenings that are coming up."""
    for each, left in find_due_reminders():
        queue_notifications(Notification.Kind.EVENING, _about(each), each, [(one, {}) for one in left])


def _about(round: Round) -> str:
    """Return the key of a round's reminder. A new day gives a new reminder, a new hour does not."""
    day = timezone.localdate(round.starts_at) if round.starts_at else ""
    return f"evening {round.pk} {day}"


def about_asking(round: Round) -> str:
    """Return the `about` key for reminders that the arbiter sends today (see `silent_players`)."""
    return f"asked {round.pk} {timezone.localdate()}"
