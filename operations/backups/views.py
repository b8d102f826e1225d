"""The server's backups: when the last good one was made, one more now, one to take away."""

from __future__ import annotations

from datetime import timedelta

from allauth.account.decorators import reauthentication_required
from django.conf import settings
from django.http import FileResponse, Http404, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from clubs.membership.onboarding.access import check_administrator
from clubs.requests import OfficerRequest
from common.jobs.queue import new_job
from common.jobs.standing import line_of
from common.jobs.waiting import soon
from operations.backups.folder import KeptBackup, folder, kept_backup, kept_backups
from operations.backups.nightly import BACK_UP, KEY, latest_try

TOO_OLD = timedelta(days=2)
"""One night may have failed; with two, somebody should look."""


@require_safe
def backups(request: OfficerRequest) -> HttpResponse:
    """Every backup there is, and how the last try went."""
    check_administrator(request.user)
    there, tried = kept_backups(), latest_try()
    latest = there[0] if there else None
    context = {
        "backups": there,
        "latest": latest,
        "is_too_old": latest is None or latest.made_at < timezone.now() - TOO_OLD,
        "folder": folder(),
        "has_key": bool(settings.BACKUP_KEY),
        "line": line_of(tried) if tried and tried.state != tried.State.DONE else None,
    }
    return render(request, "operations/backups/backups.html", context)


@require_POST
def backup_make(request: OfficerRequest) -> HttpResponse:
    """One more, now; pressed twice, or at night, still one."""
    user = check_administrator(request.user)
    return soon(request, new_job(BACK_UP, by=user, key=KEY, arguments={"next": reverse("backups")}))


@require_safe
def backup_file(request: OfficerRequest, name: str) -> HttpResponseBase:
    """One of them, for whoever has just shown once more who he is: everything about everybody is in it."""
    check_administrator(request.user)
    found = kept_backup(name)
    if found is None:
        raise Http404
    return _sent(request, found)


@reauthentication_required(allow_get=False)
def _sent(_request: OfficerRequest, backup: KeptBackup) -> HttpResponseBase:
    response = FileResponse(backup.path.open("rb"), as_attachment=True, filename=backup.path.name)
    response.headers["Cache-Control"] = "private, no-store"
    return response
