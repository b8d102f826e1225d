"""A receipt for money on paper. Its data is the club's; only this app prints."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from clubs.access import get_receipt_for
from clubs.money.receipts import receipt_sheet
from clubs.requests import OfficerRequest
from pairing.paper.papers import receipt_paper
from pairing.printing.answers import paper_answer


@require_safe
def print_receipt(request: OfficerRequest, club: str, year: int, number: int) -> HttpResponse:
    """A receipt, for those who may look at the club's money and for whoever paid."""
    entry = get_receipt_for(request.user, club, year, number)
    sheet = receipt_sheet(entry)
    return paper_answer(
        request, entry.club, f"{club}-receipt-{year}-{number}", lambda wishes: receipt_paper(sheet, wishes)
    )
