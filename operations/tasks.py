"""Celery tasks. Each takes the key of a job and makes one call."""

from __future__ import annotations

from celery import shared_task

from common.jobs.queue import run_job
from operations.backups.nightly_job import run_backup_job


@shared_task
def make_backup_task(job_id: int) -> None:
    """Make a backup."""
    run_job(job_id, run_backup_job)
