"""Adding many players at once from a file, with a preview, and downloading an event's reports."""

from __future__ import annotations

import calendar
import json
from collections.abc import Mapping, Sequence
from datetime import date
from hashlib import sha256

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from clubs.access import get_club_for_arbiter
from clubs.models import Club, Role
from clubs.request_types import AuthenticatedRequest, parse_key
from clubs.roles import roles_in_club
from common.jobs.import_steps import ImportStep, new_import_step, show_import
from common.tabular.column_mapping import submitted_column_kinds
from common.text.months import add_months, parse_month
from pairing.engine.trf import TrfEdition
from tournaments.access import get_tournament_for_arbiter
from tournaments.entries.column_detection import COLUMN_KINDS
from tournaments.entries.enrolment import change_entry, enter_pasted_list, first_open_round, preview_pasted_list
from tournaments.entries.forms import ImportFileForm, PastePlayersForm
from tournaments.entries.player_rows import EDITABLE_CELLS, PlayerRow
from tournaments.entries.views.entries import linked_member_message, players_entered_message, unpublished_rounds
from tournaments.import_export.arbiter_overrides import arbiter_overrides
from tournaments.import_export.forms import (
    MissingPlayerDataForm,
    PlayerNameInReportForm,
    missing_player_data_forms,
    report_name_forms,
)
from tournaments.import_export.member_data_transfer import find_new_member_details, save_member_details
from tournaments.import_export.monthly_reports import export_month_trf, reportable_rounds_by_month
from tournaments.import_export.player_import_steps import (
    IMPORT_PLAYERS_TASK,
    PREVIEW_PLAYERS_TASK,
    do_player_import_step,
    upload_place,
)
from tournaments.import_export.report_completeness import events_to_report, missing_report_fields, unreported_events
from tournaments.import_export.trf_export import export_trf, has_byes_to_come
from tournaments.models import Tournament
from tournaments.problems import ArbiterProblem


@require_http_methods(["GET", "HEAD", "POST"])
def entries_paste(request: AuthenticatedRequest, club: str, event: str) -> HttpResponse:
    """Enter a list of players, one per line, after a preview."""
    the_event = get_tournament_for_arbiter(request.user, club, event)
    initial = {"from_round": first_open_round(the_event)}
    form = PastePlayersForm(request.POST or None, rounds=unpublished_rounds(the_event), initial=initial)
    preview, is_other = None, False
    if request.method == "POST" and form.is_valid():
        pasted, from_round = form.cleaned_data["text"], form.cleaned_data["from_round"]
        said = submitted_column_kinds(request.POST)
        shown, edits = request.POST.get("seen", ""), _edits(request.POST)
        if shown and shown[:16] != _seen(pasted)[:16]:
            said, edits = {}, {}  # The choices were for the earlier list.
        preview = preview_pasted_list(the_event, pasted, said, edits)
        # Without a preview before it, what was pasted is what is meant.
        is_other = bool(shown) and shown != _seen(pasted, preview.rows)
        in_part = request.POST.get("enter") == ENTER_CLEAR_ROWS
        if "enter" in request.POST and not is_other:
            try:
                entered = enter_pasted_list(
                    the_event,
                    pasted,
                    by=request.user,
                    from_round=from_round,
                    column_kinds=said,
                    edits=edits,
                    in_part=in_part,
                )
            except ArbiterProblem as problem:
                form.add_error(None, problem.message)
            else:
                messages.success(request, players_entered_message(len(entered)))
                if not (in_part and preview.must_check_lines):
                    return redirect("entries", club, event)
                preview = preview_pasted_list(the_event, preview.text_of_unclear_lines, said)
        form.data = request.POST.copy()
        form.data["text"] = preview.text
    context = {
        "tournament": the_event,
        "may_run": True,
        "here": "players",
        "form": form,
        "preview": preview,
        "kinds": COLUMN_KINDS.items(),
        "is_other": is_other and "enter" in request.POST,
        "seen": _seen(preview.text, preview.rows) if preview else "",
    }
    template = "tournaments/import_export/entries_paste.html"
    part = f"{template}#paste" if request.htmx and "enter" not in request.POST else template
    return render(request, part, context, status=422 if form.errors and not request.htmx else 200)


ENTER_CLEAR_ROWS = "clear"
"""The value of the button that enters the rows without problems."""


def _edits(sent: Mapping[str, str]) -> dict[int, dict[str, str]]:
    """Return the cells and answers of the page's rows, by line."""
    edits: dict[int, dict[str, str]] = {}
    for name, text in sent.items():
        cell, _dash, line = name.rpartition("-")
        if cell in (*EDITABLE_CELLS, "answer"):
            edits.setdefault(parse_key(line), {})[cell] = text
    return edits


def _seen(text: str, rows: Sequence[PlayerRow] = ()) -> str:
    """Return a fingerprint of a list and its rows, so that only what was shown can be entered."""
    shown = [(row.line, *row.cells.values(), row.federation, row.club_name, row.remark, row.answer) for row in rows]
    return "".join(sha256(part.encode()).hexdigest()[:16] for part in (" ".join(text.split()), json.dumps(shown)))


