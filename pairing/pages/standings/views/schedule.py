"""The schedule of a round robin, and the draw of its numbers."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from clubs.access import can_run_events
from clubs.request_types import AuthenticatedRequest, WebRequest
from pairing.page_context import event_page_context
from pairing.view_models.sheets.round_robin_schedule import round_robin_schedule_sheet
from tournaments.access import get_tournament_for_arbiter, get_tournament_for_reader
from tournaments.entries.starting_list import draw_pairing_numbers
from tournaments.models import PairingSystem
from tournaments.problems import ArbiterProblem


@login_not_required
@require_safe
def schedule_page(request: WebRequest, club: str, event: str) -> HttpResponse:
    """Show every round of the schedule. Other events show a sentence."""
    tournament = get_tournament_for_reader(request.user, club, event)
    may_run = can_run_events(request.user, tournament.club)
    context = event_page_context(tournament, may_run=may_run, here="schedule") | {
        "sheet": round_robin_schedule_sheet(tournament),
        "is_round_robin": tournament.system == PairingSystem.ROUND_ROBIN,
    }
    return render(request, "pairing/pages/standings/schedule.html", context)


@require_POST
def schedule_draw(request: AuthenticatedRequest, club: str, event: str) -> HttpResponse:
    """Draw the numbers by lot."""
    tournament = get_tournament_for_arbiter(request.user, club, event)
    try:
        draw_pairing_numbers(tournament, by=request.user)
    except ArbiterProblem as problem:
        messages.error(request, problem.message)
    else:
        messages.success(request, _("Pairing numbers drawn."))
    return redirect("schedule", club, event)
