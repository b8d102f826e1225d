"""Background jobs: through the queue if there is one, otherwise in a thread of this process.

A job is a row (`common.models.Job`) and a Celery task that takes its key. With a broker the task is sent, without one
it is applied here. A process claims the row before it starts, so no job runs twice at once. If a worker is killed, its
job is claimed again once the heartbeat stops. Work must therefore be resumable or repeatable. The row is authoritative
and the queue only a signal: lost messages are sent again, and duplicates find the job taken.
See docs/operator/background-jobs.md.
"""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.db import DatabaseError, IntegrityError, InterfaceError, connections, transaction
from django.db import OperationalError as DatabaseOperationalError
from django.db.models import F, Model, Q
from django.utils import timezone, translation
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from common.jobs.heartbeat import JobHeartbeat, StopReason
from common.jobs.kinds import job_kind_of
from common.log_context import job_log_context
from common.models import Job

LOST_AFTER = timedelta(seconds=10)
"""A job without a heartbeat for this long has lost its worker."""

RESEND_AFTER = timedelta(seconds=60)
"""A message not received for this long is sent again: the queue may have lost it."""

MAX_ATTEMPTS = 5
"""A job that has killed its worker this often is given up."""

STOP_GRACE_SECONDS = 30
"""The worker ends work that ignores its time limit after this additional time."""

_UNFINISHED = (Job.State.WAITING, Job.State.RUNNING)
_SECONDS_BETWEEN_LOOKS = 5.0

_log = logging.getLogger(__name__)
_one_at_a_time: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)
"""Without a queue, one job of each task runs at a time: a rating list must not delay a round."""

_pulses: dict[int, JobHeartbeat] = {}
_after_commit = transaction.on_commit


class JobFailed(Exception):
    """Raised if the work cannot be done, for a reason the job's owner can fix. They see the message.

    `leads_to` is the URL of a page where they can fix it. That page shows the reason.
    """

    def __init__(self, message: str, *, leads_to: str = "") -> None:
        super().__init__(message)
        self.leads_to = leads_to


class JobStopped(Exception):
    """Raised if the work must stop early: it was cancelled, took too long, or was claimed by another process."""

    def __init__(self, reason: StopReason) -> None:
        super().__init__(reason)
        self.reason = reason


# -- Creating jobs -------------------------------------------------------------------------------------------------


def create_job(
    task: str,
    *,
    by: AbstractBaseUser | None,
    club: Model | None = None,
    key: str = "",
    arguments: Mapping[str, Any] | None = None,
    time_limit: int | None = None,
) -> Job:
    """Create a job for a task, by its dotted name. Call `enqueue_job` once its data is saved.

    With a `key`, an unfinished job of this task and key is returned instead: two tabs or users share one job.
    `arguments` must be plain JSON. `next` among them is the URL its owner is sent to. `time_limit` is in seconds.
    """
    same = Job.objects.filter(task=task, key=key, state__in=_UNFINISHED)
    while True:
        if key and (unfinished := same.first()):
            return unfinished
        try:
            with transaction.atomic():
                return Job.objects.create(
                    task=task,
                    key=key,
                    arguments=dict(arguments or {}),
                    by_id=by.pk if by else None,
                    club_id=club.pk if club else None,
                    time_limit=time_limit,
                    language=translation.get_language() or "",
                )
        except IntegrityError:
            # Another process created it in the meantime. If it is already over, this one is still needed.
            if not key:
                raise


def enqueue_job(job: Job) -> None:
    """Send the job once the transaction is committed. Ignore a job that was already sent or is over.

    If the queue does not answer, the job stays unsent and is sent later.
    """
    _log.info("job %s (%s) is asked for", job.pk, job.task)
    _after_commit(lambda: _send(job.pk, job.task, None, job.time_limit))


def wait_for_job(job: Job, seconds: float) -> Job:
    """Wait until the job is over, for a limited number of seconds, and return it.

    Inside a transaction the job would never start.
    """
    deadline = time.monotonic() + seconds
    job.refresh_from_db()
    while not job.is_over and time.monotonic() < deadline:
        time.sleep(0.03)
        job.refresh_from_db()
    return job


