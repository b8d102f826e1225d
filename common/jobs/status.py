"""The status of a job, in words its owner can act on."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from pathlib import Path

from django.conf import settings
from django.utils import timezone

from common.jobs.kinds import JobStage, job_kind_of
from common.jobs.queue import LOST_AFTER
from common.models import Job

PICKUP_TIME = timedelta(seconds=10)
"""A worker takes a job at once. If none has taken it for this long, there is no worker."""

SYSTEMD_TARGET = Path("/usr/local/lib/systemd/system/clubnight.target")
"""The services of a server set up by docs/operator/server.md. A worker started manually would lack their settings."""


class JobStatus(StrEnum):
    """The status of an unfinished job."""

    SENT = "sent"
    NOT_SENT = "not sent"
    """The queue does not answer."""
    BEHIND_OTHER_JOBS = "behind"
    """Others run first."""
    NO_WORKER = "no worker"
    AT_WORK = "at work"
    STOPPING = "stopping"
    LOST = "lost"
    """Its worker has died."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobSummary:
    """A job's data for `components/job_progress.html`."""

    job: Job
    title: str
    stage: str
    counted: str
    status: JobStatus | None
    """None once it is over."""
    has_queue: bool
    worker_command: str
    """The shell command that starts a worker."""


def job_summary(job: Job) -> JobSummary:
    """Return the summary of a job, with at most two queries."""
    kind = job_kind_of(job.task)
    stage = kind.stages.get(job.stage, JobStage())
    return JobSummary(
        job=job,
        title=str(kind.title) % defaultdict(str, job.arguments),
        stage=str(stage.words),
        counted=str(stage.counted % {"done": job.done, "total": job.total}) if stage.counted and job.total else "",
        status=None if job.is_over else job_status(job),
        has_queue=bool(settings.CELERY_BROKER_URL),
        worker_command=worker_command(),
    )


def worker_command() -> str:
    """Return the shell command that starts a worker on this server."""
    if SYSTEMD_TARGET.exists():
        return "sudo systemctl start clubnight.target"
    return ".venv/bin/celery -A config worker --concurrency 2"


def job_status(job: Job) -> JobStatus:
    """Return the status of an unfinished job."""
    now = timezone.now()
    if job.state == Job.State.RUNNING:
        if job.heartbeat_at is None or job.heartbeat_at < now - LOST_AFTER:
            return JobStatus.LOST
        return JobStatus.STOPPING if job.cancel_asked else JobStatus.AT_WORK
    if job.sent_at is None:
        return JobStatus.NOT_SENT
    if job.created_at > now - PICKUP_TIME:
        return JobStatus.SENT
    others = Job.objects.filter(state=Job.State.RUNNING, heartbeat_at__gte=now - LOST_AFTER)
    return JobStatus.BEHIND_OTHER_JOBS if others.exists() else JobStatus.NO_WORKER
