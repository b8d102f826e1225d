"""Pages that list the data reports lack before they are sent: for one event and for a month."""

from __future__ import annotations

import calendar
from collections.abc import Sequence
from datetime import date

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from clubs.access import get_club_for_arbiter, roles_in_club
from clubs.models import Role
from clubs.request_types import AuthenticatedRequest
from common.text.months import add_months, parse_month
from tournaments.access import get_tournament_for_arbiter
from tournaments.entries.entry_changes import change_entry
from tournaments.entries.views.entries import linked_member_message
from tournaments.import_export.forms import (
    MissingPlayerDataForm,
    ReportNameForm,
    missing_player_data_forms,
    report_name_forms,
)
from tournaments.import_export.member_data_transfer import find_new_member_details, save_member_details
from tournaments.import_export.monthly_reports import reportable_rounds_by_month
from tournaments.import_export.report_completeness import events_not_reported, events_to_report, missing_report_fields


@require_http_methods(["GET", "HEAD", "POST"])
def fide_report_check(request: AuthenticatedRequest, club: str, event: str) -> HttpResponse:
    """The data an event's report lacks, with forms or links to add it.

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
    sent: Sequence[MissingPlayerDataForm | ReportNameForm] = names if of_names else forms
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
        "forms": forms,
        "names": names,
        "known": find_new_member_details(the_event) if may_write else [],
        "parts": reportable_rounds_by_month(the_event, the_event.rounds.all()),
    }
    status = 422 if data and not all(valid) else 200
    return render(request, "tournaments/import_export/fide_report_check.html", context, status=status)


@require_safe
def monthly_fide_reports(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """The events reported to FIDE for a month, and the data their reports lack."""
    the_club = get_club_for_arbiter(request.user, club)
    first, last = _month(request)
    context = {
        "club": the_club,
        "month": first,
        "before": add_months(first, -1),
        "after": add_months(first, 1),
        "reports": events_to_report(the_club, first, last),
        "others": events_not_reported(the_club, first, last),
    }
    return render(request, "tournaments/import_export/monthly_fide_reports.html", context)


def _month(request: HttpRequest) -> tuple[date, date]:
    """Return the first and last day of the requested month (2026-11), or of this month."""
    first = parse_month(request.GET.get("month", "")) or timezone.localdate().replace(day=1)
    return first, first.replace(day=calendar.monthrange(first.year, first.month)[1])
