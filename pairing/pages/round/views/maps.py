"""A round as a map of its score groups."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from clubs.requests import WebRequest
from pairing.access import get_round_for_visitor
from pairing.frame import frame
from pairing.view_models.diagrams.round_map import round_map
from pairing.view_models.sheets.rounds import pairing_sheet
from tournaments.live_updates.freshness import sent_once


@login_not_required
@require_safe
@sent_once
def round_map_page(request: WebRequest, club: str, event: str, number: int) -> HttpResponse:
    """Who stands where, and who floated: drawn, and as a table."""
    this_round, may_run = get_round_for_visitor(request.user, club, event, number)
    context = frame(this_round.tournament, may_run=may_run, number=number) | {
        "round": this_round,
        "map": round_map(pairing_sheet(this_round)),
    }
    return render(request, "pairing/view_models/diagrams/round_map.html", context)
