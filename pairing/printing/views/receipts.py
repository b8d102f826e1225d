"""A receipt for money and the year's report of the books on paper. Their data is the club's; only this app prints."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.views.decorators.http import require_safe

from clubs.access import get_club_for_auditor, get_receipt_for
from clubs.books.reports import year_report
from clubs.money.receipts import receipt_sheet
from clubs.requests import OfficerRequest
from pairing.paper.papers import books_paper, receipt_paper
from pairing.printing.answers import paper_answer


@require_safe
def print_receipt(request: OfficerRequest, club: str, year: int, number: int) -> HttpResponse:
    """A receipt, for those who may look at the club's money and for whoever paid."""
    entry = get_receipt_for(request.user, club, year, number)
    sheet = receipt_sheet(entry)
    return paper_answer(
        request, entry.club, f"{club}-receipt-{year}-{number}", lambda wishes: receipt_paper(sheet, wishes)
    )


@require_safe
def print_books(request: OfficerRequest, club: str, year: int) -> HttpResponse:
    """A year's report, for those who may look at the club's money; with lines for the auditors' names."""
    the_club = get_club_for_auditor(request.user, club)
    if not 1990 <= year <= 2200:
        raise Http404
    report = year_report(the_club, year)
    return paper_answer(request, the_club, f"{club}-books-{year}", lambda wishes: books_paper(the_club, report, wishes))
