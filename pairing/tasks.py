"""Celery tasks. Each takes the key of a job and makes one call."""

from __future__ import annotations

from celery import shared_task

from common.jobs.queue import run_job
from pairing.printing.pdf.paper_jobs import run_paper_job
from pairing.public.webhooks.delivery import deliver_webhooks as deliver
from pairing.rounds.comparison.jobs import run_what_if_job
from pairing.rounds.lifecycle.jobs import run_pairing_job
from pairing.rounds.proposals.jobs import run_proposal_job


@shared_task
def pair_round_task(job_id: int) -> None:
    """Pair the round of a job. Safe to run twice."""
    run_job(job_id, run_pairing_job)


@shared_task
def create_proposal_task(job_id: int) -> None:
    """Create a job's proposal. Safe to run twice."""
    run_job(job_id, run_proposal_job)


@shared_task
def pair_what_if_task(job_id: int) -> None:
    """Re-pair the rounds of a what-if job. Safe to run twice."""
    run_job(job_id, run_what_if_job)


@shared_task
def render_paper_task(job_id: int) -> None:
    """Render the printout of a job. Safe to run twice."""
    run_job(job_id, run_paper_job)


@shared_task
def render_visitors_paper_task(job_id: int) -> None:
    """Render a visitor's printout. Safe to run twice."""
    run_job(job_id, run_paper_job)


@shared_task
def deliver_webhooks(job_id: int) -> None:
    """Send the messages to webhooks that are due. Safe to run twice."""
    run_job(job_id, deliver)
