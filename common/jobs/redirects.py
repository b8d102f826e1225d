"""Redirects for jobs that are usually quick: wait a moment for the result, otherwise show the progress."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from common.jobs.queue import enqueue_job, wait_for_job
from common.models import Job

SECONDS_TO_WAIT = 1.5
"""An ordinary round is paired well within this time."""


def enqueue_and_redirect(request: HttpRequest, job: Job) -> HttpResponse:
    """Enqueue a job and redirect to its result. If the job failed, redirect back with the reason."""
    enqueue_job(job)
    job = wait_for_job(job, SECONDS_TO_WAIT)
    if not job.is_over:
        return redirect("job_page", job.pk)
    if job.error and "next" not in job.result:
        messages.error(request, job.error)
    return redirect(job_next_url(job))


def job_next_url(job: Job) -> str:
    """Return the URL of the job's result, or of the page that created it. Empty if there is none."""
    return str(job.result.get("next") or job.arguments.get("next") or "")
