"""Celery tasks. Each takes an ID and calls one function."""

from __future__ import annotations

from functools import partial

from celery import shared_task

from clubs.finance.bank.statement_reader import read_statement_file
from clubs.finance.dues.reminders import send_reminder_emails
from clubs.membership.applications.processing import delete_old_applications as delete_applications
from clubs.membership.members.member_import_steps import do_member_import_step
from clubs.membership.members.membership_periods import end_memberships_job as let_them_go
from clubs.rating.lists.list_import import run_list_import
from clubs.rating.lists.scheduled_download import fetch_due_lists
from common.jobs.file_reading import run_reading_job
from common.jobs.import_steps import run_import_job
from common.jobs.queue import run_job


@shared_task
def import_rating_list(job_id: int) -> None:
    """Import a job's rating list. A stopped import continues where it stopped."""
    run_job(job_id, run_list_import)


@shared_task
def fetch_rating_lists(job_id: int) -> None:
    """Download the rating lists that have a URL. Lists already downloaded this month are skipped."""
    run_job(job_id, fetch_due_lists)


@shared_task
def send_reminders(job_id: int) -> None:
    """Send a job's reminders. Running it again sends only the remaining ones."""
    run_job(job_id, send_reminder_emails)


@shared_task
def preview_members(job_id: int) -> None:
    """Preview a job's table of members."""
    run_job(job_id, partial(run_import_job, do=do_member_import_step, saves=False))


@shared_task
def import_members_task(job_id: int) -> None:
    """Import a job's table of members."""
    run_job(job_id, partial(run_import_job, do=do_member_import_step, saves=True))


@shared_task
def read_statement(job_id: int) -> None:
    """Read a job's bank statement."""
    run_job(job_id, partial(run_reading_job, read=read_statement_file))


@shared_task
def end_memberships(job_id: int) -> None:
    """Mark members whose last day has passed as former."""
    run_job(job_id, let_them_go)


@shared_task
def delete_old_applications(job_id: int) -> None:
    """Delete membership applications past their retention period."""
    run_job(job_id, delete_applications)
