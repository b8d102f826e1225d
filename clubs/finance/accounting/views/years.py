"""Pages of a year: its report, budget, closing, and the entries as a file."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.access import get_club_for_auditor, get_club_for_treasurer
from clubs.finance.accounting.forms import BudgetForm, ReasonForm
from clubs.finance.accounting.reports import entries_table, year_report
from clubs.finance.accounting.years import close_year, closed_years, reopen_year, waiting_lines, what_waits
from clubs.frame import frame
from clubs.models import Viewing
from clubs.privacy import record_viewing
from clubs.requests import OfficerRequest
from common.problems import OfficerProblem
from common.tabular.answers import TABLE_KINDS, table_answer


@require_safe
def books_year(request: OfficerRequest, club: str, year: int) -> HttpResponse:
    """A year's report, with the budget beside it."""
    the_club = get_club_for_auditor(request.user, club)
    context = frame(request.user, the_club, "books") | {
        "report": year_report(the_club, _known(year)),
        "is_over": year < timezone.localdate().year,
        "form": ReasonForm(),
        "waits": what_waits(year, waiting) if (waiting := waiting_lines(the_club, year)) else "",
    }
    return render(request, "clubs/finance/accounting/year.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def books_budget(request: OfficerRequest, club: str, year: int) -> HttpResponse:
    """What the year is expected to bring and cost."""
    the_club = get_club_for_treasurer(request.user, club)
    form = BudgetForm(request.POST or None, club=the_club, year=_known(year))
    if request.method == "POST" and year in closed_years(the_club):
        form.add_error(None, _("The year %(year)s is closed: its budget stays.") % {"year": year})
    elif request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, _("Kept."))
        return redirect("books_year", club, year)
    context = frame(request.user, the_club, "books") | {"form": form, "year": year}
    return render(request, "clubs/finance/accounting/budget.html", context, status=422 if form.errors else 200)


@require_POST
def books_year_close(request: OfficerRequest, club: str, year: int) -> HttpResponse:
    """Close a year, or open it again with a reason."""
    the_club = get_club_for_treasurer(request.user, club)
    try:
        if "reason" in request.POST:
            reopen_year(the_club, _known(year), reason=request.POST["reason"][:160], by=request.user)
            messages.success(request, _("The year is open again."))
        else:
            figures = year_report(the_club, _known(year)).figures
            close_year(the_club, year, figures=figures, by=request.user, is_sure="is_sure" in request.POST)
            messages.success(request, _("The year is closed."))
    except OfficerProblem as problem:
        messages.error(request, problem.message)
    return redirect("books_year", club, year)


@require_safe
def books_export(request: OfficerRequest, club: str, year: int, kind: str) -> HttpResponse:
    """A year's entries as CSV or XLSX."""
    the_club = get_club_for_auditor(request.user, club)
    if kind not in TABLE_KINDS:
        raise Http404
    headings, rows = entries_table(the_club, _known(year))
    record_viewing(the_club, Viewing.What.LIST_EXPORT, by=request.user, books=year, count=len(rows))
    return table_answer(headings, rows, f"{the_club.slug}-books-{year}", kind, title=str(year), totals=_("In all"))


def _known(year: int) -> int:
    if not 1990 <= year <= 2200:
        raise Http404
    return year
