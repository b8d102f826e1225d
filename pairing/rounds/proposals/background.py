"""Pairing a round once more on trial, as work in the background."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from clubs.models import User
from common.jobs.kinds import JobKind, Line, register
from common.jobs.queue import new_job, send
from common.models import Job
from pairing.models import Proposal
from pairing.rounds.lifecycle.background import SECONDS_TO_PAIR, STAGES, arguments_for, key_of, watched
from pairing.rounds.proposals.proposing import latest_correction, propose
from tournaments.models import LogEntry, Round, Tournament

PROPOSE = register(
    "pairing.tasks.propose_task",
    JobKind(title=_("Pairing round %(number)s on trial"), stages=STAGES, line=Line.ROUNDS),
)


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


def look_after_correction(tournament: Tournament, *, by: User | None) -> None:
    """Have every published round paired on trial that rests on a result corrected since, once a correction and version.

    For whatever corrects a result, or publishes a pairing that may rest on one; the page of the round then says what
    was found. Nothing is waited for.
    """
    for round in tournament.rounds.filter(state=Round.State.PUBLISHED):
        round.tournament = tournament
        correction = latest_correction(round)
        if correction is None or _asked(round, correction).exists():
            continue
        send(ask_to_propose(round, correction=correction, by=by))


def after_correction(round: Round) -> Proposal | None:
    """How a published round would be paired since a result it rests on was corrected; None as long as nobody knows."""
    correction = latest_correction(round)
    if correction is None:
        return None
    made = Proposal.objects.filter(round=round, correction=correction, base_version=round.version)
    return made.filter(state=Proposal.State.OPEN).first()


def _asked(round: Round, correction: LogEntry) -> QuerySet[Job]:
    return Job.objects.filter(task=PROPOSE, arguments__correction=correction.pk, arguments__version=round.version)
