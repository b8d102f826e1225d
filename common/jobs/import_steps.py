"""Runs the steps of an import: the preview of a file, and saving it. Only a small file is handled by the page itself.

For any other file a worker does the step, and the page waits with its progress. The worker renders what the page will
show, because a preview of 20,000 rows takes longer to build than the file takes to read.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from django.contrib import messages
from django.contrib.auth.base_user import AbstractBaseUser
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.forms import BaseForm
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.file_store.stores import delete_old_files, file_store, read_stored_file
from common.file_store.uploads import UPLOAD_LIFETIME_SECONDS, UploadGone, delete_upload, load_upload, store_upload
from common.jobs.heartbeat import StopReason
from common.jobs.kinds import JobKind, WorkerQueue
from common.jobs.queue import JobFailed, JobStopped, create_job
from common.jobs.redirects import enqueue_and_redirect
from common.models import Job
from common.tabular.subprocess_reader import is_light

PREVIEWING = JobKind(title=gettext_lazy("Reading the file"), queue=WorkerQueue.PAPERS, own_process=True)
IMPORTING = JobKind(title=gettext_lazy("Importing the file"), queue=WorkerQueue.PAPERS, own_process=True)
MAX_SECONDS = 180
MAX_PREVIEW_LINES = 500
"""The most rows that a preview shows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportStep:
    """A step that a user asked for. `sent` contains the form's fields, and `place` is the upload's place."""

    by: AbstractBaseUser
    data: bytes
    filename: str
    place: str
    token: str
    saves: bool = False
    sent: QueryDict = field(default_factory=QueryDict)
    prepared: Any = None
    """What a job read from the file before its transaction began."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportPage:
    """The part of the page that the step shows."""

    template: str
    context: Mapping[str, Any]
    status: int = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportDone:
    """The result of an import: the URL of the page that follows, and the messages to show there."""

    url: str
    message: str
    warnings: tuple[str, ...] = ()


def new_import_step(request: HttpRequest, data: bytes, filename: str, *, place: str) -> ImportStep:
    """Return the first step for a file that the user has chosen: its preview."""
    by = _user(request)
    token = store_upload(data, filename, by=by, place=place)
    return ImportStep(by=by, data=data, filename=filename, place=place, token=token)


def later_import_step(request: HttpRequest, *, place: str) -> ImportStep | None:
    """Return the step for a file chosen earlier, or None if the request does not name a file. Raises UploadGone."""
    token = request.POST.get("token", request.GET.get("token"))
    if token is None:
        return None
    by = _user(request)
    data, filename = load_upload(token, by=by, place=place)
    saves = request.method == "POST" and "check" not in request.POST
    return ImportStep(by=by, data=data, filename=filename, place=place, token=token, saves=saves, sent=request.POST)


def _user(request: HttpRequest) -> AbstractBaseUser:
    if not isinstance(request.user, AbstractBaseUser):
        raise PermissionDenied
    return request.user


DoStep: TypeAlias = Callable[[ImportStep], ImportPage | ImportDone]


def show_import(
    request: HttpRequest,
    template: str,
    context: Mapping[str, Any],
    *,
    place: str,
    form: type[BaseForm],
    choose: Callable[[HttpRequest, str], ImportStep | BaseForm],
    do: DoStep,
    preview_task: str,
    import_task: str,
) -> HttpResponse:
    """Show the form for a file, show its preview, or import it, depending on the request.

    `choose` gets the request and the place. It returns the first step of a file that was sent, or the form to show.
    """
    try:
        if "step" in request.GET and request.method != "POST":
            return show_step_result(request, load_step_result(request, place=place), template, context)
        step = later_import_step(request, place=place) or choose(request, place)
        if isinstance(step, BaseForm):
            status = 422 if request.method == "POST" else 200
            return render(request, template, {**context, "form": step}, status=status)
        done = run_import_step(request, step, do, preview_task=preview_task, import_task=import_task)
    except UploadGone:
        problem = _("This file was already imported, or is no longer available. Check before you choose it again.")
        return render(request, template, {**context, "form": form(), "problem": problem}, status=422)
    return done if isinstance(done, HttpResponse) else show_step_result(request, done, template, context)


def run_import_step(
    request: HttpRequest, step: ImportStep, do: DoStep, *, preview_task: str, import_task: str
) -> HttpResponse | dict[str, Any]:
    """Run the step here if the file is small, and return its result. Otherwise redirect to the job that runs it.

    The two tasks call `run_import_job` with the same `do`. The job leads back to this URL with `?step=`.
    """
    if is_light(step.data):
        return _result(step, do(step))
    arguments = {"token": step.token, "place": step.place, "sent": step.sent.urlencode(), "next": request.path}
    # A second click must not import again.
    key = hashlib.sha256(step.token.encode()).hexdigest() if step.saves else ""
    task = import_task if step.saves else preview_task
    job = create_job(task, by=step.by, key=key, arguments=arguments, time_limit=MAX_SECONDS)
    return enqueue_and_redirect(request, job)


def load_step_result(request: HttpRequest, *, place: str) -> dict[str, Any]:
    """Return the result of the step that a worker ran for this user. Raises UploadGone if it has expired."""
    key = request.GET["step"]
    job = Job.objects.filter(pk=int(key), by_id=request.user.pk).first() if key.isdecimal() and len(key) < 16 else None
    if job is None or job.arguments.get("place") != place:
        raise Http404
    if "page" not in job.result:
        return dict(job.result)
    try:
        return dict(json.loads(read_stored_file(_shelf(), job.result["page"])))
    except FileNotFoundError as gone:
        raise UploadGone from gone


def show_step_result(
    request: HttpRequest, result: Mapping[str, Any], template: str, context: Mapping[str, Any]
) -> HttpResponse:
    """Render the page with the step's part as `steps`, or redirect to the page that follows the import."""
    if "url" in result:
        messages.success(request, result["message"])
        for warning in result["warnings"]:
            messages.warning(request, warning)
        return redirect(result["url"])
    # Every part was escaped when it was rendered.
    steps = mark_safe(get_token(request).join(result["parts"]))  # noqa: S308
    return render(request, template, {**context, "steps": steps, "has_file": True}, status=result["status"])


