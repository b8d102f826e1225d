"""Celery tasks: the key of a job in, one call."""

from __future__ import annotations

from celery import shared_task

from common.jobs.queue import run
from pairing.printing.pdf.setting import set_paper_of
from pairing.rounds.comparison.background import paired_again
from pairing.rounds.lifecycle.background import pair
from pairing.rounds.proposals.background import proposed


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
