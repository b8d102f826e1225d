"""Pages for exporting a club (its secretary) and for importing one (the server's administrator)."""

from __future__ import annotations

from allauth.account.decorators import reauthentication_required
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_http_methods, require_safe

from clubs.access import get_club_for_secretary
from clubs.membership.onboarding.access import check_administrator
from clubs.models import Club, PersonalDataAccess
from clubs.page_context import club_page_context
from clubs.privacy import log_data_access
from clubs.request_types import AuthenticatedRequest
from common.file_store.upload_limits import MAX_LIST_FILE_BYTES
from common.jobs.import_steps import ImportStep, new_import_step, show_import
from common.jobs.redirects import enqueue_and_redirect
from operations.club_transfer.export_job import club_archive_store, latest_club_export, start_club_export
from operations.club_transfer.import_steps import (
    IMPORT_CLUB_TASK,
    PREVIEW_CLUB_TASK,
    ClubImportForm,
    do_club_import_step,
    upload_place,
)


@require_http_methods(["GET", "HEAD", "POST"])
def club_export(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Export all of the club's data, or show the latest export."""
    the_club = get_club_for_secretary(request.user, club)
    if request.method == "POST":
        with_papers = "papers" in request.POST
        return enqueue_and_redirect(request, start_club_export(the_club, by=request.user, with_papers=with_papers))
    latest = latest_club_export(the_club, request.user)
    context = club_page_context(request.user, the_club, "settings") | {
        "latest": latest,
        "is_too_large": latest is not None and latest.result["size"] > MAX_LIST_FILE_BYTES,
    }
    return render(request, "operations/club_transfer/club_export.html", context)


@require_safe
def club_export_download(request: AuthenticatedRequest, club: str) -> HttpResponseBase:
    """Download the user's latest export after signing in again, because it contains all personal data."""
    return _sent(request, get_club_for_secretary(request.user, club))


@reauthentication_required(allow_get=False)
def _sent(request: AuthenticatedRequest, club: Club) -> HttpResponseBase:
    job = latest_club_export(club, request.user)
    if job is None:
        raise Http404
    log_data_access(club, PersonalDataAccess.DataAccessKind.LIST_EXPORT, by=request.user, whole_club=True)
    day = job.finished_at.date().isoformat() if job.finished_at else ""
    response = FileResponse(
        club_archive_store().open_file(job.result["file"]),
        as_attachment=True,
        filename=f"{club.slug}-{day}.clubnight.zip",
        content_type="application/zip",
    )
    response.headers["Cache-Control"] = "private, no-store"
    return response


@require_http_methods(["GET", "HEAD", "POST"])
def club_import(request: AuthenticatedRequest) -> HttpResponse:
    """Import a club from another Clubnight server. Only the administrator may do this."""
    check_administrator(request.user)
    return show_import(
        request,
        "operations/club_transfer/club_import.html",
        {},
        place=upload_place(request.build_absolute_uri("/")),
        form=ClubImportForm,
        choose=_chosen_file,
        do=do_club_import_step,
        preview_task=PREVIEW_CLUB_TASK,
        import_task=IMPORT_CLUB_TASK,
    )


def _chosen_file(request: HttpRequest, place: str) -> ImportStep | ClubImportForm:
    """Return the preview of the file that was sent, or the form for choosing one."""
    if request.method != "POST":
        return ClubImportForm()
    form = ClubImportForm(request.POST, request.FILES)
    if not form.is_valid():
        return form
    file = form.cleaned_data["file"]
    return new_import_step(request, file.read(), file.name[:100], place=place)
