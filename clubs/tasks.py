"""Celery tasks: ids in, one call."""

from __future__ import annotations

from celery import shared_task

from clubs.jobs.queue import run
from clubs.money.reminding import send_letters
from clubs.rating_lists.importing import import_list


@shared_task
def import_rating_list(job_id: int) -> None:
    """Import the list of a job; killed and run again, it goes on where it was."""
    run(job_id, import_list)


@shared_task
def send_reminders(job_id: int) -> None:
    """Send the reminders of a job; run again, those that have not gone yet."""
    run(job_id, send_letters)
