"""Papers of an event: cards, lists, tables. Whoever may see a page may print it; what is cut apart is for officers."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpResponse
from django.urls import reverse
from django.utils import translation
from django.views.decorators.http import require_safe

from clubs.access import can_run
from clubs.requests import OfficerRequest, WebRequest
from pairing.paper import papers
from pairing.paper.events import USUAL_DIPLOMAS, PeopleOrder
from pairing.paper.papers import CARD_FORMATS, Wishes
from pairing.paper.pdfs import Paper
from pairing.printing.answers import paper_answer
from pairing.sheets.averages import average_sheet
from pairing.sheets.cards import card_sheet
from pairing.sheets.people import people_sheet
from pairing.sheets.record import record_sheet
from pairing.sheets.tables import crosstable_sheet, standings_sheet
from pairing.standings.event_standings import Standings, standings
from pairing.tables.prize_giving import are_prizes_open, fund_of, prize_sheet
from tournaments.access import get_tournament_for_arbiter, get_tournament_for_reader
from tournaments.door.personal_links import personal_address
from tournaments.entries.entering import numbers_of
from tournaments.models import Tournament

MOST_SPARE = 400
MOST_TABLES = 500
MOST_DIPLOMAS = 100


# -- Start cards -----------------------------------------------------------------------------------------------------


@require_safe
def print_cards(request: OfficerRequest, club: str, event: str) -> HttpResponse:
    """Start cards: `?cards=8|4|2|a6`, `blank`, `only` (a number), `spare` (how many), `stacked`, `backs`."""
    tournament = get_tournament_for_arbiter(request.user, club, event)
    asked = request.GET
    spare = min(_number(asked.get("spare")) or 0, MOST_SPARE)
    only = 0 if "nobody" in asked else _number(asked.get("only"))
    sheet = card_sheet(tournament, filled=not asked.get("blank"), only=only, spare=spare)
    form = CARD_FORMATS.get(asked.get("cards", ""), CARD_FORMATS["4"])
    return paper_answer(
        request,
        tournament.club,
        f"{event}-cards",
        lambda wishes: papers.cards_paper(sheet, form, wishes, stacked="stacked" in asked, backs="backs" in asked),
    )


# -- Of the event ----------------------------------------------------------------------------------------------------


@login_not_required
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


@login_not_required
@require_safe
def print_standings(request: WebRequest, club: str, event: str) -> HttpResponse:
    """The table after a published round, `?after=`, or after the latest."""
    tournament = get_tournament_for_reader(request.user, club, event)
    sheet = standings_sheet(_table(request, tournament))
    address = request.build_absolute_uri(reverse("standings", args=[club, event]))
    return paper_answer(
        request,
        tournament.club,
        f"{event}-standings",
        lambda wishes: papers.standings_paper(sheet, wishes, address=address),
    )


@login_not_required
@require_safe
def print_crosstable(request: WebRequest, club: str, event: str) -> HttpResponse:
    """The table with every round: `?after=`, `by_place` to name opponents by their places."""
    tournament = get_tournament_for_reader(request.user, club, event)
    by_place = bool(request.GET.get("by_place"))
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


@login_not_required
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
    """A badge for everyone, with the code of his own page, or with `?code=card` of the card that everyone may see."""
    tournament = get_tournament_for_arbiter(request.user, club, event)
    is_own = request.GET.get("code") != "card"
    entries = list(tournament.entries.all()) if is_own else []
    numbers = numbers_of(entries)
    own = {numbers[entry.pk]: personal_address(entry) for entry in entries}

    def address_of(number: int) -> str:
        path = own[number] if is_own else reverse("player", args=[club, event, number])
        return request.build_absolute_uri(path)

    return paper_answer(
        request,
        tournament.club,
        f"{event}-badges",
        lambda wishes: papers.badges_paper(people_sheet(tournament), wishes, address_of=address_of),
    )


@require_safe
def print_diplomas(request: OfficerRequest, club: str, event: str) -> HttpResponse:
    """Diplomas for the first places, as the table stands; `?places=` says how many."""
    tournament = get_tournament_for_arbiter(request.user, club, event)
    sheet = standings_sheet(standings(tournament))
    places = min(_number(request.GET.get("places")) or USUAL_DIPLOMAS, MOST_DIPLOMAS)
    return paper_answer(
        request,
        tournament.club,
        f"{event}-diplomas",
        lambda wishes: papers.diplomas_paper(
            sheet,
            wishes,
            places=places,
            arbiter=tournament.chief_arbiter,
            city=tournament.city,
            date=tournament.ends_on,
        ),
    )


@require_safe
def print_table_numbers(request: OfficerRequest, club: str, event: str) -> HttpResponse:
    """Numbers for the tables; `?tables=` says how many, else as many as the players need."""
    tournament = get_tournament_for_arbiter(request.user, club, event)
    sheet = people_sheet(tournament)
    tables = min(_number(request.GET.get("tables")) or len(sheet.people) // 2, MOST_TABLES)
    return paper_answer(
        request,
        tournament.club,
        f"{event}-tables",
        lambda wishes: papers.table_numbers_paper(sheet, tables, wishes),
    )


@login_not_required
@require_safe
def print_prizes(request: WebRequest, club: str, event: str) -> HttpResponse:
    """Who gets what, for readers when the page shows it; `?signatures=1` for handing it out."""
    tournament = get_tournament_for_reader(request.user, club, event)
    may_run = can_run(request.user, tournament.club)
    if not may_run and not are_prizes_open(fund_of(tournament)):
        raise Http404

    def prizes(wishes: Wishes) -> Paper:
        with translation.override(wishes.language):
            sheet = prize_sheet(tournament)
        with_signatures = may_run and bool(request.GET.get("signatures"))
        return papers.prizes_paper(sheet, wishes, with_signatures=with_signatures)

    return paper_answer(request, tournament.club, f"{event}-prizes", prizes)


@login_not_required
@require_safe
def print_averages(request: WebRequest, club: str, event: str) -> HttpResponse:
    """Dubov's average ratings of opponents, `?after=` a published round; `by_average` for the highest first."""
    tournament = get_tournament_for_reader(request.user, club, event)
    after = _after(request, tournament)
    last = tournament.rounds.published().order_by("-number").values_list("number", flat=True).first()
    sheet = average_sheet(tournament, after if after is not None else last or 0)
    by_average = bool(request.GET.get("by_average"))
    return paper_answer(
        request,
        tournament.club,
        f"{event}-averages",
        lambda wishes: papers.averages_paper(sheet, wishes, by_average=by_average),
    )


@require_safe
def print_record(request: OfficerRequest, club: str, event: str) -> HttpResponse:
    """The arbiter's record of all rounds published, or of one, `?round=`, a draft as well."""
    tournament = get_tournament_for_arbiter(request.user, club, event)
    sheet = record_sheet(tournament, only=_number(request.GET.get("round")))
    return paper_answer(request, tournament.club, f"{event}-record", lambda wishes: papers.record_paper(sheet, wishes))


def _table(request: WebRequest, tournament: Tournament) -> Standings:
    return standings(tournament, _after(request, tournament))


def _after(request: WebRequest, tournament: Tournament) -> int | None:
    """The published round asked for, None for none; Http404 for one that is not published."""
    after = _number(request.GET.get("after"))
    if after is not None and not tournament.rounds.published().filter(number=after).exists():
        raise Http404
    return after


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isdecimal() and len(text) < 6 else None
