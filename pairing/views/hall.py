"""The screen in the playing hall: pairings, results as they come, and the table between rounds; never a draft."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from clubs.requests import WebRequest
from pairing.access import get_tournament_for_hall
from pairing.sheets import pairing_sheet, standings_sheet
from pairing.standings import standings
from pairing.views.freshness import sent_once
from tournaments.models import Round, Tournament

VALUES_SHOWN = 2
"""Points and the first tie-break: more cannot be read from the back of a hall."""


@require_safe
@sent_once
def hall(request: WebRequest, club: str, event: str) -> HttpResponse:
    """Big type for a projector. An event that is not public needs the key that its officers' pages give (`?key=`)."""
    tournament = get_tournament_for_hall(request.user, club, event, request.GET.get("key", ""))
    return render(request, "pairing/hall.html", {"tournament": tournament} | _shown(tournament))


def _shown(tournament: Tournament) -> dict[str, Any]:
    """The boards of the round that is being played, else the table after the latest one, else who plays."""
    latest = tournament.rounds.published().order_by("number").last()
    if latest is not None and latest.state == Round.State.PUBLISHED:
        latest.tournament = tournament
        return {"round": latest, "sheet": pairing_sheet(latest)}
    table = standings_sheet(standings(tournament, latest.number if latest else None))
    lines = [(line, line.values[:VALUES_SHOWN]) for line in table.lines]
    return {"table": table, "lines": lines, "columns": table.columns[:VALUES_SHOWN]}
