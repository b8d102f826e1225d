"""Reminders of an evening: a day before it begins or before the deadline for answers, and when the arbiter asks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from clubs.models import User
from common.jobs.queue import create_job
from common.models import Job
from tournaments.check_in.presence import load_round_check_in
from tournaments.import_export.snapshots import is_entered_in_round
from tournaments.models import Entry, Notification, Round
from tournaments.notifications.notification_job import NOTIFY_TASK
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
        told_today = (_about(each), _about_asking(each))
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


@dataclass(frozen=True, slots=True, kw_only=True)
class SilentReminder:
    """How many silent players are reminded today, the names of the others, and the job that sends the messages."""

    reminded: int
    unreachable: tuple[str, ...]
    job: Job | None


@transaction.atomic
def remind_silent_players(round: Round, *, by: User) -> SilentReminder:
    """Queue a reminder for the players who haven't said whether they are coming, at most once a day."""
    silent = Entry.objects.filter(pk__in=load_round_check_in(round).silent).select_related("member").order_by("name")
    recipients = list(recipients_wanting(Notification.Kind.EVENING, silent))
    told = [(each, {"asked": True}) for each in recipients]
    queue_notifications(Notification.Kind.EVENING, _about_asking(round), round, told)
    reached = {each.entry.pk for each in recipients}
    return SilentReminder(
        reminded=len(reached),
        unreachable=tuple(entry.name for entry in silent if entry.pk not in reached),
        job=create_job(NOTIFY_TASK, by=by, club=round.tournament.club) if recipients else None,
    )


def _about(round: Round) -> str:
    """Return the key of a round's reminder. A new day gives a new reminder, a new hour does not."""
    day = timezone.localdate(round.starts_at) if round.starts_at else ""
    return f"evening {round.pk} {day}"


def _about_asking(round: Round) -> str:
    """Return the key of the arbiter's reminder of today."""
    return f"asked {round.pk} {timezone.localdate()}"
