"""Papers that take a while: laid aside by whoever asks for them, set by a task, fetched at the address they have."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.models import Club, User
from common.jobs.kinds import JobKind, JobStage, Line, register
from common.jobs.queue import JobFailed, beat, new_job, send
from common.models import Job
from pairing.printing.pdf.making import paper_shelf, printed
from pairing.printing.pdf.pdfs import Paper, kept_pdf, put_by, put_by_as
from tournaments.problems import ArbiterProblem

TASK = register(
    "pairing.tasks.set_paper_task",
    JobKind(
        title=gettext_lazy("Setting a paper: %(name)s"),
        stages={"setting": JobStage(words=gettext_lazy("Setting the pages"))},
        line=Line.PAPERS,
    ),
)
SOON = 2.0
"""Seconds: what takes longer is set by a task."""


def takes_a_while(paper: Paper) -> bool:
    """It has to be set, and that takes longer than anybody should wait for a page."""
    return paper.seconds > SOON and kept_pdf(paper, kept_in=paper_shelf()) is None


def set_later(paper: Paper, *, by: User, club: Club, name: str, address: str) -> Job:
    """Have a paper set; `address` is where it is fetched then, with the permission it always needs."""
    key = put_by(paper, kept_in=paper_shelf())
    job = new_job(TASK, by=by, club=club, key=key, arguments={"paper": key, "name": name, "next": address})
    send(job)
    return job


def set_paper_of(job: Job) -> None:
    """What the task does. Set already, or asked for twice: no work is done twice."""
    try:
        paper = put_by_as(job.arguments["paper"], kept_in=paper_shelf())
    except FileNotFoundError as error:
        raise JobFailed(_("The paper is not kept here any more: ask for it once more.")) from error
    try:
        printed(paper, lambda done, of: beat(job, done=done, total=of, stage="setting"))
    except ArbiterProblem as problem:
        raise JobFailed(str(problem)) from problem
