"""Pages of an accounting year: report, budget, closing and export."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.access import get_club_for_auditor, get_club_for_treasurer
from clubs.finance.accounting.forms import ReasonForm, YearBudgetForm
from clubs.finance.accounting.reports import build_year_report, journal_table
from clubs.finance.accounting.year_closing import (
    bank_lines_to_review_message,
    close_year,
    closed_years,
    count_bank_lines_to_review,
    reopen_year,
)
from clubs.models import PersonalDataAccess
from clubs.page_context import club_page_context
from clubs.privacy import log_data_access
from clubs.request_types import AuthenticatedRequest
from common.problems import OfficerProblem
from common.tabular.file_responses import TABLE_FORMATS, table_response


@require_safe
def accounting_year_report(request: AuthenticatedRequest, club: str, year: int) -> HttpResponse:
    """Show a year's report with its budget."""
    the_club = get_club_for_auditor(request.user, club)
    context = club_page_context(request.user, the_club, "accounting_overview") | {
        "report": build_year_report(the_club, _known(year)),
        "is_over": year < timezone.localdate().year,
        "form": ReasonForm(),
        "waits": bank_lines_to_review_message(year, waiting)
        if (waiting := count_bank_lines_to_review(the_club, year))
        else "",
    }
    return render(request, "clubs/finance/accounting/annual_report.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def year_budget_edit(request: AuthenticatedRequest, club: str, year: int) -> HttpResponse:
    """Edit a year's budget."""
    the_club = get_club_for_treasurer(request.user, club)
    form = YearBudgetForm(request.POST or None, club=the_club, year=_known(year))
    if request.method == "POST" and year in closed_years(the_club):
        form.add_error(None, _("The year %(year)s is closed, so its budget can't be changed.") % {"year": year})
    elif request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, _("Saved."))
        return redirect("accounting_year_report", club, year)
    context = club_page_context(request.user, the_club, "accounting_overview") | {"form": form, "year": year}
    return render(request, "clubs/finance/accounting/budget.html", context, status=422 if form.errors else 200)


@require_POST
def accounting_year_close(request: AuthenticatedRequest, club: str, year: int) -> HttpResponse:
    """Close a year, or reopen it with a reason."""
    the_club = get_club_for_treasurer(request.user, club)
    try:
        if "reason" in request.POST:
            reopen_year(the_club, _known(year), reason=request.POST["reason"][:160], by=request.user)
            messages.success(request, _("Year reopened."))
        else:
            figures = build_year_report(the_club, _known(year)).closing_figures
            close_year(the_club, year, figures=figures, by=request.user, is_sure="is_sure" in request.POST)
            messages.success(request, _("Year closed."))
    except OfficerProblem as problem:
        messages.error(request, problem.message)
    return redirect("accounting_year_report", club, year)


@require_safe
def accounting_year_export(request: AuthenticatedRequest, club: str, year: int, kind: str) -> HttpResponse:
    """Export a year's entries as CSV or XLSX."""
    the_club = get_club_for_auditor(request.user, club)
    if kind not in TABLE_FORMATS:
        raise Http404
    headings, rows = journal_table(the_club, _known(year))
    log_data_access(the_club, PersonalDataAccess.AccessKind.LIST_EXPORT, by=request.user, books=year, count=len(rows))
    return table_response(headings, rows, f"{the_club.slug}-books-{year}", kind, title=str(year), totals=_("Total"))


def _known(year: int) -> int:
    if not 1990 <= year <= 2200:
        raise Http404
    return year
