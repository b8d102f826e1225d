"""Celery tasks: the key of a job in, one call."""

from __future__ import annotations

from celery import shared_task

from common.jobs.queue import run_job
from tournaments.audit_log.sealing import seal_all_logs
from tournaments.club_ratings import recalculation
from tournaments.events.data_retention import erase_expired_data_in_all_clubs
from tournaments.notifications import notification_job


@shared_task
def seal_logs(job_id: int) -> None:
    """Seal what was written into the logs of events."""
    run_job(job_id, seal_all_logs)


@shared_task
def erase_old_data(job_id: int) -> None:
    """Erase what has been kept as long as it may be."""
    run_job(job_id, erase_expired_data_in_all_clubs)


@shared_task
def notify_players(job_id: int) -> None:
    """Tell players what has happened and what is to come; run again, what has not gone yet."""
    run_job(job_id, notification_job.notify_players)


@shared_task
def recalculate_ratings(job_id: int) -> None:
    """Count the club's ratings, where something they are computed from has changed."""
    run_job(job_id, recalculation.recalculate_ratings)
