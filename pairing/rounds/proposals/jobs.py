"""Proposals to pair a round again, as background jobs."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from clubs.models import User
from common.jobs.kinds import JobKind, WorkerQueue, register_job_kind
from common.jobs.queue import create_job, enqueue_job
from common.models import Job
from pairing.models import PairingProposal
from pairing.rounds.lifecycle.jobs import (
    SECONDS_TO_PAIR,
    STAGES,
    report_pairing_progress,
    round_job_arguments,
    round_job_key,
)
from pairing.rounds.proposals.proposal_actions import latest_correction, propose_pairing
from tournaments.models import LogEntry, Round, Tournament

PROPOSE = register_job_kind(
    "pairing.tasks.create_proposal_task",
    JobKind(title=_("Preparing a proposal for round %(number)s"), stages=STAGES, queue=WorkerQueue.ROUNDS),
)


def create_proposal_job(
    round: Round,
    *,
    absent: Collection[int] = (),
    present: Collection[int] = (),
    correction: LogEntry | None = None,
    by: User | None,
) -> Job:
    """Create the job that pairs a paired round again (see `propose_pairing`). The caller enqueues it."""
    changes = {
        "absent": sorted(absent),
        "present": sorted(present),
        "correction": correction.pk if correction else None,
        "version": round.version,
    }
    told_apart = hashlib.sha256(json.dumps(changes).encode()).hexdigest()[:32]
    return create_job(
        PROPOSE,
        by=by,
        club=round.tournament.club,
        key=f"{round_job_key(round)} {told_apart}",
        arguments=round_job_arguments(round) | changes,
        time_limit=SECONDS_TO_PAIR,
    )


def run_proposal_job(job: Job) -> dict[str, Any]:
    """Pair the job's round again. Its result links to the page of the proposal."""
    told = job.arguments
    correction = LogEntry.objects.filter(pk=told["correction"]).first() if told["correction"] else None
    with report_pairing_progress(job):
        proposal = propose_pairing(
            told["round"],
            absent=told["absent"],
            present=told["present"],
            correction=correction,
            by=job.by,
            job=job,
        )
    return {"next": f"{told['next']}trial/{proposal.pk}/"}


def create_proposals_after_corrections(tournament: Tournament, *, by: User | None) -> None:
    """Start a job to re-pair each published round that depends on a result corrected after the round was paired.

    One job is created for each correction and version. Call this after a result is corrected, or after a pairing is
    published. It does not wait: the round page shows the outcome.
    """
    for round in tournament.rounds.filter(state=Round.State.PUBLISHED):
        round.tournament = tournament
        correction = latest_correction(round)
        if correction is None or _asked(round, correction).exists():
            continue
        enqueue_job(create_proposal_job(round, correction=correction, by=by))


def correction_proposal(round: Round) -> PairingProposal | None:
    """Return the proposal made after the latest correction of an earlier result. Return None if it is not ready."""
    correction = latest_correction(round)
    if correction is None:
        return None
    made = PairingProposal.objects.filter(round=round, correction=correction, base_version=round.version)
    return made.filter(state=PairingProposal.State.OPEN).first()


def _asked(round: Round, correction: LogEntry) -> QuerySet[Job]:
    return Job.objects.filter(task=PROPOSE, arguments__correction=correction.pk, arguments__version=round.version)
