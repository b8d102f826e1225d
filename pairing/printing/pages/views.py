"""Papers by their addresses: one view for those of an event, of a round, of a club; their tables say what each is."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.views.decorators.http import require_safe

from clubs.access import (
    can_run,
    get_club_for,
    get_club_for_auditor,
    get_club_for_member,
    get_club_for_treasurer,
    get_receipt_for,
)
from clubs.finance.accounting.account_sheets import account_sheet
from clubs.finance.accounting.reports import journal, year_report
from clubs.finance.dues.receipts import receipt_sheet
from clubs.finance.dues.reminding import paper_letters
from clubs.models import BookAccount, Viewing
from clubs.privacy import record_viewing
from clubs.requests import OfficerRequest, WebRequest
from pairing.access import get_round_for_visitor
from pairing.printing.pages.answers import paper_answer
from pairing.printing.pages.documents import Asked, Document, found
from pairing.printing.pages.of_club import CLUB_DOCUMENTS
from pairing.printing.pages.of_event import EVENT_DOCUMENTS
from pairing.printing.pages.of_round import ROUND_DOCUMENTS
from pairing.printing.papers import papers
from tournaments.access import get_round_for_arbiter, get_tournament_for_arbiter, get_tournament_for_reader
from tournaments.models import Round, Series, Tournament
from tournaments.series.grand_prix import series_table


@login_not_required
@require_safe
def print_of_event(request: WebRequest, club: str, event: str, *, code: str) -> HttpResponse:
    """A paper of an event for whoever may see the event."""
    tournament = get_tournament_for_reader(request.user, club, event)
    document = found(EVENT_DOCUMENTS, code)
    if not document.is_open(tournament, can_run(request.user, tournament.club)):
        raise Http404
    return _of_event(request, tournament, document)


@require_safe
def print_of_event_for_officers(request: OfficerRequest, club: str, event: str, *, code: str) -> HttpResponse:
    """A paper of an event for those who run it."""
    tournament = get_tournament_for_arbiter(request.user, club, event)
    return _of_event(request, tournament, found(EVENT_DOCUMENTS, code))


@login_not_required
@require_safe
def print_of_round(request: WebRequest, club: str, event: str, number: int, *, code: str) -> HttpResponse:
    """A paper of a round for whoever may see it."""
    this_round, _may_run = get_round_for_visitor(request.user, club, event, number)
    return _of_round(request, this_round, found(ROUND_DOCUMENTS, code))


@require_safe
def print_of_round_for_officers(
    request: OfficerRequest, club: str, event: str, number: int, *, code: str
) -> HttpResponse:
    """A paper of a round for those who run the event."""
    this_round = get_round_for_arbiter(request.user, club, event, number)
    return _of_round(request, this_round, found(ROUND_DOCUMENTS, code))


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


@require_safe
def print_reminders(request: OfficerRequest, club: str) -> HttpResponse:
    """Letters to those who owe something and whom no e-mail reaches, one a page; it is written down who took them."""
    the_club = get_club_for_treasurer(request.user, club)
    letters = paper_letters(the_club, today=timezone.localdate())
    if not letters:
        raise Http404
    if request.GET.get("as") != "css":
        record_viewing(the_club, Viewing.What.LIST_EXPORT, by=request.user, count=len(letters), on="paper", dues=True)
    return paper_answer(
        request, the_club, f"{club}-reminders", lambda wishes: papers.reminders_paper(the_club, letters, wishes)
    )


@require_safe
def print_books(request: OfficerRequest, club: str, year: int) -> HttpResponse:
    """A year's report, for those who may look at the club's money; with lines for the auditors' names."""
    the_club = get_club_for_auditor(request.user, club)
    report = year_report(the_club, _known(year))
    return paper_answer(
        request, the_club, f"{club}-books-{year}", lambda wishes: papers.books_paper(the_club, report, wishes)
    )


@require_safe
def print_journal(request: OfficerRequest, club: str, year: int) -> HttpResponse:
    """All entries of a year, for the auditors."""
    the_club = get_club_for_auditor(request.user, club)
    entries = journal(the_club, _known(year))
    return paper_answer(
        request,
        the_club,
        f"{club}-journal-{year}",
        lambda wishes: papers.journal_paper(the_club, entries, wishes, year=year),
    )


@require_safe
def print_account(request: OfficerRequest, club: str, account: int, year: int) -> HttpResponse:
    """A year of the cash book, of an account at the bank or of a category, for the auditors."""
    the_club = get_club_for_auditor(request.user, club)
    accounts = BookAccount.objects.filter(club=the_club).exclude(kind=BookAccount.Kind.OPENING)
    sheet = account_sheet(get_object_or_404(accounts, pk=account), _known(year))
    return paper_answer(
        request,
        the_club,
        f"{club}-account-{account}-{year}",
        lambda wishes: papers.account_paper(the_club, sheet, wishes, year=year),
    )


def _known(year: int) -> int:
    if not 1990 <= year <= 2200:
        raise Http404
    return year


def _of_event(request: WebRequest, tournament: Tournament, document: Document[Tournament]) -> HttpResponse:
    asked = Asked(request=request, of=tournament)
    name = f"{tournament.slug}-{document.file}"
    return paper_answer(request, tournament.club, name, lambda wishes: document.make(asked, wishes))


def _of_round(request: WebRequest, this_round: Round, document: Document[Round]) -> HttpResponse:
    asked = Asked(request=request, of=this_round)
    tournament = this_round.tournament
    name = f"{tournament.slug}-{this_round.number}-{document.file}"
    return paper_answer(request, tournament.club, name, lambda wishes: document.make(asked, wishes))
