"""Celery tasks: ids in, one call."""

from __future__ import annotations

from celery import shared_task

from clubs.finance.dues.reminding import send_letters
from clubs.membership.members.leaving import let_members_go as let_them_go
from clubs.rating.lists.fetching import fetch_lists
from clubs.rating.lists.importing import import_list
from common.jobs.queue import run


@shared_task
def import_rating_list(job_id: int) -> None:
    """Import the list of a job; killed and run again, it goes on where it was."""
    run(job_id, import_list)


@shared_task
def fetch_rating_lists(job_id: int) -> None:
    """Fetch the lists that have an address; run again, those of this month are there already."""
    run(job_id, fetch_lists)


@shared_task
def send_reminders(job_id: int) -> None:
    """Send the reminders of a job; run again, those that have not gone yet."""
    run(job_id, send_letters)


@shared_task
def let_members_go(job_id: int) -> None:
    """Make those former members whose last day has passed."""
    run(job_id, let_them_go)
