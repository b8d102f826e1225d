"""Work that outlasts a request: through the queue where there is one, else in a thread of this process.

A job is a row (`clubs.models.Job`) and a Celery task that takes its key. With a broker the task is sent; without one
the same task is applied here. Whoever begins a job claims its row, so that none is done twice; one whose worker was
killed is claimed again when its heartbeat has stopped. Work must therefore be able to go on where it was, or to be done
again. The row is the truth and the queue only a bell: a message that is lost is sent again, one that comes twice finds
the job taken. See docs/running-jobs.md.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
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
from common.log_context import log_as_job
from common.models import Job

LOST_AFTER = timedelta(seconds=10)
"""Without a heartbeat for so long, nobody works on a job any more."""

RESEND_AFTER = timedelta(seconds=60)
"""A message nobody has taken for so long is sent once more: the queue may have lost it."""

MAX_ATTEMPTS = 5
"""Work that has killed its worker so often is given up."""

STOP_GRACE_SECONDS = 30
"""Work that does not notice by itself that its time is over is ended by the worker so much later."""

_UNFINISHED = (Job.State.WAITING, Job.State.RUNNING)
_SECONDS_BETWEEN_LOOKS = 5.0

_log = logging.getLogger(__name__)
_one_at_a_time: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)
"""Without a queue, one job of each task at a time: a rating list must not keep a round waiting."""

_pulses: dict[int, JobHeartbeat] = {}
_after_commit = transaction.on_commit


class JobFailed(Exception):
    """The work cannot be done, for a reason that its owner can do something about: shown as it is.

    `leads_to` is the address of a page on which he can; the reason then stands there.
    """

    def __init__(self, message: str, *, leads_to: str = "") -> None:
        super().__init__(message)
        self.leads_to = leads_to


class JobStopped(Exception):
    """The work must end before it is done: it was cancelled, took too long, or was given to somebody else."""

    def __init__(self, reason: StopReason) -> None:
        super().__init__(reason)
        self.reason = reason


# -- Asking for work -----------------------------------------------------------------------------------------------


def create_job(
    task: str,
    *,
    by: AbstractBaseUser | None,
    club: Model | None = None,
    key: str = "",
    arguments: Mapping[str, Any] | None = None,
    time_limit: int | None = None,
) -> Job:
    """A job for a task, by the task's dotted name; sent by `enqueue_job`, once what it needs is saved.

    With a `key`, an unfinished job of this task and key is returned as it is: two tabs, two people, one job.
    `arguments` must be plain JSON; `next` among them is the address its owner is led to. `time_limit` in seconds.
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
            # Somebody made it between the two; if it is over already, this one is needed all the same.
            if not key:
                raise


def enqueue_job(job: Job) -> None:
    """Have the job done as soon as the transaction is committed. Sent already, or over: no error.

    Where the queue does not answer the job waits, unsent, and is sent when it does.
    """
    _log.info("job %s (%s) is asked for", job.pk, job.task)
    _after_commit(lambda: _send(job.pk, job.task, None, job.time_limit))


def wait_for_job(job: Job, seconds: float) -> Job:
    """The job anew, when it is over or after so many seconds. Not inside a transaction: it would never begin."""
    deadline = time.monotonic() + seconds
    job.refresh_from_db()
    while not job.is_over and time.monotonic() < deadline:
        time.sleep(0.03)
        job.refresh_from_db()
    return job


def cancel_job(job: Job) -> None:
    """At once where nobody works on it; else whoever does stops at his next beat. Over already: no error."""
    now = timezone.now()
    Job.objects.filter(pk=job.pk, state=Job.State.RUNNING).update(cancel_asked=True)
    Job.objects.filter(_free(now), pk=job.pk).update(state=Job.State.CANCELLED, finished_at=now)


# -- Doing it ------------------------------------------------------------------------------------------------------


def run_job(job_id: int, work: Callable[[Job], Mapping[str, Any] | None]) -> bool:
    """Do a job: what a task calls; what the work returns is the job's result. False if it is done or taken.

    Errors end in the row; they are not raised again. They are written in the language of who asked.
    """
    job = _claim(job_id)
    if job is None:
        return False
    with log_as_job(job.pk), translation.override(job.language or None), JobHeartbeat(job) as pulse:
        _pulses[job.pk] = pulse
        try:
            state, ending = _attempt(job, work)
        except _CutOff:
            # As if this process had died with the database: whoever finds the job silent takes it up again.
            _log.warning("job %s (%s) lost its database", job.pk, job.task)
            return False
        finally:
            del _pulses[job.pk]
        _log.info("job %s (%s) ended: %s", job.pk, job.task, state)
    mine = Job.objects.filter(pk=job.pk, attempt=job.attempt, state=Job.State.RUNNING)
    return bool(mine.update(state=state, finished_at=timezone.now(), **pulse.progress, **ending))


