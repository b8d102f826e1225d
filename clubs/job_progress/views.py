"""How far a piece of work in the background is, wherever it came from; its end leads on to what it made."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from clubs.access import get_job_for
from clubs.requests import OfficerRequest
from common.jobs.queue import cancel
from common.jobs.standing import line_of
from common.jobs.waiting import leads_to
from common.models import Job


@require_safe
def job_page(request: OfficerRequest, job: int) -> HttpResponse:
    """The job's progress, asked for every second."""
    the_job = get_job_for(request.user, job)
    address = leads_to(the_job)
    if the_job.state == Job.State.DONE and address:
        return HttpResponseClientRedirect(address) if request.htmx else redirect(address)
    is_polled = request.htmx.target == "job"
    template = "common/jobs/job.html#job" if is_polled else "common/jobs/job.html"
    return render(request, template, {"line": line_of(the_job), "next": address})


@require_POST
def job_cancel(request: OfficerRequest, job: int) -> HttpResponse:
    """Stop the work; what it was about stays as it was."""
    the_job = get_job_for(request.user, job)
    cancel(the_job)
    return redirect("job", the_job.pk)
