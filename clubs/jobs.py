"""Work that outlasts a request: through the queue where there is one, else in a thread of this process.

A job is a row (`clubs.models.Job`) and a Celery task that takes its key. With a broker the task is sent; without one
the same task is applied here, one job at a time. Whoever begins a job claims its row, so that none is done twice; one
whose worker was killed is claimed again when its heartbeat has stopped. Work must therefore be able to go on where it
was, or to be done again.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from datetime import datetime, timedelta

from django.conf import settings
from django.db import DatabaseError, connections, transaction
from django.db.models import F, Q
from django.utils import timezone
from django.utils.module_loading import import_string

from clubs.models import Club, Job, User

LOST_AFTER = timedelta(seconds=30)
"""Without a heartbeat for so long, nobody works on a job any more."""

_log = logging.getLogger(__name__)
_one_at_a_time = threading.Lock()


class JobFailed(Exception):
    """The work cannot be done, for a reason that its owner can do something about: shown as it is."""


def new_job(task: str, *, by: User | None, club: Club | None = None) -> Job:
    """A job for a task, by the task's dotted name; sent by `send`, once what it needs is saved."""
    return Job.objects.create(task=task, by=by, club=club)


def send(job: Job) -> None:
    """Have the job done as soon as the transaction is committed."""
    transaction.on_commit(lambda: _dispatch(job.pk, job.task))


def run(job_id: int, work: Callable[[Job], None]) -> bool:
    """Do a job: what a task calls. False if it is done, or somebody else is at it.

    Errors end in the row; they are not raised again.
    """
    if not _claim(job_id):
        return False
    job = Job.objects.get(pk=job_id)
    try:
        work(job)
    except JobFailed as failure:
        _end(job_id, Job.State.FAILED, str(failure))
    except Exception as error:
        _log.exception("job %s failed", job_id)
        _end(job_id, Job.State.FAILED, f"{type(error).__name__}: {error}")
    else:
        _end(job_id, Job.State.DONE)
    return True


def beat(job: Job, *, done: int | F, total: int | F) -> None:
    """Say how far the work is, and that somebody is at it."""
    Job.objects.filter(pk=job.pk).update(done=done, total=total, heartbeat_at=timezone.now())


def take_up_again() -> int:
    """Send the jobs anew that have lost their worker; how many. Safe to call at any time, from several processes."""
    lost = Job.objects.filter(_free(timezone.now()), created_at__lt=timezone.now() - LOST_AFTER)
    found = list(lost.values_list("pk", "task"))
    for pk, task in found:
        _dispatch(pk, task)
    return len(found)


def take_up_after_start() -> None:
    """In a server just started: take up what the one before it left, at once and when its heartbeat is over."""
    threading.Thread(target=_look_for_lost_jobs, daemon=True, name="lost-jobs").start()


def _look_for_lost_jobs() -> None:
    pause = threading.Event()
    try:
        take_up_again()
        pause.wait(LOST_AFTER.total_seconds() + 1)
        take_up_again()
    except DatabaseError:
        _log.warning("no jobs taken up: the database is not ready")
    finally:
        connections.close_all()


def _dispatch(job_id: int, task: str) -> None:
    found = import_string(task)
    if settings.CELERY_BROKER_URL:
        found.delay(job_id)
    else:
        # A daemon, not an executor's thread: the server must be able to stop in the middle of a job.
        threading.Thread(target=_run_here, args=(found, job_id), daemon=True, name=f"job-{job_id}").start()


def _run_here(task: object, job_id: int) -> None:
    with _one_at_a_time:
        try:
            task.apply(args=[job_id])  # type: ignore[attr-defined]
        finally:
            connections.close_all()


def _free(now: datetime) -> Q:
    """Jobs that nobody works on."""
    return Q(state=Job.State.WAITING) | Q(state=Job.State.RUNNING, heartbeat_at__lt=now - LOST_AFTER)


def _claim(job_id: int) -> bool:
    now = timezone.now()
    claimed = Job.objects.filter(_free(now), pk=job_id)
    return bool(claimed.update(state=Job.State.RUNNING, started_at=now, heartbeat_at=now, error=""))


def _end(job_id: int, state: Job.State, error: str = "") -> None:
    Job.objects.filter(pk=job_id).update(state=state, error=error, finished_at=timezone.now())
