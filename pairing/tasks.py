"""Celery tasks: the key of a job in, one call."""

from __future__ import annotations

from celery import shared_task

from clubs.jobs.queue import run
from pairing.backups.nightly import back_up
from pairing.comparing.background import paired_again
from pairing.rounds.background import pair
from pairing.trials.background import proposed
from pairing.typesetting.setting import set_paper_of


@shared_task
def pair_round_task(job_id: int) -> None:
    """Pair the round of a job; safe to run twice."""
    run(job_id, pair)


@shared_task
def propose_task(job_id: int) -> None:
    """Pair the round of a job on trial; safe to run twice."""
    run(job_id, proposed)


@shared_task
def pair_again_task(job_id: int) -> None:
    """Pair the rounds of a job's event once more, for a look; safe to run twice."""
    run(job_id, paired_again)


@shared_task
def set_paper_task(job_id: int) -> None:
    """Set the paper of a job; safe to run twice."""
    run(job_id, set_paper_of)


@shared_task
def back_up_task(job_id: int) -> None:
    """Make a backup."""
    run(job_id, back_up)
