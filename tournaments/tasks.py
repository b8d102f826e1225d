"""Celery tasks: each takes a job's key and makes one call."""

from __future__ import annotations

from functools import partial

from celery import shared_task

from common.jobs.import_steps import run_import_job
from common.jobs.queue import run_job
from tournaments.club_ratings import recalculation
from tournaments.events.data_retention import erase_expired_data_in_all_clubs
from tournaments.import_export.player_import_steps import do_player_import_step
from tournaments.notifications import notification_job
from tournaments.online_entries import processing


@shared_task
def erase_old_data(job_id: int) -> None:
    """Erase data whose retention period is over."""
    run_job(job_id, erase_expired_data_in_all_clubs)


@shared_task
def preview_players(job_id: int) -> None:
    """Preview the player table or report file of a job."""
    run_job(job_id, partial(run_import_job, do=do_player_import_step, saves=False))


@shared_task
def import_players(job_id: int) -> None:
    """Import the player table or report file of a job."""
    run_job(job_id, partial(run_import_job, do=do_player_import_step, saves=True))


@shared_task
def notify_players(job_id: int) -> None:
    """Send players their due notifications. Running it again sends only what hasn't been sent."""
    run_job(job_id, notification_job.notify_players)


@shared_task
def process_online_entries(job_id: int) -> None:
    """Send due emails about online entries, and move waiting lists up. Safe to run twice."""
    run_job(job_id, processing.process_online_entries)


@shared_task
def recalculate_ratings(job_id: int) -> None:
    """Recalculate the club's ratings, if the data they depend on has changed."""
    run_job(job_id, recalculation.recalculate_ratings)
