"""Background jobs for slow printouts: a task renders them, and the same URL then returns them."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.models import Club, User
from common.jobs.kinds import JobKind, JobStage, WorkerQueue, register_job_kind
from common.jobs.queue import JobFailed, create_job, enqueue_job, report_progress
from common.models import Job
from pairing.printing.pdf.paper_templates import paper_store, render_pdf
from pairing.printing.pdf.weasyprint_rendering import Paper, enqueue_paper, load_cached_pdf, load_enqueued_paper
from tournaments.problems import ArbiterProblem

_TITLE = gettext_lazy("Preparing printout: %(name)s")
_STAGES = {"setting": JobStage(words=gettext_lazy("Laying out the pages"))}
PAPER_TASK = register_job_kind(
    "pairing.tasks.render_paper_task",
    JobKind(title=_TITLE, stages=_STAGES, queue=WorkerQueue.PAPERS),
)
VISITORS_PAPER_TASK = register_job_kind(
    "pairing.tasks.render_visitors_paper_task", JobKind(title=_TITLE, stages=_STAGES, queue=WorkerQueue.CHORES)
)
MAX_WAIT_SECONDS = 2.0
"""In seconds; slower papers are rendered by a task."""


def needs_background_job(paper: Paper) -> bool:
    """Return True if the printout is not cached and takes too long to wait for."""
    return paper.estimated_seconds > MAX_WAIT_SECONDS and not is_cached(paper)


def is_cached(paper: Paper) -> bool:
    """Return True if the printout has been rendered and cached."""
    return load_cached_pdf(paper, store=paper_store()) is not None


def start_paper_job(paper: Paper, *, by: User | None, club: Club, name: str, address: str) -> Job:
    """Start a job for a printout. `address` is the URL that serves it when ready and checks permission as usual.

    Visitors' printouts have a queue that officers do not wait for.
    """
    key = enqueue_paper(paper, store=paper_store())
    task = PAPER_TASK if by else VISITORS_PAPER_TASK
    job = create_job(task, by=by, club=club, key=key, arguments={"paper": key, "name": name, "next": address})
    enqueue_job(job)
    return job


def run_paper_job(job: Job) -> None:
    """Run the job. A printout that is already rendered comes from the cache."""
    try:
        paper = load_enqueued_paper(job.arguments["paper"], store=paper_store())
    except FileNotFoundError as error:
        raise JobFailed(_("This printout has expired. Print it again.")) from error
    try:
        render_pdf(paper, lambda done, of: report_progress(job, done=done, total=of, stage="setting"))
    except ArbiterProblem as problem:
        raise JobFailed(str(problem)) from problem
