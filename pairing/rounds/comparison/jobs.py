"""The background job that pairs rounds again for comparison only."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from clubs.models import User
from common.jobs.kinds import JobKind, JobStage, WorkerQueue, register_job_kind
from common.jobs.queue import create_job
from common.jobs.queue import report_progress as beat
from common.models import Job
from pairing.engine.progress import report_progress_to
from pairing.rounds.comparison.what_if import pair_rounds_again
from pairing.rounds.lifecycle.jobs import round_job_arguments, round_job_key
from tournaments.models import Round, Tournament

WHAT_IF_JOB = register_job_kind(
    "pairing.tasks.pair_what_if_task",
    JobKind(
        title=_("Re-pairing from round %(number)s"),
        queue=WorkerQueue.PAPERS,
        stages={
            "rounds": JobStage(
                counted=ngettext_lazy("%(done)s of %(total)s round", "%(done)s of %(total)s rounds", "total")
            )
        },
    ),
)


WHAT_IF_TIME_LIMIT = 3600


def create_what_if_job(round: Round, *, by: User | None) -> Job:
    """Create the job that re-pairs every published round from this one onwards. The caller enqueues it."""
    return create_job(
        WHAT_IF_JOB,
        by=by,
        club=round.tournament.club,
        key=round_job_key(round),
        arguments=round_job_arguments(round),
        time_limit=WHAT_IF_TIME_LIMIT,
    )


def run_what_if_job(job: Job) -> dict[str, Any]:
    """Re-pair the event's rounds from the job's round onwards. The job's result holds them as data."""
    told = job.arguments
    tournament = Tournament.objects.select_related("club").get(rounds=told["round"])

    def report_progress(done: int, total: int) -> None:
        beat(job, done=done, total=total, stage="rounds")

    with report_progress_to(lambda _done, _total: beat(job)):
        rounds = pair_rounds_again(tournament, told["number"], report_progress=report_progress)
    return {"rounds": rounds, "next": f"{told['next']}what-if/{job.pk}/"}
