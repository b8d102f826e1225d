"""Celery tasks: the key of a job in, one call."""

from __future__ import annotations

from celery import shared_task

from common.jobs.queue import run
from operations.backups.nightly import back_up


@shared_task
def back_up_task(job_id: int) -> None:
    """Make a backup."""
    run(job_id, back_up)
