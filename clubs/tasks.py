"""Celery tasks: ids in, one call."""

from __future__ import annotations

from celery import shared_task

from clubs.jobs import run
from clubs.rating_lists.importing import import_list


@shared_task
def import_rating_list(job_id: int) -> None:
    """Import the list of a job; killed and run again, it goes on where it was."""
    run(job_id, import_list)
