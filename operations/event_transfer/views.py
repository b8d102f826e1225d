"""Pages for export and import of an event. The import shows the content before it is confirmed."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods, require_safe

from clubs.access import get_club_for_arbiter
from clubs.models import PersonalDataAccess, Role
from clubs.privacy import log_data_access
from clubs.request_types import AuthenticatedRequest
from clubs.roles import roles_in_club
from common.jobs.import_steps import ImportStep, new_import_step, show_import
from common.tabular.file_responses import file_response
from operations.event_transfer.event_export import render_event_file
from operations.event_transfer.import_steps import (
    IMPORT_EVENT_TASK,
    PREVIEW_EVENT_TASK,
    EventImportForm,
    do_event_import_step,
    upload_place,
)
from tournaments.access import get_tournament_for_arbiter


@require_safe
def event_file_export(request: AuthenticatedRequest, club: str, event: str) -> HttpResponse:
    """Download the complete event as a file. Online entries are in the secretary's file only."""
    the_event = get_tournament_for_arbiter(request.user, club, event)
    is_secretary = Role.SECRETARY in roles_in_club(request.user, the_event.club)
    if is_secretary and the_event.online_entries.exists():
        log_data_access(the_event.club, PersonalDataAccess.DataAccessKind.LIST_EXPORT, by=request.user)
    data = render_event_file(the_event, with_online_entries=is_secretary)
    return file_response(data, f"{the_event.slug}.clubnight", "json")


@require_http_methods(["GET", "HEAD", "POST"])
def event_file_import(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Import an event from another Clubnight server into this club."""
    the_club = get_club_for_arbiter(request.user, club)
    return show_import(
        request,
        "operations/event_transfer/event_file_import.html",
        {"club": the_club},
        place=upload_place(the_club),
        form=EventImportForm,
        choose=_chosen_file,
        do=do_event_import_step,
        preview_task=PREVIEW_EVENT_TASK,
        import_task=IMPORT_EVENT_TASK,
    )


def _chosen_file(request: HttpRequest, place: str) -> ImportStep | EventImportForm:
    """Return the preview of the file that was sent, or the form for choosing one."""
    if request.method != "POST":
        return EventImportForm()
    form = EventImportForm(request.POST, request.FILES)
    if not form.is_valid():
        return form
    file = form.cleaned_data["file"]
    return new_import_step(request, file.read(), file.name[:100], place=place)
