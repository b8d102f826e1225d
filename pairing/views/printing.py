"""Everything on paper, as PDF. Whoever may see a page may print it; what is made for the tables is for the officers."""

from __future__ import annotations

from collections.abc import Callable

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

from clubs.access import can_run
from clubs.models import Club, Language
from clubs.requests import OfficerRequest, WebRequest
from pairing import papers
from pairing.access import get_round_for_visitor
from pairing.papers import CARD_FORMATS, PaperSize, Wishes
from pairing.papers.events import PeopleOrder
from pairing.pdfs import Paper
from pairing.sheets import pairing_sheet, standings_sheet
from pairing.sheets.cards import card_sheet
from pairing.sheets.people import people_sheet
from pairing.sheets.tables import crosstable_sheet
from pairing.standings import Standings, standings
from pairing.views.frame import frame
from tournaments.access import get_round_for_arbiter, get_tournament_for_arbiter, get_tournament_for_reader
from tournaments.models import Round, Tournament
from tournaments.problems import ArbiterProblem

MOST_SPARE = 400


@require_safe
def print_centre(request: WebRequest, club: str, event: str) -> HttpResponse:
    """Every paper of an event in one place."""
    tournament = get_tournament_for_reader(request.user, club, event)
    may_run = can_run(request.user, tournament.club)
    shown = tournament.rounds.exclude(state=Round.State.WAITING) if may_run else tournament.rounds.published()
    context = frame(tournament, may_run=may_run, here="print") | {
        "rounds": [],
        "shown": list(shown.order_by("-number").defer("scores")),
        "languages": Language.choices,
    }
    return render(request, "pairing/print_centre.html", context)


# -- Start cards -----------------------------------------------------------------------------------------------------


@require_safe
def print_cards(request: OfficerRequest, club: str, event: str) -> HttpResponse:
    """Start cards: `?cards=8|4|2|a6`, `blank`, `only` (a number), `spare` (how many), `stacked`, `backs`."""
    tournament = get_tournament_for_arbiter(request.user, club, event)
    asked = request.GET
    spare = min(_number(asked.get("spare")) or 0, MOST_SPARE)
    only = 0 if "nobody" in asked else _number(asked.get("only"))
    sheet = card_sheet(tournament, filled="blank" not in asked, only=only, spare=spare)
    form = CARD_FORMATS.get(asked.get("cards", ""), CARD_FORMATS["4"])
    return paper_answer(
        request,
        tournament.club,
        f"{event}-cards",
        lambda wishes: papers.cards_paper(sheet, form, wishes, stacked="stacked" in asked, backs="backs" in asked),
    )


# -- Of a round ------------------------------------------------------------------------------------------------------


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


@require_safe
def print_seating(request: WebRequest, club: str, event: str, number: int) -> HttpResponse:
    """Where everyone sits in a round, by name."""
    this_round, _may_run = get_round_for_visitor(request.user, club, event, number)
    return paper_answer(
        request,
        this_round.tournament.club,
        f"{event}-{number}-seating",
        lambda wishes: papers.seating_paper(pairing_sheet(this_round), wishes),
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
            papers.seating_paper(pairing_sheet(this_round), wishes),
            _slips(request, this_round, wishes),
        ]
        if number > 1:
            wanted.append(papers.standings_paper(standings_sheet(standings(tournament, number - 1)), wishes))
        return papers.round_set_paper(wanted)

    return paper_answer(request, tournament.club, f"{event}-{number}-everything", everything)


def _pairings(request: WebRequest, this_round: Round, wishes: Wishes) -> Paper:
    tournament = this_round.tournament
    address = request.build_absolute_uri(reverse("latest_round", args=[tournament.club.slug, tournament.slug]))
    return papers.pairings_paper(pairing_sheet(this_round), wishes, address=address)


def _slips(request: WebRequest, this_round: Round, wishes: Wishes) -> Paper:
    tournament = this_round.tournament

    def address_of(board: int) -> str:
        return request.build_absolute_uri(
            reverse("board", args=[tournament.club.slug, tournament.slug, this_round.number, board])
        )

    return papers.slips_paper(pairing_sheet(this_round), wishes, address_of=address_of)


# -- Of the event ----------------------------------------------------------------------------------------------------


@require_safe
def print_starting_list(request: WebRequest, club: str, event: str) -> HttpResponse:
    """The starting list: `?order=number|rating|name`."""
    tournament = get_tournament_for_reader(request.user, club, event)
    asked = request.GET.get("order", "")
    order = PeopleOrder(asked) if asked in set(PeopleOrder) else PeopleOrder.NUMBER
    return paper_answer(
        request,
        tournament.club,
        f"{event}-players",
        lambda wishes: papers.starting_list_paper(people_sheet(tournament), wishes, order=order),
    )


