"""Work that is mostly done before anybody notices: the page waits a moment for its end, else shows how far it is."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from common.jobs.queue import enqueue_job, wait_for_job
from common.models import Job

SECONDS_TO_WAIT = 1.5
"""An ordinary round is paired well within this."""


def enqueue_and_redirect(request: HttpRequest, job: Job) -> HttpResponse:
    """Send a job and lead to what it made; where it failed, back to where it was asked for, with the reason."""
    enqueue_job(job)
    job = wait_for_job(job, SECONDS_TO_WAIT)
    if not job.is_over:
        return redirect("job_page", job.pk)
    if job.error and "next" not in job.result:
        messages.error(request, job.error)
    return redirect(job_next_url(job))


def job_next_url(job: Job) -> str:
    """The address of what the job made, or of where it was asked for; empty where there is none."""
    return str(job.result.get("next") or job.arguments.get("next") or "")
