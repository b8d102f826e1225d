"""Before a report is sent: what the rating officer will miss, of one event and of a month's."""

from __future__ import annotations

import calendar
from datetime import date

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from clubs.access import get_club_for_arbiter
from clubs.requests import OfficerRequest
from clubs.writing.months import months_later, read_month
from tournaments.access import get_tournament_for_arbiter
from tournaments.entries.correcting import change_entry
from tournaments.exchange.completeness import lacking_in, not_reported, to_report
from tournaments.exchange.missing_forms import missing_forms


@require_http_methods(["GET", "HEAD", "POST"])
def event_report(request: OfficerRequest, club: str, event: str) -> HttpResponse:
    """What the event's report lacks, each with the way to mend it; what players lack is filled in here."""
    the_event = get_tournament_for_arbiter(request.user, club, event)
    forms = missing_forms(the_event.entries.select_related("member").order_by("tpn", "name"), request.POST or None)
    # Each form is looked at, so that each says what is wrong with it.
    valid = [form.is_valid() for form in forms]
    if request.method == "POST" and all(valid):
        changed = [change_entry(form.instance, by=request.user, **form.changes) for form in forms if form.changes]
        said = ngettext("%(n)s player is completed.", "%(n)s players are completed.", len(changed))
        messages.success(request, said % {"n": len(changed)})
        return redirect("event_report", club, event)
    context = {
        "tournament": the_event,
        "may_run": True,
        "here": "overview",
        "lacking": lacking_in(the_event),
        "forms": forms,
    }
    status = 422 if any(form.errors for form in forms) else 200
    return render(request, "tournaments/exchange/event_report.html", context, status=status)


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
    return render(request, "tournaments/exchange/reports_of_month.html", context)


def _month(request: HttpRequest) -> tuple[date, date]:
    """First and last day of the month asked for, as 2026-11; of this one where none is, or no month."""
    first = read_month(request.GET.get("month", "")) or timezone.localdate().replace(day=1)
    return first, first.replace(day=calendar.monthrange(first.year, first.month)[1])
