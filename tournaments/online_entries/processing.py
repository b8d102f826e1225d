"""The job for online entries: it sends the emails that are due and moves waiting lists up.

It runs after each change, and is checked every minute. Every command loads this file, because it registers the job. So
it imports other modules only when there is something to do.
"""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from common.emails.confirmation import KEEP_UNCONFIRMED_FOR
from common.emails.outbox import EmailOutbox, register_outbox, send_due_emails
from common.jobs.kinds import JobKind, JobStage, register_job_kind
from common.models import Job
from common.schedule import registry as chore_kinds
from tournaments.models import OnlineEntry
from tournaments.problems import EventDeleted

PROCESS_TASK = register_job_kind(
    "tournaments.tasks.process_online_entries",
    JobKind(title=_("Processing online entries"), stages={"messages": JobStage(words=_("Sending messages"))}),
)


def _rows() -> QuerySet[OnlineEntry]:
    rows = OnlineEntry.objects.filter(tournament__deleted_at=None)
    return rows.select_related("tournament__club", "entry__member", "payment")


register_outbox(
    EmailOutbox(model=OnlineEntry, rows=_rows, compose="tournaments.online_entries.emails.compose_online_entry_email")
)


def is_processing_needed() -> bool:
    """Return True if a waiting list can move up, or there are old unconfirmed entries. Only a few queries."""
    from tournaments.online_entries.places import find_events_to_move_up

    return _old_unconfirmed().exists() or bool(find_events_to_move_up())


chore_kinds.register_scheduled_task(
    chore_kinds.ScheduledTask(name="online entries", task=PROCESS_TASK, minutes=1, is_needed=is_processing_needed)
)


def request_processing() -> None:
    """Start this job unless it is already running. Anything the running job misses is done within a minute."""
    from common.jobs.queue import create_job, enqueue_job

    enqueue_job(create_job(PROCESS_TASK, by=None, key="online entries"))


def process_online_entries(job: Job) -> dict[str, Any]:
    """Move waiting lists up, delete old unconfirmed entries and send due emails. Safe to run twice."""
    from tournaments.online_entries.places import find_events_to_move_up, move_waiting_list_up

    for key in find_events_to_move_up():
        try:
            move_waiting_list_up(key)
        except EventDeleted:
            continue
    _old_unconfirmed().delete()
    send_due_emails(job)
    return {}


def _old_unconfirmed() -> Any:
    # An email that is still due is waiting for the mail server.
    old = timezone.now() - KEEP_UNCONFIRMED_FOR
    return OnlineEntry.objects.filter(state=OnlineEntry.State.UNCONFIRMED, sent_at__lt=old, email_due="")
