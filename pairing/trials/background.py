"""Pairing a round once more on trial, as work in the background."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection
from typing import Any

from clubs.jobs.queue import new_job, send, wait_for_end
from clubs.models import Job, User
from pairing.models import Proposal
from pairing.rounds.background import SECONDS_TO_PAIR, arguments_for, key_of, watched
from pairing.trials.proposing import latest_correction, propose
from tournaments.models import LogEntry, Round

PROPOSE = "pairing.tasks.propose_task"


SECONDS_TO_GLANCE = 0.5
"""How long the page of a round waits to know whether a correction matters; else the next look will say it."""


def ask_to_propose(
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
    return new_job(
        PROPOSE,
        by=by,
        club=round.tournament.club,
        key=f"{key_of(round)} {told_apart}",
        arguments=arguments_for(round) | changes,
        time_limit=SECONDS_TO_PAIR,
    )


def proposed(job: Job) -> dict[str, Any]:
    """Pair the job's round on trial; its result leads to the page of the proposal."""
    told = job.arguments
    correction = LogEntry.objects.filter(pk=told["correction"]).first() if told["correction"] else None
    with watched(job):
        proposal = propose(
            told["round"],
            absent=told["absent"],
            present=told["present"],
            correction=correction,
            by=job.by,
            job=job,
        )
    return {"next": f"{told['next']}trial/{proposal.pk}/"}


def after_correction(round: Round, *, by: User | None) -> Proposal | None:
    """How a published round would be paired since a result it rests on was corrected; None as long as nobody knows.

    Asked for by whoever looks first, once a correction and version.
    """
    correction = latest_correction(round)
    if correction is None:
        return None
    asked = Job.objects.filter(task=PROPOSE, arguments__correction=correction.pk, arguments__version=round.version)
    if not asked.exists():
        job = ask_to_propose(round, correction=correction, by=by)
        send(job)
        wait_for_end(job, SECONDS_TO_GLANCE)
    made = Proposal.objects.filter(round=round, correction=correction, base_version=round.version)
    return made.filter(state=Proposal.State.OPEN).first()
