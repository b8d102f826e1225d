"""Celery tasks: ids in, one call."""

from __future__ import annotations

from celery import shared_task

from clubs.jobs import run
from clubs.models import User
from pairing.papers.setting import set_paper_of
from pairing.rounds import pair_round


@shared_task
def pair_round_task(round_id: int, user_id: int | None) -> int:
    """Pair a round; safe to run twice. Returns the version of its pairing."""
    by = None if user_id is None else User.objects.get(pk=user_id)
    return pair_round(round_id, by=by).round.version


@shared_task
def set_paper_task(job_id: int) -> None:
    """Set the paper of a job; safe to run twice."""
    run(job_id, set_paper_of)
