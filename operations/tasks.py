"""Celery tasks. Each takes the key of a job and makes one call."""

from __future__ import annotations

from functools import partial

from celery import shared_task

from common.jobs.import_steps import run_import_job
from common.jobs.queue import run_job
from operations.alerts.watch_task import run_watch_job
from operations.backups.nightly_job import run_backup_job
from operations.club_transfer.export_job import run_club_export
from operations.club_transfer.file_cleanup import delete_files_in_progress
from operations.club_transfer.import_steps import do_club_import_step, read_step_archive
from operations.event_transfer.import_steps import do_event_import_step


@shared_task
def make_backup_task(job_id: int) -> None:
    """Make a backup."""
    run_job(job_id, run_backup_job)


@shared_task
def watch_task(job_id: int) -> None:
    """Check the server, and send alerts about new and resolved problems."""
    run_job(job_id, run_watch_job)


@shared_task
def preview_event_task(job_id: int) -> None:
    """Preview a job's event file."""
    run_job(job_id, partial(run_import_job, do=do_event_import_step, saves=False))


@shared_task
def import_event_task(job_id: int) -> None:
    """Import a job's event file."""
    run_job(job_id, partial(run_import_job, do=do_event_import_step, saves=True))


@shared_task
def export_club_task(job_id: int) -> None:
    """Make the archive of a job's club."""
    run_job(job_id, run_club_export)


@shared_task
def delete_old_files_task(job_id: int) -> None:
    """Delete old uploads and club archives."""
    run_job(job_id, delete_files_in_progress)


@shared_task
def preview_club_task(job_id: int) -> None:
    """Preview a job's club archive."""
    run_job(job_id, partial(run_import_job, do=do_club_import_step, saves=False, prepare=read_step_archive))


@shared_task
def import_club_task(job_id: int) -> None:
    """Import a job's club archive."""
    run_job(job_id, partial(run_import_job, do=do_club_import_step, saves=True, prepare=read_step_archive))
