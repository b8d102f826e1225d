"""Pages of the server's backups: list, make and download."""

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
from clubs.models import Club
from clubs.request_types import AuthenticatedRequest
from clubs.time_zones import activate_club_time_zone
from common.jobs.queue import create_job
from common.jobs.redirects import enqueue_and_redirect
from common.jobs.status import job_summary
from operations.backups.backup_folder import StoredBackup, find_backup, get_backup_folder, list_backups
from operations.backups.nightly_job import BACK_UP, BACKUP_JOB_KEY, latest_backup_job

MAX_BACKUP_AGE = timedelta(days=2)
"""One failed night is tolerated. After two the page warns."""


@require_safe
def backup_list(request: AuthenticatedRequest) -> HttpResponse:
    """Show every backup, and the latest attempt. Times are in the zone of the administrator's own club, if any."""
    user = check_administrator(request.user)
    own = Club.objects.filter(memberships__user=user).order_by("pk").first()
    if own:
        activate_club_time_zone(own)
    there, tried = list_backups(), latest_backup_job()
    latest = there[0] if there else None
    context = {
        "backups": there,
        "latest": latest,
        "is_too_old": latest is None or latest.made_at < timezone.now() - MAX_BACKUP_AGE,
        "folder": get_backup_folder(),
        "has_key": bool(settings.BACKUP_KEY),
        "line": job_summary(tried) if tried and tried.state != tried.State.DONE else None,
    }
    return render(request, "operations/backups/backup_list.html", context)


@require_POST
def backup_make(request: AuthenticatedRequest) -> HttpResponse:
    """Make a backup now. A second click, or the nightly backup, joins the same job."""
    user = check_administrator(request.user)
    return enqueue_and_redirect(
        request, create_job(BACK_UP, by=user, key=BACKUP_JOB_KEY, arguments={"next": reverse("backup_list")})
    )


@require_safe
def backup_download(request: AuthenticatedRequest, name: str) -> HttpResponseBase:
    """Download a backup after signing in again, because it contains all personal data."""
    check_administrator(request.user)
    found = find_backup(name)
    if found is None:
        raise Http404
    return _sent(request, found)


@reauthentication_required(allow_get=False)
def _sent(_request: AuthenticatedRequest, backup: StoredBackup) -> HttpResponseBase:
    response = FileResponse(backup.path.open("rb"), as_attachment=True, filename=backup.path.name)
    response.headers["Cache-Control"] = "private, no-store"
    return response
