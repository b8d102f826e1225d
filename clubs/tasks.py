"""Celery tasks: ids in, one call."""

from __future__ import annotations

from celery import shared_task

from clubs.chores.due import begin_what_is_due
from clubs.chores.sessions import delete_ended_sessions
from clubs.jobs.queue import run
from clubs.money.reminding import send_letters
from clubs.people.leaving import let_members_go as let_them_go
from clubs.rating_lists.fetching import fetch_lists
from clubs.rating_lists.importing import import_list


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


@shared_task(ignore_result=True)
def begin_chores() -> None:
    """What beat rings for: begin what is due."""
    begin_what_is_due()


@shared_task
def clear_sessions(job_id: int) -> None:
    """Delete the sessions that have ended."""
    run(job_id, delete_ended_sessions)


@shared_task
def let_members_go(job_id: int) -> None:
    """Make those former members whose last day has passed."""
    run(job_id, let_them_go)
