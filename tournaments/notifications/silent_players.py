"""Reminding the players who haven't said whether they are coming, when the arbiter asks."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction

from clubs.models import User
from common.jobs.queue import create_job
from common.models import Job
from tournaments.check_in.presence import load_round_check_in
from tournaments.models import Entry, Notification, Round
from tournaments.notifications.notification_job import NOTIFY_TASK
from tournaments.notifications.preferences import recipients_wanting
from tournaments.notifications.reminders import about_asking
from tournaments.notifications.triggers import queue_notifications


@dataclass(frozen=True, slots=True, kw_only=True)
class SilentReminder:
    """How many silent players are reminded today, the names of unreachable ones, and the job that sends messages."""

    reminded: int
    unreachable: tuple[str, ...]
    job: Job | None


@transaction.atomic
def remind_silent_players(round: Round, *, by: User) -> SilentReminder:
    """Queue a reminder for the players who haven't said whether they are coming, at most once a day."""
    silent = Entry.objects.filter(pk__in=load_round_check_in(round).silent).select_related("member").order_by("name")
    recipients = list(recipients_wanting(Notification.Kind.EVENING, silent))
    told = [(each, {"asked": True}) for each in recipients]
    queue_notifications(Notification.Kind.EVENING, about_asking(round), round, told)
    reached = {each.entry.pk for each in recipients}
    return SilentReminder(
        reminded=len(reached),
        unreachable=tuple(entry.name for entry in silent if entry.pk not in reached),
        job=create_job(NOTIFY_TASK, by=by, club=round.tournament.club) if recipients else None,
    )
