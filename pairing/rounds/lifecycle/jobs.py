"""Pairing in the background: the job a page creates, and the function the task runs. See `common.jobs.queue`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from clubs.models import User
from common.jobs.kinds import JobKind, JobStage, WorkerQueue, register_job_kind
from common.jobs.queue import JobFailed, create_job
from common.jobs.queue import report_progress as beat
from common.models import Job
from pairing.engine.progress import report_progress_to
from pairing.rounds.lifecycle.relaxations import propose_relaxations
from pairing.rounds.lifecycle.transitions import NoLegalPairing, pair_round
from tournaments.models import Round
from tournaments.problems import ArbiterProblem

STAGES: Mapping[str, JobStage] = {
    "reading": JobStage(words=_("Loading the event")),
    "pairing": JobStage(
        words=_("Pairing"),
        counted=ngettext_lazy("%(done)s of %(total)s score group", "%(done)s of %(total)s score groups", "total"),
    ),
    "saving": JobStage(words=_("Saving")),
}

PAIR = register_job_kind(
    "pairing.tasks.pair_round_task",
    JobKind(title=_("Pairing round %(number)s"), stages=STAGES, queue=WorkerQueue.ROUNDS),
)
SECONDS_TO_PAIR = 600
"""A round that takes longer than this is stopped. Ten thousand players take a few seconds."""


def create_pairing_job(round: Round, *, by: User | None) -> Job:
    """Create the job that pairs this round, or return the unfinished one. The caller enqueues it."""
    return create_job(
        PAIR,
        by=by,
        club=round.tournament.club,
        key=round_job_key(round),
        arguments=round_job_arguments(round),
        time_limit=SECONDS_TO_PAIR,
    )


def unfinished_pairing_job(round: Round) -> Job | None:
    """Return the unfinished job that pairs this round, or None."""
    return Job.objects.filter(
        task=PAIR, key=round_job_key(round), state__in=[Job.State.WAITING, Job.State.RUNNING]
    ).first()


def run_pairing_job(job: Job) -> dict[str, Any]:
    """Pair the job's round. Does nothing if the round is already paired.

    If there is no legal pairing, relaxations are proposed. Raises JobFailed if the round cannot be paired.
    """
    with report_pairing_progress(job):
        try:
            draft = pair_round(job.arguments["round"], by=job.by)
        except NoLegalPairing as problem:
            this_round = Round.objects.select_related("tournament").get(pk=job.arguments["round"])
            if this_round.pairing_method.has_fixed_schedule:
                raise
            propose_relaxations(this_round, by=job.by)
            raise JobFailed(problem.message, leads_to=f"{job.arguments['next']}no-round/") from problem
    return {"is_new": draft.is_new}


def has_no_legal_pairing(round: Round) -> bool:
    """Return True if the latest attempt to pair this waiting round found no legal pairing."""
    latest = Job.objects.filter(task=PAIR, key=round_job_key(round)).order_by("-pk").first()
    return latest is not None and latest.state == Job.State.FAILED and "next" in latest.result


def round_job_arguments(round: Round) -> dict[str, Any]:
    """Return the arguments that all jobs about a round have: the round, its number and the URL of its page."""
    tournament = round.tournament
    address = reverse("round", args=[tournament.club.slug, tournament.slug, round.number])
    return {"round": round.pk, "number": round.number, "next": address}


@contextmanager
def report_pairing_progress(job: Job) -> Iterator[None]:
    """Report the engine's progress to the job. Raises JobFailed on an ArbiterProblem, JobStopped when stopped."""
    beat(job, stage="reading")
    try:
        with report_progress_to(_teller(job)):
            yield
    except ArbiterProblem as problem:
        raise JobFailed(problem.message) from problem


def _teller(job: Job) -> Callable[[int, int], None]:
    def report_progress(done: int, total: int) -> None:
        beat(job, done=done, total=total, stage="pairing")

    return report_progress


def round_job_key(round: Round) -> str:
    """Return the key shared by all jobs about one round."""
    return f"round {round.pk}"
