"""The map of a round's score groups."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from clubs.request_types import WebRequest
from pairing.access import get_round_for_visitor
from pairing.page_context import event_page_context
from pairing.view_models.diagrams.score_group_map import score_group_map
from pairing.view_models.sheets.round_pairings import pairing_sheet
from tournaments.live_updates.page_decorators import cache_event_page


@login_not_required
@require_safe
@cache_event_page
def round_map_page(request: WebRequest, club: str, event: str, number: int) -> HttpResponse:
    """Show the score groups and floats of a round, as a diagram and as a table."""
    this_round, may_run = get_round_for_visitor(request.user, club, event, number)
    context = event_page_context(this_round.tournament, may_run=may_run, number=number) | {
        "round": this_round,
        "map": score_group_map(pairing_sheet(this_round)),
    }
    return render(request, "pairing/pages/round/round_map.html", context)
