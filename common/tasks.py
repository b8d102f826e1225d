"""Celery tasks. Each takes ids and makes one call."""

from __future__ import annotations

from celery import shared_task

from common.emails.outbox import send_due_emails
from common.jobs.queue import run_job
from common.schedule.due_tasks import start_due_tasks
from common.schedule.session_cleanup import delete_ended_sessions


@shared_task(ignore_result=True)
def start_scheduled_tasks() -> None:
    """Start the scheduled tasks that are due. Called by Celery beat."""
    start_due_tasks()


@shared_task
def delete_expired_sessions(job_id: int) -> None:
    """Delete expired sessions."""
    run_job(job_id, delete_ended_sessions)


@shared_task
def send_emails(job_id: int) -> None:
    """Send the emails that are due."""
    run_job(job_id, send_due_emails)
