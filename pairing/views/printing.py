"""Everything on paper, as PDF. Whoever may see a page may print it; cards and slips are for those who run the event."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

from clubs.models import Language
from clubs.requests import OfficerRequest, WebRequest
from pairing.access import get_round_for_visitor
from pairing.papers import CARD_FORMATS, PaperSize, cards_paper, pairings_paper, printed, seating_paper
from pairing.pdfs import Paper
from pairing.sheets import pairing_sheet
from pairing.sheets.cards import card_sheet
from tournaments.access import get_tournament_for_arbiter
from tournaments.models import Tournament
from tournaments.problems import ArbiterProblem

MOST_SPARE = 200


@require_safe
def print_cards(request: OfficerRequest, club: str, event: str) -> HttpResponse:
    """Start cards: `?cards=8|4|2|a6`, `blank`, `only` (a number), `spare` (how many), `stacked`, `backs`."""
    tournament = get_tournament_for_arbiter(request.user, club, event)
    asked = request.GET
    spare = min(_number(asked.get("spare")) or 0, MOST_SPARE)
    sheet = card_sheet(tournament, filled="blank" not in asked, only=_number(asked.get("only")), spare=spare)
    return paper_answer(
        request,
        f"{event}-cards",
        lambda: cards_paper(
            sheet,
            CARD_FORMATS.get(asked.get("cards", ""), CARD_FORMATS["4"]),
            language=_language(request, tournament),
            size=_size(request),
            stacked="stacked" in asked,
            backs="backs" in asked,
        ),
    )


@require_safe
def print_pairings(request: WebRequest, club: str, event: str, number: int) -> HttpResponse:
    """The pairing list of a round, by boards."""
    this_round, _may_run = get_round_for_visitor(request.user, club, event, number)
    address = request.build_absolute_uri(reverse("latest_round", args=[club, event]))
    language = _language(request, this_round.tournament)
    sheet = pairing_sheet(this_round)
    return paper_answer(
        request,
        f"{event}-{number}-pairings",
        lambda: pairings_paper(sheet, language=language, address=address, size=_size(request)),
    )


@require_safe
def print_seating(request: WebRequest, club: str, event: str, number: int) -> HttpResponse:
    """Where everyone sits in a round, by name."""
    this_round, _may_run = get_round_for_visitor(request.user, club, event, number)
    language = _language(request, this_round.tournament)
    sheet = pairing_sheet(this_round)
    return paper_answer(
        request,
        f"{event}-{number}-seating",
        lambda: seating_paper(sheet, language=language, size=_size(request)),
    )


def paper_answer(request: WebRequest, name: str, make: Callable[[], Paper]) -> HttpResponse:
    """The paper as PDF, or the page that says why there is none."""
    try:
        pdf = printed(make())
    except ArbiterProblem as problem:
        return render(request, "pairing/print/cannot.html", {"problem": problem}, status=503)
    response = HttpResponse(pdf, content_type="application/pdf")
    response["Content-Disposition"] = f'inline; filename="{name}.pdf"'
    # The centre shows papers in a frame of its own page.
    response["X-Frame-Options"] = "SAMEORIGIN"
    patch_cache_control(response, private=True, no_cache=True)
    return response


def _language(request: WebRequest, tournament: Tournament) -> str:
    """The language asked for, else the club's."""
    asked = request.GET.get("language", "")
    return asked if asked in Language.values else tournament.club.language


def _size(request: WebRequest) -> PaperSize:
    asked = request.GET.get("paper", "")
    return PaperSize(asked) if asked in set(PaperSize) else PaperSize.A4


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isdecimal() and len(text) < 6 else None
