"""Pages for export and import of an event. The import shows the content before it is confirmed."""

from __future__ import annotations

import re

from django import forms
from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from clubs.access import get_club_for_arbiter
from clubs.models import Club
from clubs.request_types import AuthenticatedRequest
from common.file_store.upload_limits import MAX_EVENT_FILE_BYTES
from common.file_store.uploads import UploadGone, delete_upload, load_upload, store_upload
from common.jobs.file_reading import read_upload_first
from common.locking import lock_row
from common.tabular.file_field import ChosenFileField
from common.tabular.file_responses import file_response
from operations.event_transfer.event_export import render_event_file
from operations.event_transfer.event_import import ImportedEvent, find_existing_events, import_event
from operations.event_transfer.file_reader import READ_EVENT_TASK, read_event_file
from tournaments.access import get_tournament_for_arbiter
from tournaments.events.event_deletion import RESTORE_PERIOD
from tournaments.models import Round
from tournaments.problems import ArbiterProblem


class EventImportForm(forms.Form):
    """The form for an event file."""

    file = ChosenFileField(largest=MAX_EVENT_FILE_BYTES, accept=".json,application/json")


_TEMPLATE = "operations/event_transfer/event_file_import.html"


@require_safe
def event_file_export(request: AuthenticatedRequest, club: str, event: str) -> HttpResponse:
    """Download the complete event as a file."""
    the_event = get_tournament_for_arbiter(request.user, club, event)
    return file_response(render_event_file(the_event), f"{the_event.slug}.clubnight", "json")


@require_http_methods(["GET", "HEAD", "POST"])
def event_file_import(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Import an event from another Clubnight server into this club."""
    the_club = get_club_for_arbiter(request.user, club)
    if request.method != "POST":
        return _preview_of_read(request, the_club) if "token" in request.GET else _page(request, the_club)
    if "token" in request.POST:
        return _bring_in_kept(request, the_club)
    form = EventImportForm(request.POST, request.FILES)
    if not form.is_valid():
        return render(request, _TEMPLATE, {"club": the_club, "form": form}, status=422)
    file = form.cleaned_data["file"]
    data, place = file.read(), _place(the_club)
    token = store_upload(data, file.name[:100], by=request.user, place=place)
    return read_upload_first(request, data, token, task=READ_EVENT_TASK, place=place, back=request.path) or _preview(
        request, the_club, data, token
    )


def _page(request: AuthenticatedRequest, club: Club) -> HttpResponse:
    return render(request, _TEMPLATE, {"club": club, "form": EventImportForm()})


def _preview_of_read(request: AuthenticatedRequest, club: Club) -> HttpResponse:
    """Show a large file that a worker has read."""
    token = request.GET["token"]
    try:
        data, _filename = load_upload(token, by=request.user, place=_place(club))
    except UploadGone:
        return _refused(request, club, _file_gone())
    return _preview(request, club, data, token)


def _preview(request: AuthenticatedRequest, the_club: Club, data: bytes, token: str) -> HttpResponse:
    try:
        holds = read_event_file(data)
    except ArbiterProblem as problem:
        return _refused(request, the_club, problem)
    paired = sum(each.state != Round.State.WAITING for each in holds.rounds)
    same = find_existing_events(the_club, holds)
    context = {
        "club": the_club,
        "holds": holds,
        "paired": paired,
        "token": token,
        "same": same,
        "days": RESTORE_PERIOD.days,
    }
    return render(request, _TEMPLATE, context)


def _bring_in_kept(request: AuthenticatedRequest, club: Club) -> HttpResponse:
    try:
        brought = _once(request, club)
    except UploadGone:
        return _refused(request, club, _file_gone())
    except ArbiterProblem as problem:
        return _refused(request, club, problem)
    messages.success(request, _("You can now continue “%(event)s” here.") % {"event": brought.event.name})
    if brought.unmatched_members:
        said = _("Imported as guests, because they aren't members of this club: %(count)s.")
        messages.warning(request, said % {"count": brought.unmatched_members})
    if brought.rated_duplicate is not None:
        said = _("This copy doesn't count towards the club's ratings, because the event at %(address)s already does.")
        messages.warning(request, said % {"address": f"/{club.slug}/{brought.rated_duplicate.slug}/"})
    return redirect("tournament", club.slug, brought.event.slug)


@transaction.atomic
def _once(request: AuthenticatedRequest, club: Club) -> ImportedEvent:
    """Import once on a double click: the second request waits, and then finds no file."""
    lock_row(Club, club.pk)
    token = request.POST["token"]
    data, filename = load_upload(token, by=request.user, place=_place(club))
    key, _sep, seen = request.POST.get("instead_of", "").partition(" ")
    instead_of = (int(key) if re.fullmatch("[0-9]{1,15}", key) else 0) if key else None
    file = read_event_file(data)
    brought = import_event(club, file, filename=filename, by=request.user, instead_of=instead_of, seen=seen)
    delete_upload(token, by=request.user, place=_place(club))
    return brought


def _file_gone() -> ArbiterProblem:
    return ArbiterProblem(_("The file is no longer available, so nothing was imported. Choose it again."))


def _refused(request: AuthenticatedRequest, club: Club, problem: ArbiterProblem) -> HttpResponse:
    context = {"club": club, "form": EventImportForm(), "problem": problem}
    return render(request, _TEMPLATE, context, status=422)


def _place(club: Club) -> str:
    return f"event for club {club.pk}"
