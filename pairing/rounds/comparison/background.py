"""Pairing rounds once more for a look, as work in the background."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from clubs.models import User
from common.jobs.kinds import JobKind, JobStage, Line, register
from common.jobs.queue import beat, new_job
from common.models import Job
from pairing.engine.watching import watching
from pairing.rounds.comparison.what_if import pair_again
from pairing.rounds.lifecycle.background import arguments_for, key_of
from tournaments.models import Round, Tournament

PAIR_AGAIN = register(
    "pairing.tasks.pair_again_task",
    JobKind(
        title=_("Pairing the rounds from %(number)s on once more"),
        line=Line.PAPERS,
        stages={
            "rounds": JobStage(
                counted=ngettext_lazy("%(done)s of %(total)s round", "%(done)s of %(total)s rounds", "total")
            )
        },
    ),
)


SECONDS_TO_PAIR_AGAIN = 3600


def ask_to_pair_again(round: Round, *, by: User | None) -> Job:
    """The job that pairs every published round from this one on once more, for a look. To be sent."""
    return new_job(
        PAIR_AGAIN,
        by=by,
        club=round.tournament.club,
        key=key_of(round),
        arguments=arguments_for(round),
        time_limit=SECONDS_TO_PAIR_AGAIN,
    )


def paired_again(job: Job) -> dict[str, Any]:
    """Pair the rounds of the job's event from its round on once more; the result holds them as data."""
    told = job.arguments
    tournament = Tournament.objects.select_related("club").get(rounds=told["round"])

    def report_progress(done: int, total: int) -> None:
        beat(job, done=done, total=total, stage="rounds")

    with watching(lambda _done, _total: beat(job)):
        rounds = pair_again(tournament, told["number"], tell=report_progress)
    return {"rounds": rounds, "next": f"{told['next']}what-if/{job.pk}/"}
