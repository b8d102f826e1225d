"""Papers of a round: pairings, where everyone sits, result slips, all of it at once."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from clubs.requests import OfficerRequest, WebRequest
from pairing.access import get_round_for_visitor
from pairing.paper import papers
from pairing.paper.papers import Wishes
from pairing.paper.pdfs import Paper
from pairing.printing.answers import paper_answer
from pairing.sheets.rounds import pairing_sheet
from pairing.sheets.tables import standings_sheet
from pairing.standings.event_standings import standings
from tournaments.access import get_round_for_arbiter
from tournaments.models import Round


@login_not_required
@require_safe
def print_pairings(request: WebRequest, club: str, event: str, number: int) -> HttpResponse:
    """The pairing list of a round, by boards."""
    this_round, _may_run = get_round_for_visitor(request.user, club, event, number)
    return paper_answer(
        request,
        this_round.tournament.club,
        f"{event}-{number}-pairings",
        lambda wishes: _pairings(request, this_round, wishes),
    )


@login_not_required
@require_safe
def print_seating(request: WebRequest, club: str, event: str, number: int) -> HttpResponse:
    """Where everyone sits in a round, by name."""
    this_round, _may_run = get_round_for_visitor(request.user, club, event, number)
    return paper_answer(
        request,
        this_round.tournament.club,
        f"{event}-{number}-seating",
        lambda wishes: _seating(request, this_round, wishes),
    )


@require_safe
def print_slips(request: OfficerRequest, club: str, event: str, number: int) -> HttpResponse:
    """Result slips of a round."""
    this_round = get_round_for_arbiter(request.user, club, event, number)
    return paper_answer(
        request,
        this_round.tournament.club,
        f"{event}-{number}-slips",
        lambda wishes: _slips(request, this_round, wishes),
    )


@require_safe
def print_round(request: OfficerRequest, club: str, event: str, number: int) -> HttpResponse:
    """Everything for a round at once: pairings, seating, slips, and the standings it was paired by."""
    this_round = get_round_for_arbiter(request.user, club, event, number)
    tournament = this_round.tournament

    def everything(wishes: Wishes) -> Paper:
        wanted = [
            _pairings(request, this_round, wishes),
            _seating(request, this_round, wishes),
            _slips(request, this_round, wishes),
        ]
        if number > 1:
            table = standings_sheet(standings(tournament, number - 1))
            address = request.build_absolute_uri(reverse("standings", args=[club, event]))
            wanted.append(papers.standings_paper(table, wishes, address=address))
        return papers.round_set_paper(wanted)

    return paper_answer(request, tournament.club, f"{event}-{number}-everything", everything)


def _pairings(request: WebRequest, this_round: Round, wishes: Wishes) -> Paper:
    return papers.pairings_paper(pairing_sheet(this_round), wishes, address=_address_to_ask(request, this_round))


def _seating(request: WebRequest, this_round: Round, wishes: Wishes) -> Paper:
    return papers.seating_paper(pairing_sheet(this_round), wishes, address=_address_to_ask(request, this_round))


def _address_to_ask(request: WebRequest, this_round: Round) -> str:
    """Where a phone reads whether this version of the pairing still holds."""
    tournament = this_round.tournament
    place = [tournament.club.slug, tournament.slug, this_round.number, this_round.version]
    return request.build_absolute_uri(reverse("current_pairing", args=place))


def _slips(request: WebRequest, this_round: Round, wishes: Wishes) -> Paper:
    tournament = this_round.tournament

    def address_of(board: int) -> str:
        return request.build_absolute_uri(
            reverse("board", args=[tournament.club.slug, tournament.slug, this_round.number, board])
        )

    return papers.slips_paper(pairing_sheet(this_round), wishes, address_of=address_of)
