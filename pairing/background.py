"""Pairing as work in the background: what a page asks for, and what the task then does. See `clubs.jobs`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import Any

from django.urls import reverse

from clubs.jobs import JobFailed, beat, new_job, send, wait_for_end
from clubs.models import Job, User
from pairing.engine.watching import watching
from pairing.models import Proposal
from pairing.repairing import latest_correction, propose
from pairing.rounds import pair_round
from pairing.what_if import pair_again
from tournaments.models import LogEntry, Round, Tournament
from tournaments.problems import ArbiterProblem

PAIR = "pairing.tasks.pair_round_task"
PROPOSE = "pairing.tasks.propose_task"
PAIR_AGAIN = "pairing.tasks.pair_again_task"
SECONDS_TO_PAIR = 600
"""A round that takes longer than this is stopped; ten thousand players take a few seconds."""

SECONDS_TO_PAIR_AGAIN = 3600
SECONDS_TO_GLANCE = 0.5
"""How long the page of a round waits to know whether a correction matters; else the next look will say it."""


def ask_to_pair(round: Round, *, by: User | None) -> Job:
    """The job that pairs this round: the unfinished one, if somebody has asked for it already. To be sent."""
    return new_job(
        PAIR,
        by=by,
        club=round.tournament.club,
        key=_key(round),
        arguments=arguments_for(round),
        time_limit=SECONDS_TO_PAIR,
    )


def being_paired(round: Round) -> Job | None:
    """The unfinished job that pairs this round, if there is one."""
    return Job.objects.filter(task=PAIR, key=_key(round), state__in=[Job.State.WAITING, Job.State.RUNNING]).first()


def pair(job: Job) -> dict[str, Any]:
    """Pair the job's round; done before, it stays as it is."""
    with watched(job):
        draft = pair_round(job.arguments["round"], by=job.by)
    return {"is_new": draft.is_new}


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
        key=f"{_key(round)} {told_apart}",
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


def ask_to_pair_again(round: Round, *, by: User | None) -> Job:
    """The job that pairs every published round from this one on once more, for a look. To be sent."""
    return new_job(
        PAIR_AGAIN,
        by=by,
        club=round.tournament.club,
        key=_key(round),
        arguments=arguments_for(round),
        time_limit=SECONDS_TO_PAIR_AGAIN,
    )


def paired_again(job: Job) -> dict[str, Any]:
    """Pair the rounds of the job's event from its round on once more; the result holds them as data."""
    told = job.arguments
    tournament = Tournament.objects.select_related("club").get(rounds=told["round"])

    def tell(done: int, total: int) -> None:
        beat(job, done=done, total=total, stage="rounds")

    with watching(lambda _done, _total: beat(job)):
        rounds = pair_again(tournament, told["number"], tell=tell)
    return {"rounds": rounds, "next": f"{told['next']}what-if/{job.pk}/"}


def arguments_for(round: Round) -> dict[str, Any]:
    """What every job about a round has among its arguments: the round, and its page."""
    tournament = round.tournament
    address = reverse("round", args=[tournament.club.slug, tournament.slug, round.number])
    return {"round": round.pk, "number": round.number, "next": address}


@contextmanager
def watched(job: Job) -> Iterator[None]:
    """Have the engine tell how far it is and stop when the job should; an arbiter's problem fails the job."""
    beat(job, stage="reading")
    try:
        with watching(_teller(job)):
            yield
    except ArbiterProblem as problem:
        raise JobFailed(problem.message) from problem


def _teller(job: Job) -> Callable[[int, int], None]:
    def tell(done: int, total: int) -> None:
        beat(job, done=done, total=total, stage="pairing")

    return tell


def _key(round: Round) -> str:
    return f"round {round.pk}"
