"""Celery tasks: the key of a job in, one call."""

from __future__ import annotations

from celery import shared_task

from common.jobs.queue import run
from tournaments.audit_log.sealing import seal_every_log
from tournaments.club_ratings import keeping
from tournaments.events.erasing import erase_in_every_club
from tournaments.notifications import telling


@shared_task
def seal_logs(job_id: int) -> None:
    """Seal what was written into the logs of events."""
    run(job_id, seal_every_log)


@shared_task
def erase_old_data(job_id: int) -> None:
    """Erase what has been kept as long as it may be."""
    run(job_id, erase_in_every_club)


@shared_task
def tell_players(job_id: int) -> None:
    """Tell players what has happened and what is to come; run again, what has not gone yet."""
    run(job_id, telling.tell_players)


@shared_task
def count_ratings(job_id: int) -> None:
    """Count the club's ratings, where something they are computed from has changed."""
    run(job_id, keeping.count_ratings)
