"""The steps of importing players or an event: the preview, again with other choices, and the import."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from clubs.models import Club, User
from clubs.request_types import parse_key
from common.jobs.import_steps import (
    IMPORTING,
    MAX_PREVIEW_LINES,
    PREVIEWING,
    ImportDone,
    ImportPage,
    ImportStep,
)
from common.jobs.kinds import register_job_kind
from common.tabular.column_mapping import submitted_column_kinds
from tournaments.entries.column_detection import COLUMN_KINDS
from tournaments.entries.forms import ImportFileForm
from tournaments.import_export.file_import import ImportPreview, apply_import, preview_import
from tournaments.import_export.forms import ImportedEventForm
from tournaments.models import Tournament
from tournaments.problems import ArbiterProblem

PREVIEW_PLAYERS_TASK = register_job_kind("tournaments.tasks.preview_players", PREVIEWING)
IMPORT_PLAYERS_TASK = register_job_kind("tournaments.tasks.import_players", IMPORTING)


def upload_place(target: Tournament | Club) -> str:
    """Return the key under which uploads for an event, or for a new event of a club, are kept."""
    return f"{'event' if isinstance(target, Tournament) else 'club'} {target.pk}"


def do_player_import_step(step: ImportStep) -> ImportPage | ImportDone:
    """Preview a file, or import it into the step's event, or as a new event of the step's club."""
    kind, _sep, key = step.place.partition(" ")
    target: Tournament | Club = (Tournament if kind == "event" else Club).objects.get(pk=key)
    said, who, part = submitted_column_kinds(step.sent), _who(step.sent), step.sent.get("part", "")
    is_other = part != step.sent.get("shown-part", part)
    who = {} if is_other else who
    # Only the event that was shown is imported, and answers about members are for it.
    if not step.saves or is_other:
        return _page(step, target, preview_import(target, step.data, step.filename, said, who, part))
    chosen: dict[str, Any] = {}
    form = ImportedEventForm(step.sent)
    if isinstance(target, Club):
        if not form.is_valid():
            preview = preview_import(target, step.data, step.filename, said, who, part)
            return replace(_page(step, target, preview, system_form=form), status=422)
        chosen = {"system": form.cleaned_data["system"], "rated_as": form.chosen_time_control_kind}
    by = step.by if isinstance(step.by, User) else None
    try:
        event = apply_import(
            target, step.data, step.filename, by=by, column_kinds=said, member_answers=who, part=part, **chosen
        )
    except ArbiterProblem as problem:
        preview = preview_import(target, step.data, step.filename, said, who, part)
        return replace(_page(step, target, preview, system_form=form, problem=problem), status=422)
    return ImportDone(
        url=reverse("entries", args=[event.club.slug, event.slug]),
        message=_("“%(file)s” imported.") % {"file": step.filename},
    )


def _page(step: ImportStep, target: Tournament | Club, preview: ImportPreview, **more: object) -> ImportPage:
    is_club = isinstance(target, Club)
    args = [target.slug] if isinstance(target, Club) else [target.club.slug, target.slug]
    context = {
        "form": ImportFileForm(),
        "preview": preview,
        "system_form": _system_form(preview),
        "kinds": COLUMN_KINDS.items(),
        "shown": MAX_PREVIEW_LINES,
        "action": reverse("tournament_import" if is_club else "entries_import", args=args),
        "making_an_event": is_club,
        "token": step.token if preview.can_be_imported or preview.can_be_changed else "",
    }
    return ImportPage(
        template="tournaments/import_export/import_steps.html",
        context=context | more,
        status=200 if preview.can_be_imported else 422,
    )


def _system_form(preview: ImportPreview) -> ImportedEventForm:
    """Return the form, filled in with the system and time control from the file."""
    said = {"system": preview.system, "rated_as": preview.rated_as}
    form = ImportedEventForm(initial={name: value for name, value in said.items() if value})
    if preview.is_team_event:
        form.fields["system"].help_text = _("The system for the standings. The next round can't be paired here.")
    return form


def _who(sent: Mapping[str, str]) -> dict[int, str]:
    """Return the answers by line: a member's key or `guest`."""
    return {parse_key(name.removeprefix("who-")): value for name, value in sent.items() if name.startswith("who-")}
