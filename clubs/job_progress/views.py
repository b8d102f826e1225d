"""The progress page of any background job."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from clubs.access import get_job_for_viewer
from clubs.request_types import AuthenticatedRequest
from common.jobs.queue import cancel_job
from common.jobs.redirects import job_next_url
from common.jobs.status import job_summary
from common.models import Job


@require_safe
def job_page(request: AuthenticatedRequest, job: int) -> HttpResponse:
    """Show the job's progress, updated every second. Redirects to the result when the job is done."""
    the_job = get_job_for_viewer(request.user, job)
    address = job_next_url(the_job)
    if the_job.state == Job.State.DONE and address:
        return HttpResponseClientRedirect(address) if request.htmx else redirect(address)
    is_polled = request.htmx.target == "job"
    template = "clubs/job_progress/job_page.html#job" if is_polled else "clubs/job_progress/job_page.html"
    return render(request, template, {"line": job_summary(the_job), "next": address})


@require_POST
def job_cancel(request: AuthenticatedRequest, job: int) -> HttpResponse:
    """Cancel the job and redirect to its page."""
    the_job = get_job_for_viewer(request.user, job)
    cancel_job(the_job)
    return redirect("job_page", the_job.pk)
