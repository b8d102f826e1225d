"""The screen in the playing hall: pairings, results as they come, and the table between rounds; never a draft."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from clubs.requests import WebRequest
from pairing.access import get_tournament_for_hall
from pairing.sheets.rounds import pairing_sheet
from pairing.sheets.tables import standings_sheet
from pairing.standings.event_standings import standings
from tournaments.live.freshness import sent_once
from tournaments.models import Round, Tournament

LINES_ON_A_PAGE = 200
"""Lines sent at once: several screens of them. `static/js/hall.js` asks for the next in time."""

VALUES_SHOWN = 2
"""Points and the first tie-break: more cannot be read from the back of a hall."""


@require_safe
@sent_once
def hall(request: WebRequest, club: str, event: str) -> HttpResponse:
    """Big type for a projector. An event that is not public needs the key that its officers' pages give (`?key=`)."""
    tournament = get_tournament_for_hall(request.user, club, event, request.GET.get("key", ""))
    shown = _shown(tournament, request.GET.get("page", ""))
    return render(request, "pairing/desk/hall.html", {"tournament": tournament} | shown)


def _shown(tournament: Tournament, wanted: str) -> dict[str, Any]:
    """A page of the boards of the round being played, else of the table after the latest one, else of who plays."""
    latest = tournament.rounds.published().order_by("number").last()
    if latest is not None and latest.state == Round.State.PUBLISHED:
        latest.tournament = tournament
        boards = Paginator(range(1, latest.games.count() + 1), LINES_ON_A_PAGE).get_page(wanted)
        sheet = pairing_sheet(latest, first=boards.start_index() or 1, last=boards.end_index() or None)
        return {"round": latest, "sheet": sheet, "page": boards}
    table = standings(tournament, latest.number if latest else None)
    page = Paginator(table.rows, LINES_ON_A_PAGE).get_page(wanted)
    part = standings_sheet(table, rows=list(page))
    lines = [(line, line.values[:VALUES_SHOWN]) for line in part.lines]
    return {"table": part, "lines": lines, "page": page}
