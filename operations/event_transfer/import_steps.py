"""The steps of importing an event file: the preview, and the import."""

from __future__ import annotations

import re

from django import forms
from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext as _

from clubs.models import Club, Role, User
from clubs.roles import roles_in_club
from common.file_store.upload_limits import MAX_EVENT_FILE_BYTES
from common.file_store.uploads import delete_upload, load_upload
from common.jobs.import_steps import IMPORTING, PREVIEWING, ImportDone, ImportPage, ImportStep
from common.jobs.kinds import register_job_kind
from common.locking import lock_row
from common.tabular.file_field import ChosenFileField
from operations.event_transfer.event_import import (
    ImportedEvent,
    find_existing_events,
    import_event,
    without_online_entries,
)
from operations.event_transfer.file_reader import read_event_file
from tournaments.events.event_deletion import RESTORE_PERIOD
from tournaments.models import Round
from tournaments.problems import ArbiterProblem

PREVIEW_EVENT_TASK = register_job_kind("operations.tasks.preview_event_task", PREVIEWING)
IMPORT_EVENT_TASK = register_job_kind("operations.tasks.import_event_task", IMPORTING)
_TEMPLATE = "operations/event_transfer/event_import_steps.html"


class EventImportForm(forms.Form):
    """The form for an event file."""

    file = ChosenFileField(largest=MAX_EVENT_FILE_BYTES, accept=".json,application/json")


def upload_place(club: Club) -> str:
    """Return the `place` for uploads of a club's event files (see `store_upload`)."""
    return f"event-file {club.pk}"


def do_event_import_step(step: ImportStep) -> ImportPage | ImportDone:
    """Preview an event file, or import it into its club."""
    club = Club.objects.get(pk=step.place.split()[1])
    try:
        if not step.saves:
            return _preview(step, club)
        brought = _import_once(step, club)
    except ArbiterProblem as problem:
        context = {"club": club, "form": EventImportForm(), "problem": problem}
        return ImportPage(template=_TEMPLATE, context=context, status=422)
    warnings = []
    if brought.unmatched_members:
        said = _("Imported as guests, because they aren't members of this club: %(count)s.")
        warnings.append(said % {"count": brought.unmatched_members})
    if brought.rated_duplicate is not None:
        said = _("This copy doesn't count towards the club's ratings, because the event at %(address)s already does.")
        warnings.append(said % {"address": f"/{club.slug}/{brought.rated_duplicate.slug}/"})
    return ImportDone(
        url=reverse("tournament", args=[club.slug, brought.event.slug]),
        message=_("You can now continue “%(event)s” here.") % {"event": brought.event.name},
        warnings=tuple(warnings),
    )


def _preview(step: ImportStep, club: Club) -> ImportPage:
    holds = read_event_file(step.data)
    context = {
        "club": club,
        "holds": holds,
        "paired": sum(each.state != Round.State.WAITING for each in holds.rounds),
        "token": step.token,
        "same": find_existing_events(club, holds),
        "days": RESTORE_PERIOD.days,
    }
    return ImportPage(template=_TEMPLATE, context=context)


@transaction.atomic
def _import_once(step: ImportStep, club: Club) -> ImportedEvent:
    """Import once on a double click: the second request waits, and then finds no file."""
    lock_row(Club, club.pk)
    load_upload(step.token, by=step.by, place=step.place)
    key, _sep, seen = step.sent.get("instead_of", "").partition(" ")
    instead_of = (int(key) if re.fullmatch("[0-9]{1,15}", key) else 0) if key else None
    file, by = read_event_file(step.data), User.objects.get(pk=step.by.pk)
    if Role.SECRETARY not in roles_in_club(by, club):
        file = without_online_entries(file)
    brought = import_event(club, file, filename=step.filename, by=by, instead_of=instead_of, seen=seen)
    delete_upload(step.token, by=step.by, place=step.place)
    return brought
