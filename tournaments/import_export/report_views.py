"""Before a report is sent: what the rating officer will miss, of one event and of a month's."""

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

from clubs.access import get_club_for_arbiter, roles_in
from clubs.models import Role
from clubs.requests import OfficerRequest
from common.text.months import months_later, read_month
from tournaments.access import get_tournament_for_arbiter
from tournaments.entries.correcting import change_entry
from tournaments.entries.views.entries import said_linked
from tournaments.import_export.completeness import lacking_in, not_reported, to_report
from tournaments.import_export.forms import MissingForm, NameForm, missing_forms, name_forms
from tournaments.import_export.into_the_book import known_here, put_into_the_book
from tournaments.import_export.monthly_parts import parts_shown


@require_http_methods(["GET", "HEAD", "POST"])
def event_report(request: OfficerRequest, club: str, event: str) -> HttpResponse:
    """What the event's report lacks, each with the way to mend it; what players lack is filled in here.

    So are the names that go out otherwise; and what the book lacks of members is taken from here.
    """
    the_event = get_tournament_for_arbiter(request.user, club, event)
    may_write = Role.SECRETARY in roles_in(request.user, the_event.club)
    if request.method == "POST" and "known" in request.POST and may_write:
        if put_into_the_book(the_event, request.POST.getlist("known"), by=request.user):
            messages.success(request, _("The book is completed."))
        return redirect("event_report", club, event)
    entries = list(the_event.entries.select_related("member").order_by("tpn", "name"))
    of_names, data = "names" in request.POST, request.POST or None
    forms = missing_forms(entries, None if of_names else data)
    names = name_forms(the_event, entries, data if of_names else None)
    sent: Sequence[MissingForm | NameForm] = names if of_names else forms
    # Each form is looked at, so that each says what is wrong with it.
    valid = [form.is_valid() for form in sent] if data else []
    if data and all(valid):
        changed = [change_entry(form.instance, by=request.user, **form.changes) for form in sent if form.changes]
        said = ngettext("%(n)s player is completed.", "%(n)s players are completed.", len(changed))
        messages.success(request, _("The names go out as you wrote them.") if of_names else said % {"n": len(changed)})
        guests = {form.instance.pk for form in sent if form.instance.member_id is None}
        for entry in changed:
            if entry.member_id and entry.pk in guests:
                messages.success(request, said_linked(entry.name))
        return redirect("event_report", club, event)
    context = {
        "tournament": the_event,
        "may_run": True,
        "here": "overview",
        "lacking": lacking_in(the_event),
        "forms": forms,
        "names": names,
        "known": known_here(the_event) if may_write else [],
        "parts": parts_shown(the_event, the_event.rounds.all()),
    }
    status = 422 if data and not all(valid) else 200
    return render(request, "tournaments/import_export/event_report.html", context, status=status)


@require_safe
def reports_of_month(request: OfficerRequest, club: str) -> HttpResponse:
    """The events that are reported to FIDE for a month, and what their reports lack."""
    the_club = get_club_for_arbiter(request.user, club)
    first, last = _month(request)
    context = {
        "club": the_club,
        "month": first,
        "before": months_later(first, -1),
        "after": months_later(first, 1),
        "reports": to_report(the_club, first, last),
        "others": not_reported(the_club, first, last),
    }
    return render(request, "tournaments/import_export/reports_of_month.html", context)


def _month(request: HttpRequest) -> tuple[date, date]:
    """First and last day of the month asked for, as 2026-11; of this one where none is, or no month."""
    first = read_month(request.GET.get("month", "")) or timezone.localdate().replace(day=1)
    return first, first.replace(day=calendar.monthrange(first.year, first.month)[1])
