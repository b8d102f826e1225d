"""Celery tasks: each takes a job's key and makes one call."""

from __future__ import annotations

from functools import partial

from celery import shared_task

from common.jobs.file_reading import run_reading_job
from common.jobs.queue import run_job
from tournaments.club_ratings import recalculation
from tournaments.events.data_retention import erase_expired_data_in_all_clubs
from tournaments.import_export import file_import
from tournaments.notifications import notification_job


@shared_task
def erase_old_data(job_id: int) -> None:
    """Erase data whose retention period is over."""
    run_job(job_id, erase_expired_data_in_all_clubs)


@shared_task
def read_players(job_id: int) -> None:
    """Read a job's file of players."""
    run_job(job_id, partial(run_reading_job, read=file_import.read_import_file))


@shared_task
def notify_players(job_id: int) -> None:
    """Send players their due notifications. Running it again sends only what hasn't been sent."""
    run_job(job_id, notification_job.notify_players)


@shared_task
def recalculate_ratings(job_id: int) -> None:
    """Recalculate the club's ratings, if the data they depend on has changed."""
    run_job(job_id, recalculation.recalculate_ratings)
