"""The standings of an event, and one player's card."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from clubs.access import can_run
from clubs.requests import WebRequest
from common.text.searching import holds, words_of
from pairing.engine.paired_round import ReasonKind
from pairing.explanations.explanations import Names
from pairing.explanations.with_names import Explained, explained, names_of
from pairing.frame import frame
from pairing.pages.standings.prize_giving import are_prizes_open, fund_of
from pairing.view_models.diagrams.path import opponents_path
from pairing.view_models.diagrams.places import place_chart
from pairing.view_models.sheets.due_colours import due_colour
from pairing.view_models.sheets.players import PlayerSheet, player_sheet
from pairing.view_models.sheets.tables import crosstable_sheet, standings_sheet
from pairing.view_models.sheets.tie_breaks import workings_of
from pairing.view_models.standings.categories import offered_categories, part_of
from pairing.view_models.standings.club_table import club_table
from pairing.view_models.standings.event_standings import breaks_ties_by_lot, standings
from pairing.view_models.standings.lots import lots_of
from tournaments.access import get_tournament_for_reader
from tournaments.live_updates.freshness import sent_once
from tournaments.models import Tournament
from tournaments.problems import ArbiterProblem

PLAYERS_ON_A_PAGE = 100


@login_not_required
@require_safe
@sent_once
def standings_page(request: WebRequest, club: str, event: str, after: int | None = None) -> HttpResponse:
    """The table after a published round, the latest if none is named.

    `?category=` shows a part of the players, `?name=` those in whose name every word of it occurs.
    """
    tournament = get_tournament_for_reader(request.user, club, event)
    published = _published(tournament, after)
    table = standings(tournament, after)
    offered = offered_categories(table)
    chosen = next((each for each in offered if each.key == request.GET.get("category")), None)
    shown = part_of(table, chosen) if chosen else table
    name = request.GET.get("name", "").strip()
    words = words_of(name)
    found = [row for row in shown.rows if holds(row.entry.name, words)] if words else shown.rows
    page = Paginator(found, PLAYERS_ON_A_PAGE).get_page(request.GET.get("page"))
    may_run = can_run(request.user, tournament.club)
    context = frame(tournament, may_run=may_run, here="standings") | {
        "sheet": standings_sheet(shown, rows=list(page)),
        "page": page,
        "is_latest": after is None,
        "published": published,
        "categories": offered,
        "category": chosen,
        "query": name,
        "has_clubs": any(row.entry.club_name for row in table.rows),
        "has_prizes": may_run or are_prizes_open(fund_of(tournament)),
        "lots": lots_of(table) if may_run and breaks_ties_by_lot(tournament) else None,
    }
    return render(request, "pairing/pages/standings/standings.html", context)


@login_not_required
@require_safe
@sent_once
def crosstable_page(request: WebRequest, club: str, event: str, after: int) -> HttpResponse:
    """The table with opponents by their lines, after a published round."""
    tournament = get_tournament_for_reader(request.user, club, event)
    _published(tournament, after)
    table = standings(tournament, after)
    page = Paginator(table.rows, PLAYERS_ON_A_PAGE).get_page(request.GET.get("page"))
    context = frame(tournament, may_run=can_run(request.user, tournament.club), here="standings") | {
        "sheet": crosstable_sheet(table, rows=list(page)),
        "page": page,
    }
    return render(request, "pairing/pages/standings/crosstable.html", context)


@login_not_required
@require_safe
@sent_once
def clubs_page(request: WebRequest, club: str, event: str, after: int) -> HttpResponse:
    """Clubs by the sums of their best players after a published round; `?best=` says of how many."""
    tournament = get_tournament_for_reader(request.user, club, event)
    _published(tournament, after)
    best = request.GET.get("best", "")
    counted = int(best) if best.isascii() and best.isdigit() and len(best) < 4 else None
    table = club_table(standings(tournament, after), counted)
    context = frame(tournament, may_run=can_run(request.user, tournament.club), here="standings") | {
        "after_round": after,
        "clubs": table,
        "choices": range(1, table.most + 1),
    }
    return render(request, "pairing/pages/standings/standings_clubs.html", context)


@login_not_required
@require_safe
@sent_once
def working_page(request: WebRequest, club: str, event: str, after: int, tpn: int) -> HttpResponse:
    """How every value of a player's line came about."""
    tournament = get_tournament_for_reader(request.user, club, event)
    _published(tournament, after)
    entry = get_object_or_404(tournament.entries, tpn=tpn)
    context = frame(tournament, may_run=can_run(request.user, tournament.club), here="standings") | {
        "entry": entry,
        "after_round": after,
        "workings": workings_of(standings(tournament, after), tpn),
    }
    return render(request, "pairing/pages/standings/working.html", context)


def _published(tournament: Tournament, after: int | None) -> list[int]:
    """The numbers of the published rounds; 404 where a round is named that is none of them."""
    published = list(tournament.rounds.published().order_by("number").values_list("number", flat=True))
    if after is not None and after not in published:
        raise Http404
    return published


@login_not_required
@require_safe
@sent_once
def player_page(request: WebRequest, club: str, event: str, tpn: int) -> HttpResponse:
    """A player's card: his rounds, his colours, and the rules that gave them."""
    tournament = get_tournament_for_reader(request.user, club, event)
    entry = get_object_or_404(tournament.entries, tpn=tpn)
    entry.tournament = tournament
    sheet = player_sheet(entry)
    context = frame(tournament, may_run=can_run(request.user, tournament.club), here="players") | {
        "entry": entry,
        "sheet": sheet,
        "colour_reasons": _colour_reasons(sheet, names_of(tournament)),
        "due": due_colour(sheet, tournament),
    }
    return render(request, "pairing/pages/standings/player.html", context)


@login_not_required
@require_safe
@sent_once
def player_path(request: WebRequest, club: str, event: str, tpn: int) -> HttpResponse:
    """A player's way through the event as drawings: his place by round among his rivals, and his opponents."""
    tournament = get_tournament_for_reader(request.user, club, event)
    entry = get_object_or_404(tournament.entries, tpn=tpn)
    entry.tournament = tournament
    sheet = player_sheet(entry)
    try:
        places = place_chart(tournament, entry, _published(tournament, None))
    except ArbiterProblem:
        # A tie-break that is not known: the page of the table says so.
        places = None
    context = frame(tournament, may_run=can_run(request.user, tournament.club), here="players") | {
        "entry": entry,
        "sheet": sheet,
        "places": places,
        "path": opponents_path(sheet),
    }
    return render(request, "pairing/view_models/diagrams/player_path.html", context)


def _colour_reasons(sheet: PlayerSheet, names: Names) -> list[tuple[int, tuple[Explained, ...]]]:
    """For every round in which a rule gave his colour, the number and what it said, the latest first."""
    given = [
        (row.number, explained([reason for reason in row.reasons if reason["kind"] == ReasonKind.COLOUR], names))
        for row in reversed(sheet.rounds)
    ]
    return [(number, reasons) for number, reasons in given if reasons]
