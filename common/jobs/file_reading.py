"""Lets a worker read a large file before a page shows it. The page waits a moment, or shows the job's progress."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.file_store.uploads import UploadGone, load_upload
from common.jobs import redirects
from common.jobs.kinds import JobKind, WorkerQueue
from common.jobs.queue import JobFailed, create_job, enqueue_job, wait_for_job
from common.models import Job
from common.tabular.subprocess_reader import is_light

READING = JobKind(title=gettext_lazy("Reading the file"), queue=WorkerQueue.PAPERS)


def read_upload_first(
    request: HttpRequest,
    data: bytes,
    token: str,
    *,
    task: str,
    place: str,
    back: str,
    more: Mapping[str, str] = MappingProxyType({}),
    options: Mapping[str, str] = MappingProxyType({}),
) -> HttpResponse | None:
    """Let a job with this task read a large upload. Return None if the upload is small or has already been read.

    If this takes a while, return a redirect to the job's page, which leads to the URL `back` with the token and `more`
    parameters. `options` go to the function that reads the file.
    """
    if is_light(data):
        return None
    address = f"{back}?{urlencode({'token': token, **more})}"
    arguments = {"token": token, "place": place, "options": dict(options), "next": address}
    job = create_job(task, by=request.user, arguments=arguments)  # type: ignore[arg-type]
    enqueue_job(job)
    job = wait_for_job(job, redirects.SECONDS_TO_WAIT)
    return None if job.is_over else redirect("job_page", job.pk)


def run_reading_job(job: Job, read: Callable[..., Any]) -> None:
    """Read a job's upload, and store the result. The page that shows it also shows any problem with the file."""
    try:
        if job.by is None:
            raise UploadGone
        data, _filename = load_upload(job.arguments["token"], by=job.by, place=job.arguments["place"])
    except UploadGone as gone:
        raise JobFailed(_("The file is no longer available. Choose it again.")) from gone
    read(data, **job.arguments["options"])
