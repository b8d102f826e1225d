"""Starts due tasks. One row per task has its latest due time, and the process that updates it starts the task.

If the server was off at due times, a task starts once when the server is on again.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from common.jobs.queue import create_job, enqueue_job
from common.models import Job, ScheduledTaskRun
from common.schedule.registry import ScheduledTask, scheduled_tasks

OVERDUE_AFTER = timedelta(days=1)
"""A task this late means that no process starts scheduled tasks on this server."""


def start_due_tasks(now: datetime | None = None) -> list[Job]:
    """Start every scheduled task that is due, and return the jobs. Safe from several processes at once."""
    return [job for chore in scheduled_tasks() if (job := _begin(chore, _here(now))) is not None]


def overdue_tasks(now: datetime | None = None) -> list[tuple[ScheduledTask, datetime]]:
    """Return the tasks that are long overdue, with their due times."""
    begun = dict(ScheduledTaskRun.objects.values_list("name", "due_at"))
    here = _here(now)
    found = []
    for chore in scheduled_tasks():
        due = chore.latest_due_time(here - OVERDUE_AFTER)
        if chore.name in begun and begun[chore.name] < due:
            found.append((chore, due))
    return found


@transaction.atomic
def _begin(chore: ScheduledTask, now: datetime) -> Job | None:
    """Start a task if it is due. Row and job are saved together: without a job the task is not marked as started."""
    due = chore.latest_due_time(now)
    earlier = ScheduledTaskRun.objects.filter(name=chore.name)
    # A future due time means that the clock was ahead. Without this check nothing would start until then.
    if not earlier.filter(Q(due_at__lt=due) | Q(due_at__gt=now)).update(due_at=due) and not _is_first(chore, due):
        return None
    if not chore.is_needed():
        return None
    job = create_job(chore.task, by=None, key=f"chore {chore.name}")
    enqueue_job(job)
    return job


def _is_first(chore: ScheduledTask, due: datetime) -> bool:
    if ScheduledTaskRun.objects.filter(name=chore.name).exists():
        return False
    try:
        with transaction.atomic():
            ScheduledTaskRun.objects.create(name=chore.name, due_at=due)
    except IntegrityError:
        return False
    return True


def _here(now: datetime | None) -> datetime:
    return timezone.localtime(now, timezone.get_default_timezone())
