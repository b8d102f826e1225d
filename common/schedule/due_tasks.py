"""Begins what is due: one row a chore says for which time it was begun last, and whoever moves it on begins it.

A server that was off when something was due begins it when it is on again, once, however often it was missed.
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
"""Not begun for so long after it was due, nobody begins chores on this server."""


def start_due_tasks(now: datetime | None = None) -> list[Job]:
    """Ask for every chore that is due and not begun; the jobs asked for. Safe from several processes at once."""
    return [job for chore in scheduled_tasks() if (job := _begin(chore, _here(now))) is not None]


def overdue_tasks(now: datetime | None = None) -> list[tuple[ScheduledTask, datetime]]:
    """The chores that nobody has begun for long, and when each was due."""
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
    """The row and the job are one: a chore whose job could not be written is not taken for begun."""
    due = chore.latest_due_time(now)
    earlier = ScheduledTaskRun.objects.filter(name=chore.name)
    # Begun for a time that has not come: the clock was ahead then, and nothing would be begun until it comes.
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