def run_import_job(
    job: Job, do: DoStep, *, saves: bool, prepare: Callable[[ImportStep], Any] | None = None
) -> dict[str, Any]:
    """Run the step of a job, and return the job's result. An import that was already saved is not repeated.

    `prepare` reads the file before the transaction of the import begins.
    """
    if job.result:
        return dict(job.result)
    try:
        return _do_once(job, do, prepare, saves=saves)
    except UploadGone as gone:
        raise JobFailed(_("The file is no longer available. Choose it again.")) from gone


def _do_once(job: Job, do: DoStep, prepare: Callable[[ImportStep], Any] | None, *, saves: bool) -> dict[str, Any]:
    if job.by is None:
        raise UploadGone
    asked = job.arguments
    data, filename = load_upload(asked["token"], by=job.by, place=asked["place"])
    step = ImportStep(
        by=job.by,
        data=data,
        filename=filename,
        place=asked["place"],
        token=asked["token"],
        saves=saves,
        sent=QueryDict(asked["sent"]),
    )
    if prepare is not None:
        step = replace(step, prepared=prepare(step))
    if not saves:
        return _keep_page(job, _result(step, do(step)))
    with transaction.atomic():
        outcome = do(step)
        result = {"next": _address(job), **_parts_or_url(outcome)}
        if isinstance(outcome, ImportDone):
            # Saved with the import. If the worker dies now, the next one finds that the import is done.
            mine = Job.objects.filter(pk=job.pk, attempt=job.attempt, state=Job.State.RUNNING)
            if not mine.update(result=result):
                raise JobStopped(StopReason.TAKEN)
    if isinstance(outcome, ImportDone):
        delete_upload(step.token, by=step.by, place=step.place)
        return result
    return _keep_page(job, result)


def _result(step: ImportStep, outcome: ImportPage | ImportDone) -> dict[str, Any]:
    if isinstance(outcome, ImportDone):
        delete_upload(step.token, by=step.by, place=step.place)
    return _parts_or_url(outcome)


def _parts_or_url(outcome: ImportPage | ImportDone) -> dict[str, Any]:
    if isinstance(outcome, ImportDone):
        return {"url": outcome.url, "message": outcome.message, "warnings": outcome.warnings}
    # The user's token for forms is not known here: a mark takes its place.
    mark = secrets.token_hex(16)
    html = render_to_string(outcome.template, {**outcome.context, "csrf_token": mark})
    return {"parts": html.split(mark), "status": outcome.status}


def _keep_page(job: Job, result: dict[str, Any]) -> dict[str, Any]:
    """Store the rendered part for two hours, and return the job's result that names it."""
    name = f"step-{secrets.token_hex(16)}"
    delete_old_files(_shelf(), seconds=UPLOAD_LIFETIME_SECONDS)
    _shelf().save_file(name, [json.dumps(result).encode()])
    return {"page": name, "next": _address(job)}


def _address(job: Job) -> str:
    return f"{job.arguments['next']}?step={job.pk}"


def _shelf() -> Any:
    return file_store("readings")
