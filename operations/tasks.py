"""Celery tasks. Each takes the key of a job and makes one call."""

from __future__ import annotations

from functools import partial

from celery import shared_task

from common.jobs.file_reading import run_reading_job
from common.jobs.queue import run_job
from operations.backups.nightly_job import run_backup_job
from operations.event_transfer.file_reader import check_event_file


@shared_task
def make_backup_task(job_id: int) -> None:
    """Make a backup."""
    run_job(job_id, run_backup_job)


@shared_task
def read_event_task(job_id: int) -> None:
    """Read a job's event file."""
    run_job(job_id, partial(run_reading_job, read=check_event_file))