@require_safe
def print_standings(request: WebRequest, club: str, event: str) -> HttpResponse:
    """The table after a published round, `?after=`, or after the latest."""
    tournament = get_tournament_for_reader(request.user, club, event)
    sheet = standings_sheet(_table(request, tournament))
    return paper_answer(
        request, tournament.club, f"{event}-standings", lambda wishes: papers.standings_paper(sheet, wishes)
    )


@require_safe
def print_crosstable(request: WebRequest, club: str, event: str) -> HttpResponse:
    """The table with every round: `?after=`, `by_place` to name opponents by their places."""
    tournament = get_tournament_for_reader(request.user, club, event)
    by_place = "by_place" in request.GET
    table = _table(request, tournament)
    sheet = crosstable_sheet(table) if by_place else standings_sheet(table)
    return paper_answer(
        request,
        tournament.club,
        f"{event}-crosstable",
        lambda wishes: papers.crosstable_paper(sheet, wishes, by_place=by_place),
    )


@require_safe
def print_attendance(request: OfficerRequest, club: str, event: str) -> HttpResponse:
    """Everyone by name, with a box for each round."""
    tournament = get_tournament_for_arbiter(request.user, club, event)
    return paper_answer(
        request,
        tournament.club,
        f"{event}-attendance",
        lambda wishes: papers.attendance_paper(people_sheet(tournament), wishes),
    )


@require_safe
def print_wall_chart(request: WebRequest, club: str, event: str) -> HttpResponse:
    """A chart to be filled by hand."""
    tournament = get_tournament_for_reader(request.user, club, event)
    return paper_answer(
        request,
        tournament.club,
        f"{event}-wall-chart",
        lambda wishes: papers.wall_chart_paper(people_sheet(tournament), wishes),
    )


@require_safe
def print_place_cards(request: OfficerRequest, club: str, event: str) -> HttpResponse:
    """A folded card for everyone's place."""
    tournament = get_tournament_for_arbiter(request.user, club, event)
    return paper_answer(
        request,
        tournament.club,
        f"{event}-place-cards",
        lambda wishes: papers.place_cards_paper(people_sheet(tournament), wishes),
    )


@require_safe
def print_badges(request: OfficerRequest, club: str, event: str) -> HttpResponse:
    """A badge for everyone, with the way to his card."""
    tournament = get_tournament_for_arbiter(request.user, club, event)

    def address_of(number: int) -> str:
        return request.build_absolute_uri(reverse("player", args=[club, event, number]))

    return paper_answer(
        request,
        tournament.club,
        f"{event}-badges",
        lambda wishes: papers.badges_paper(people_sheet(tournament), wishes, address_of=address_of),
    )


@require_safe
def print_diplomas(request: OfficerRequest, club: str, event: str) -> HttpResponse:
    """Diplomas for the first places, as the table stands."""
    tournament = get_tournament_for_arbiter(request.user, club, event)
    sheet = standings_sheet(standings(tournament))
    return paper_answer(
        request,
        tournament.club,
        f"{event}-diplomas",
        lambda wishes: papers.diplomas_paper(
            sheet, wishes, arbiter=tournament.chief_arbiter, city=tournament.city, date=tournament.ends_on
        ),
    )


def _table(request: WebRequest, tournament: Tournament) -> Standings:
    after = _number(request.GET.get("after"))
    if after is not None and not tournament.rounds.published().filter(number=after).exists():
        raise Http404
    return standings(tournament, after)


# -- What is common to all -------------------------------------------------------------------------------------------


def paper_answer(request: WebRequest, club: Club, name: str, make: Callable[[Wishes], Paper]) -> HttpResponse:
    """The paper as PDF, or the page that says why there is none. Every paper takes `?language=` and `?paper=`."""
    try:
        pdf = papers.printed(make(_wishes(request, club)))
    except ArbiterProblem as problem:
        return render(request, "pairing/print/cannot.html", {"problem": problem}, status=409)
    response = HttpResponse(pdf, content_type="application/pdf")
    response["Content-Disposition"] = f'inline; filename="{name}.pdf"'
    # The page with all papers shows them in a frame.
    response["X-Frame-Options"] = "SAMEORIGIN"
    patch_cache_control(response, private=True, no_cache=True)
    return response


def _wishes(request: WebRequest, club: Club) -> Wishes:
    """The language asked for, else the club's; A4 unless asked otherwise."""
    language, size = request.GET.get("language", ""), request.GET.get("paper", "")
    return Wishes(
        language=language if language in Language.values else club.language,
        size=PaperSize(size) if size in set(PaperSize) else PaperSize.A4,
    )


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isdecimal() and len(text) < 6 else None