def report_progress(job: Job, *, done: int | None = None, total: int | None = None, stage: str = "") -> None:
    """Say how far the work is; costs next to nothing. Raises JobStopped when the work must end.

    What is not given stays as it was. `stage` is one of those of its kind (`common.jobs.kinds`).
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
    """How the work ended: the job's new state, and what goes into its row with it."""
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
    """The database went away during the work; it may be there again, and the work must begin anew."""


def _is_cut_off(error: Exception) -> bool:
    """By PostgreSQL's states: not reached, shut down, starting up; none where the connection broke. SQLite has none."""
    state = getattr(error.__cause__, "sqlstate", "")
    return state is None or state.startswith(("08", "57P"))


def _too_long(job: Job) -> str:
    return _("It was stopped: it had taken longer than %(seconds)s seconds.") % {"seconds": job.time_limit}


def _claim(job_id: int) -> Job | None:
    """The job, now this process's; None when it is over or somebody is at it."""
    now = timezone.now()
    free = Job.objects.filter(_free(now), pk=job_id)
    given_up = _("It was given up: whatever worked on it has died %(n)s times.") % {"n": MAX_ATTEMPTS}
    if free.filter(attempt__gte=MAX_ATTEMPTS).update(state=Job.State.FAILED, error=given_up, finished_at=now):
        return None
    claimed = free.update(state=Job.State.RUNNING, started_at=now, heartbeat_at=now, error="", attempt=F("attempt") + 1)
    return Job.objects.get(pk=job_id) if claimed else None


def _free(now: datetime) -> Q:
    """Jobs that nobody works on."""
    return Q(state=Job.State.WAITING) | Q(state=Job.State.RUNNING) & _not_within("heartbeat_at", LOST_AFTER, now)


def _not_within(field: str, span: timedelta, now: datetime) -> Q:
    """Longer ago, or as far ahead: a clock that has been put back must not keep a job from being taken up."""
    return Q(**{f"{field}__lt": now - span}) | Q(**{f"{field}__gt": now + span})


# -- Nothing is lost -----------------------------------------------------------------------------------------------


def requeue_lost() -> int:
    """Send the jobs anew that have lost their worker or never reached the queue; how many.

    Safe to call at any time, from several processes: each loss is answered with one message.
    """
    now = timezone.now()
    patience = RESEND_AFTER if settings.CELERY_BROKER_URL else LOST_AFTER
    unsent = Q(sent_at__isnull=True) & _not_within("created_at", timedelta(seconds=2), now)
    unheard = _not_within("sent_at", patience, now) | unsent
    since_loss = Q(state=Job.State.RUNNING, sent_at__lte=F("heartbeat_at"))
    lost = Job.objects.filter(_free(now)).filter(unheard | since_loss)
    return sum(_send(*each) for each in lost.values_list("pk", "task", "sent_at", "time_limit"))


def start_lost_job_watcher() -> None:
    """In a server or worker just started, and as long as it lives: take up what others have left."""
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
    """Ring the bell for a job, unless somebody has done so since `sent_at`; False then, and when nobody hears it."""
    unfinished = Job.objects.filter(pk=job_id, state__in=_UNFINISHED)
    if not unfinished.filter(sent_at=sent_at).update(sent_at=timezone.now()):
        return False
    try:
        _dispatch(job_id, task, time_limit)
    except (OperationalError, RedisError, OSError):
        _log.warning("job %s waits: the queue does not answer", job_id)
        unfinished.update(sent_at=None)
        return False
    except ImportError:
        # A job left from another version of this program must not stand in the way of all others.
        _log.exception("job %s has no task", job_id)
        unfinished.update(state=Job.State.FAILED, error=f"no task {task}", finished_at=timezone.now())
        return False
    return True


def _dispatch(job_id: int, task: str, time_limit: int | None) -> None:
    found = import_string(task)
    if settings.CELERY_BROKER_URL:
        limits = {} if time_limit is None else {"soft_time_limit": time_limit + STOP_GRACE_SECONDS}
        # Not tried again here: the one who asked waits for his page.
        found.apply_async(args=[job_id], queue=job_kind_of(task).queue, retry=False, ignore_result=True, **limits)
    else:
        # A daemon, not an executor's thread: the server must be able to stop in the middle of a job.
        threading.Thread(target=_run_here, args=(found, job_id, task), daemon=True, name=f"job-{job_id}").start()


def wait_for_job_threads(seconds: float | None = None) -> None:
    """Until the jobs that threads of this process do have ended: a command takes its threads with it when it ends."""
    for thread in threading.enumerate():
        if thread.name.startswith("job-"):
            thread.join(seconds)


def _run_here(found: Any, job_id: int, task: str) -> None:
    with _one_at_a_time[task]:
        try:
            found.apply(args=[job_id])
        finally:
            connections.close_all()