def cancel_job(job: Job) -> None:
    """Cancel a job. A waiting job ends at once, a running one at its next progress report.

    A job that is already over is not an error.
    """
    now = timezone.now()
    Job.objects.filter(pk=job.pk, state=Job.State.RUNNING).update(cancel_asked=True)
    Job.objects.filter(_free(now), pk=job.pk).update(state=Job.State.CANCELLED, finished_at=now)


# -- Running jobs --------------------------------------------------------------------------------------------------


def run_job(job_id: int, work: Callable[[Job], Mapping[str, Any] | None]) -> bool:
    """Run a job from its task, and save the result of `work`. Return False if it has ended or is already running.

    Errors are saved in the row, not raised. They are in the language of the user who created the job.
    """
    job = _claim(job_id)
    if job is None:
        return False
    with job_log_context(job.pk), translation.override(job.language or None), JobHeartbeat(job) as pulse:
        _pulses[job.pk] = pulse
        try:
            state, ending = _attempt(job, work)
        except _CutOff:
            # Behave as if this process had died. The silent job is claimed again later.
            _log.warning("job %s (%s) lost its database", job.pk, job.task)
            return False
        finally:
            del _pulses[job.pk]
        _log.info("job %s (%s) ended: %s", job.pk, job.task, state)
    mine = Job.objects.filter(pk=job.pk, attempt=job.attempt, state=Job.State.RUNNING)
    return bool(mine.update(state=state, finished_at=timezone.now(), **pulse.progress, **ending))


def report_progress(job: Job, *, done: int | None = None, total: int | None = None, stage: str = "") -> None:
    """Report the progress of a job, at almost no cost. Raises JobStopped if the work must stop.

    Omitted values stay unchanged. `stage` is one of its kind's (`common.jobs.kinds`).
    """
    pulse = _pulses[job.pk]
    before = pulse.progress
    pulse.progress = {
        "done": before["done"] if done is None else done,
        "total": before["total"] if total is None else total,
        "stage": stage or before["stage"],
    }
    if pulse.stop is not None:
        raise JobStopped(pulse.stop)


def _attempt(job: Job, work: Callable[[Job], Mapping[str, Any] | None]) -> tuple[Job.State, dict[str, Any]]:
    """Run the work, and return the job's new state and fields."""
    try:
        return Job.State.DONE, {"result": dict(work(job) or {})}
    except JobFailed as failure:
        return Job.State.FAILED, {
            "error": str(failure),
            "result": {"next": failure.leads_to} if failure.leads_to else {},
        }
    except JobStopped as stopped:
        if stopped.reason is StopReason.TOO_LONG:
            return Job.State.FAILED, {"error": _too_long(job)}
        return Job.State.CANCELLED, {}
    except SoftTimeLimitExceeded:
        return Job.State.FAILED, {"error": _too_long(job)}
    except Exception as error:
        if isinstance(error, DatabaseOperationalError | InterfaceError) and _is_cut_off(error):
            raise _CutOff from error
        _log.exception("job %s failed", job.pk)
        return Job.State.FAILED, {"error": f"{type(error).__name__}: {error}"}


class _CutOff(Exception):
    """The database connection was lost during the work. The job must start again."""


def _is_cut_off(error: Exception) -> bool:
    """Return True for PostgreSQL's states of lost, closing or starting connections. SQLite has no such states."""
    state = getattr(error.__cause__, "sqlstate", "")
    return state is None or state.startswith(("08", "57P"))


def _too_long(job: Job) -> str:
    return _("Stopped because it took longer than %(seconds)s seconds.") % {"seconds": job.time_limit}


def _claim(job_id: int) -> Job | None:
    """Claim the job for this process. None if it is over or taken."""
    now = timezone.now()
    free = Job.objects.filter(_free(now), pk=job_id)
    given_up = _("Stopped because its worker crashed %(n)s times.") % {"n": MAX_ATTEMPTS}
    if free.filter(attempt__gte=MAX_ATTEMPTS).update(state=Job.State.FAILED, error=given_up, finished_at=now):
        return None
    claimed = free.update(state=Job.State.RUNNING, started_at=now, heartbeat_at=now, error="", attempt=F("attempt") + 1)
    return Job.objects.get(pk=job_id) if claimed else None


def _free(now: datetime) -> Q:
    """Return a filter for jobs that nobody runs."""
    return Q(state=Job.State.WAITING) | Q(state=Job.State.RUNNING) & _not_within("heartbeat_at", LOST_AFTER, now)


