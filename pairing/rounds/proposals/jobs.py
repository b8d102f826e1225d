"""Pairing a round once more on trial, as work in the background."""

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
    JobKind(title=_("Pairing round %(number)s on trial"), stages=STAGES, queue=WorkerQueue.ROUNDS),
)


def create_proposal_job(
    round: Round,
    *,
    absent: Collection[int] = (),
    present: Collection[int] = (),
    correction: LogEntry | None = None,
    by: User | None,
) -> Job:
    """The job that pairs a paired round once more on trial (see `repairing.propose`). To be sent."""
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
    """Pair the job's round on trial; its result leads to the page of the proposal."""
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


def propose_after_corrections(tournament: Tournament, *, by: User | None) -> None:
    """Have every published round paired on trial that rests on a result corrected since, once a correction and version.

    For whatever corrects a result, or publishes a pairing that may rest on one; the page of the round then says what
    was found. Nothing is waited for.
    """
    for round in tournament.rounds.filter(state=Round.State.PUBLISHED):
        round.tournament = tournament
        correction = latest_correction(round)
        if correction is None or _asked(round, correction).exists():
            continue
        enqueue_job(create_proposal_job(round, correction=correction, by=by))


def correction_proposal(round: Round) -> PairingProposal | None:
    """How a published round would be paired since a result it rests on was corrected; None as long as nobody knows."""
    correction = latest_correction(round)
    if correction is None:
        return None
    made = PairingProposal.objects.filter(round=round, correction=correction, base_version=round.version)
    return made.filter(state=PairingProposal.State.OPEN).first()


def _asked(round: Round, correction: LogEntry) -> QuerySet[Job]:
    return Job.objects.filter(task=PROPOSE, arguments__correction=correction.pk, arguments__version=round.version)
