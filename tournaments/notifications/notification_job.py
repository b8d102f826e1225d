"""The job that notifies players: started after each relevant change, and checked every minute.

Every command loads this file, because it registers the job. So it imports the delivery modules only when there is
something to send.
"""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

from common.jobs.kinds import JobKind, JobStage, register_job_kind
from common.models import Job
from common.schedule import registry as chore_kinds
from common.signals import ChangeKind, subscribe_to_changes
from tournaments.models import Entry, LogEntry, NotificationChannel

NOTIFY_TASK = register_job_kind(
    "tournaments.tasks.notify_players",
    JobKind(title=_("Notifying players"), stages={"messages": JobStage(words=_("Sending messages"))}),
)


def has_notifications_to_send() -> bool:
    """Return True if a message is due, or an evening is coming up without a reminder. Usually two queries."""
    from tournaments.notifications.delivery import due_notifications
    from tournaments.notifications.reminders import find_due_reminders

    return due_notifications().exists() or next(find_due_reminders(), None) is not None


chore_kinds.register_scheduled_task(
    chore_kinds.ScheduledTask(name="telling", task=NOTIFY_TASK, minutes=1, is_needed=has_notifications_to_send)
)


def notify_players(job: Job) -> dict[str, Any]:
    """Queue notifications about a log line or reminders of evenings, and send what is due."""
    from tournaments.notifications.delivery import deliver_due_notifications
    from tournaments.notifications.reminders import queue_evening_reminders
    from tournaments.notifications.triggers import queue_notifications_for_log_entry

    line = LogEntry.objects.select_related("tournament__club", "round").filter(pk=job.arguments.get("line")).first()
    if line is not None:
        queue_notifications_for_log_entry(line)
    else:
        queue_evening_reminders()
    deliver_due_notifications(job)
    return {}


def subscribe_to_player_news() -> None:
    """Subscribe to changes that players are notified of."""
    subscribe_to_changes(ChangeKind.PLAYER_NEWS, "telling", _ask_to_tell)


def _ask_to_tell(line: int) -> None:
    """Create a job in the same transaction if anyone in the event has a channel."""
    from common.jobs.queue import create_job, enqueue_job

    entries = Entry.objects.filter(tournament__log=line)
    of_guests = NotificationChannel.objects.filter(entry__in=entries)
    of_members = NotificationChannel.objects.filter(member__entries__in=entries)
    if of_members.exists() or of_guests.exists():
        enqueue_job(create_job(NOTIFY_TASK, by=None, key=f"line {line}", arguments={"line": line}))
