"""Papers by their addresses: one view for those of an event, of a round, of a club; their tables say what each is."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from clubs.access import can_run, get_club_for, get_club_for_member, get_receipt_for
from clubs.money.receipts import receipt_sheet
from clubs.requests import OfficerRequest, WebRequest
from pairing.access import get_round_for_visitor
from pairing.paper import papers
from pairing.printing.answers import paper_answer
from pairing.printing.documents import Asked, found
from pairing.printing.of_club import CLUB_DOCUMENTS
from pairing.printing.of_event import EVENT_DOCUMENTS
from pairing.printing.of_round import ROUND_DOCUMENTS
from tournaments.access import get_round_for_arbiter, get_tournament_for_arbiter, get_tournament_for_reader
from tournaments.models import Series
from tournaments.seasons.grand_prix import series_table


@require_safe
def print_of_event(request: WebRequest, club: str, event: str, *, code: str) -> HttpResponse:
    """A paper of an event."""
    tournament = get_tournament_for_reader(request.user, club, event)
    document = found(EVENT_DOCUMENTS, code)
    if document.roles:
        tournament = get_tournament_for_arbiter(request.user, club, event)
    if not document.is_open(tournament, can_run(request.user, tournament.club)):
        raise Http404
    asked = Asked(request=request, of=tournament)
    return paper_answer(
        request, tournament.club, f"{event}-{document.file}", lambda wishes: document.make(asked, wishes)
    )


@require_safe
def print_of_round(request: WebRequest, club: str, event: str, number: int, *, code: str) -> HttpResponse:
    """A paper of a round."""
    this_round, _may_run = get_round_for_visitor(request.user, club, event, number)
    document = found(ROUND_DOCUMENTS, code)
    if document.roles:
        this_round = get_round_for_arbiter(request.user, club, event, number)
    asked = Asked(request=request, of=this_round)
    return paper_answer(
        request,
        this_round.tournament.club,
        f"{event}-{number}-{document.file}",
        lambda wishes: document.make(asked, wishes),
    )


@require_safe
def print_of_club(request: OfficerRequest, club: str, *, code: str) -> HttpResponse:
    """A paper of a club."""
    the_club = get_club_for(request.user, club, *found(CLUB_DOCUMENTS, code).roles)
    document = found(CLUB_DOCUMENTS, code)
    asked = Asked(request=request, of=the_club)
    return paper_answer(request, the_club, f"{club}-{document.file}", lambda wishes: document.make(asked, wishes))


@require_safe
def print_series(request: OfficerRequest, club: str, series: int) -> HttpResponse:
    """The table of a series."""
    the_club = get_club_for_member(request.user, club)
    the_series = get_object_or_404(Series.objects.select_related("club"), club=the_club, pk=series)
    table = series_table(the_series)
    return paper_answer(
        request, the_club, f"{club}-series", lambda wishes: papers.series_paper(the_series, table, wishes)
    )


@require_safe
def print_receipt(request: OfficerRequest, club: str, year: int, number: int) -> HttpResponse:
    """A receipt, for those who may look at the club's money and for whoever paid."""
    entry = get_receipt_for(request.user, club, year, number)
    sheet = receipt_sheet(entry)
    return paper_answer(
        request, entry.club, f"{club}-receipt-{year}-{number}", lambda wishes: papers.receipt_paper(sheet, wishes)
    )