@require_http_methods(["GET", "HEAD", "POST"])
def entries_import(request: AuthenticatedRequest, club: str, event: str) -> HttpResponse:
    """Import a table of players, or a report file, into an event."""
    the_event = get_tournament_for_arbiter(request.user, club, event)
    context = {"tournament": the_event, "may_run": True, "here": "players"}
    return _import(request, the_event, "tournaments/import_export/entries_import.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def tournament_import(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Create an event from a report file."""
    the_club = get_club_for_arbiter(request.user, club)
    context: dict[str, object] = {"club": the_club}
    return _import(request, the_club, "tournaments/import_export/tournament_import.html", context)


def _import(
    request: AuthenticatedRequest, target: Tournament | Club, template: str, context: dict[str, object]
) -> HttpResponse:
    """Show the upload form, the preview of a file, or import it, depending on the request."""
    return show_import(
        request,
        template,
        context,
        place=upload_place(target),
        form=ImportFileForm,
        choose=_chosen_file,
        do=do_player_import_step,
        preview_task=PREVIEW_PLAYERS_TASK,
        import_task=IMPORT_PLAYERS_TASK,
    )


def _chosen_file(request: HttpRequest, place: str) -> ImportStep | ImportFileForm:
    """Return the preview of the file that was sent, or the form for choosing one."""
    if request.method != "POST":
        return ImportFileForm()
    form = ImportFileForm(request.POST, request.FILES)
    if not form.is_valid():
        return form
    file = form.cleaned_data["file"]
    return new_import_step(request, file.read(), file.name, place=place)


@require_safe
def trf_export(request: AuthenticatedRequest, club: str, event: str) -> HttpResponse:
    """Download the event as a report file, or one month's part of it.

    `?coming=1` adds byes for future rounds. `?codes=trf16` writes the older codes.
    """
    the_event = get_tournament_for_arbiter(request.user, club, event)
    month = parse_month(request.GET.get("month", ""))
    is_old = request.GET.get("codes") == TrfEdition.TRF16
    edition = TrfEdition.TRF16 if is_old else TrfEdition.TRF26
    try:
        report = (
            export_trf(the_event, with_coming_byes="coming" in request.GET, edition=edition)
            if month is None
            else export_month_trf(the_event, month)
        )
    except ArbiterProblem as problem:
        messages.error(request, problem.message)
        return redirect("tournament", club, event)
    if report is None:
        raise Http404
    response = HttpResponse(report, content_type="text/plain; charset=utf-8")
    part = f"-{month:%Y-%m}" if month else ""
    response.headers["Content-Disposition"] = f'attachment; filename="{the_event.slug}{part}.trf"'
    return response


@require_http_methods(["GET", "HEAD", "POST"])
def fide_report_check(request: AuthenticatedRequest, club: str, event: str) -> HttpResponse:
    """Show the data an event's report lacks, with forms or links to add it.

    Report names can be changed here too, and members' data saved in the member list.
    """
    the_event = get_tournament_for_arbiter(request.user, club, event)
    may_write = Role.SECRETARY in roles_in_club(request.user, the_event.club)
    if request.method == "POST" and "known" in request.POST and may_write:
        if save_member_details(the_event, request.POST.getlist("known"), by=request.user):
            messages.success(request, _("Member list updated."))
        return redirect("fide_report_check", club, event)
    entries = list(the_event.entries.select_related("member").order_by("tpn", "name"))
    of_names, data = "names" in request.POST, request.POST or None
    forms = missing_player_data_forms(entries, None if of_names else data)
    names = report_name_forms(the_event, entries, data if of_names else None)
    sent: Sequence[MissingPlayerDataForm | PlayerNameInReportForm] = names if of_names else forms
    # Every form is validated, so that each shows its own errors.
    valid = [form.is_valid() for form in sent] if data else []
    if data and all(valid):
        changed = [
            change_entry(form.instance, by=request.user, **form.changed_values) for form in sent if form.changed_values
        ]
        said = ngettext("%(n)s player updated.", "%(n)s players updated.", len(changed))
        messages.success(
            request, _("The report will use the names you entered.") if of_names else said % {"n": len(changed)}
        )
        guests = {form.instance.pk for form in sent if form.instance.member_id is None}
        for entry in changed:
            if entry.member_id and entry.pk in guests:
                messages.success(request, linked_member_message(entry.name))
        return redirect("fide_report_check", club, event)
    context = {
        "tournament": the_event,
        "may_run": True,
        "here": "overview",
        "lacking": missing_report_fields(the_event),
        "has_byes_to_come": has_byes_to_come(the_event),
        "forms": forms,
        "names": names,
        "known": find_new_member_details(the_event) if may_write else [],
        "parts": reportable_rounds_by_month(the_event, the_event.rounds.all()),
        "overrides": arbiter_overrides(the_event) if the_event.fide_rated else [],
    }
    status = 422 if data and not all(valid) else 200
    return render(request, "tournaments/import_export/fide_report_check.html", context, status=status)


@require_safe
def monthly_fide_reports(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Show the events reported to FIDE for a month, and the data their reports lack."""
    the_club = get_club_for_arbiter(request.user, club)
    first, last = _month(request)
    context = {
        "club": the_club,
        "month": first,
        "before": add_months(first, -1),
        "after": add_months(first, 1),
        "reports": events_to_report(the_club, first, last),
        "others": unreported_events(the_club, first, last),
    }
    return render(request, "tournaments/import_export/monthly_fide_reports.html", context)


def _month(request: HttpRequest) -> tuple[date, date]:
    """Return the first and last day of the requested month (2026-11), or of this month."""
    first = parse_month(request.GET.get("month", "")) or timezone.localdate().replace(day=1)
    return first, first.replace(day=calendar.monthrange(first.year, first.month)[1])
