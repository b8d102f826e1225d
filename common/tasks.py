"""Celery tasks: ids in, one call."""

from __future__ import annotations

from celery import shared_task

from common.jobs.queue import run_job
from common.schedule.due_tasks import start_due_tasks
from common.schedule.session_cleanup import delete_ended_sessions


@shared_task(ignore_result=True)
def start_scheduled_tasks() -> None:
    """What beat rings for: begin what is due."""
    start_due_tasks()


@shared_task
def delete_expired_sessions(job_id: int) -> None:
    """Delete the sessions that have ended."""
    run_job(job_id, delete_ended_sessions)
