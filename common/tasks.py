"""Celery tasks: ids in, one call."""

from __future__ import annotations

from celery import shared_task

from common.jobs.queue import run
from common.schedule.due import begin_what_is_due
from common.schedule.sessions import delete_ended_sessions


@shared_task(ignore_result=True)
def begin_chores() -> None:
    """What beat rings for: begin what is due."""
    begin_what_is_due()


@shared_task
def clear_sessions(job_id: int) -> None:
    """Delete the sessions that have ended."""
    run(job_id, delete_ended_sessions)
