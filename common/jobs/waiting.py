"""Work that is mostly done before anybody notices: the page waits a moment for its end, else shows how far it is."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from common.jobs.queue import send, wait_for_end
from common.models import Job

SECONDS_TO_WAIT = 1.5
"""An ordinary round is paired well within this."""


def soon(request: HttpRequest, job: Job) -> HttpResponse:
    """Send a job and lead to what it made; where it failed, back to where it was asked for, with the reason."""
    send(job)
    job = wait_for_end(job, SECONDS_TO_WAIT)
    if not job.is_over:
        return redirect("job", job.pk)
    if job.error and "next" not in job.result:
        messages.error(request, job.error)
    return redirect(leads_to(job))


def leads_to(job: Job) -> str:
    """The address of what the job made, or of where it was asked for; empty where there is none."""
    return str(job.result.get("next") or job.arguments.get("next") or "")