def _not_within(field: str, span: timedelta, now: datetime) -> Q:
    """Return a filter for times outside the span, past or future: a clock set back must not block a job."""
    return Q(**{f"{field}__lt": now - span}) | Q(**{f"{field}__gt": now + span})


# -- Recovering lost jobs ------------------------------------------------------------------------------------------


def requeue_lost() -> int:
    """Resend jobs that lost their worker or never reached the queue. Return how many were resent.

    Safe at any time and from several processes: each loss is answered with one message.
    """
    now = timezone.now()
    patience = RESEND_AFTER if settings.CELERY_BROKER_URL else LOST_AFTER
    unsent = Q(sent_at__isnull=True) & _not_within("created_at", timedelta(seconds=2), now)
    unheard = _not_within("sent_at", patience, now) | unsent
    since_loss = Q(state=Job.State.RUNNING, sent_at__lte=F("heartbeat_at"))
    lost = Job.objects.filter(_free(now)).filter(unheard | since_loss)
    return sum(_send(*each) for each in lost.values_list("pk", "task", "sent_at", "time_limit"))


def start_lost_job_watcher() -> None:
    """Start a thread that requeues lost jobs while this server or worker runs."""
    threading.Thread(target=_look_now_and_then, daemon=True, name="lost-jobs").start()


def _look_now_and_then() -> None:
    pause = threading.Event()
    while True:
        try:
            requeue_lost()
        except DatabaseError:
            _log.warning("no jobs taken up: the database is not ready")
        finally:
            connections.close_all()
        pause.wait(_SECONDS_BETWEEN_LOOKS)


def _send(job_id: int, task: str, sent_at: datetime | None, time_limit: int | None) -> bool:
    """Send a job, unless it was sent again since `sent_at`. Return True if the queue accepted it."""
    unfinished = Job.objects.filter(pk=job_id, state__in=_UNFINISHED)
    if not unfinished.filter(sent_at=sent_at).update(sent_at=timezone.now()):
        return False
    try:
        _dispatch(job_id, task, time_limit)
    except (OperationalError, RedisError, OSError, RuntimeError):  # the last one if no thread can be started
        _log.warning("job %s waits: the queue does not answer", job_id)
        unfinished.update(sent_at=None)
        return False
    except ImportError:
        # A job of another program version must not block all others.
        _log.exception("job %s has no task", job_id)
        unfinished.update(state=Job.State.FAILED, error=f"no task {task}", finished_at=timezone.now())
        return False
    return True


def _dispatch(job_id: int, task: str, time_limit: int | None) -> None:
    found = import_string(task)
    if settings.CELERY_BROKER_URL:
        limits = {} if time_limit is None else {"soft_time_limit": time_limit + STOP_GRACE_SECONDS}
        # Not retried here: the user waits for the page.
        found.apply_async(args=[job_id], queue=job_kind_of(task).queue, retry=False, ignore_result=True, **limits)
    elif (name := f"job-{job_id}") not in {thread.name for thread in threading.enumerate()}:
        # A daemon thread, so that the server can stop in the middle of a job.
        threading.Thread(target=_run_here, args=(found, job_id, task), daemon=True, name=name).start()


def wait_for_job_threads(seconds: float | None = None) -> None:
    """Wait for the job threads of this process. If a command ended sooner, they would be stopped."""
    for thread in threading.enumerate():
        if thread.name.startswith("job-"):
            thread.join(seconds)


def _run_here(found: Any, job_id: int, task: str) -> None:
    with _one_at_a_time[task]:
        try:
            if job_kind_of(task).own_process:
                _run_in_own_process(job_id, task)
            else:
                found.apply(args=[job_id])
        finally:
            connections.close_all()


def _run_in_own_process(job_id: int, task: str) -> None:
    """Run the job in a process of its own. If that process dies, the job is claimed again like any lost job."""
    command = [sys.executable, "-m", "common.jobs.job_process", task, str(job_id)]
    done = subprocess.run(command, cwd=Path(__file__).resolve().parents[2], check=False)  # noqa: S603 - registered tasks
    if done.returncode:
        _log.error("the process of job %s (%s) ended with status %s", job_id, task, done.returncode)
