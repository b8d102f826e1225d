"""Starts due tasks. One row per task has its latest due time, and the process that updates it starts the task.

If the server was off at due times, a task starts once when the server is on again. Without a queue, a thread of the
server looks for due tasks.
"""

from __future__ import annotations

import logging
import threading
from datetime import datetime, timedelta

from django.conf import settings
from django.db import DatabaseError, IntegrityError, connections, transaction
from django.db.models import Q
from django.utils import timezone

from common.jobs.queue import create_job, enqueue_job
from common.models import Job, ScheduledTaskRun
from common.schedule.registry import ScheduledTask, scheduled_tasks

CHECK_INTERVAL_SECONDS = 60.0
OVERDUE_AFTER = timedelta(days=1)
"""A task this late means that no process starts scheduled tasks on this server."""

_log = logging.getLogger(__name__)


def start_due_tasks(now: datetime | None = None) -> list[Job]:
    """Start every scheduled task that is due, and return the jobs. Safe to call from several processes."""
    return [job for chore in scheduled_tasks() if (job := _begin(chore, _here(now))) is not None]


def start_task(chore: ScheduledTask) -> Job:
    """Start a task now, after the transaction. If it is under way, its job is returned."""
    job = create_job(chore.task, by=None, key=f"chore {chore.name}", time_limit=chore.time_limit)
    enqueue_job(job)
    return job


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
    return start_task(chore) if chore.is_needed() else None


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


def start_schedule_watcher() -> None:
    """Start a thread that starts due tasks while this server runs. With a queue, Celery beat does this instead."""
    if not settings.CELERY_BROKER_URL:
        threading.Thread(target=_look_now_and_then, daemon=True, name="chores").start()


def _look_now_and_then() -> None:
    pause = threading.Event()
    # Not at once: the first pages should load quickly.
    while not pause.wait(CHECK_INTERVAL_SECONDS):
        try:
            start_due_tasks()
        except DatabaseError:
            _log.warning("no chores begun: the database is not ready", exc_info=True)
        finally:
            connections.close_all()
