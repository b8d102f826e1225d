"""The version of a pairing: the page for the QR code on printed pairings, and declaring a pairing final."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_POST, require_safe

from clubs.access import can_run_events
from clubs.request_types import AuthenticatedRequest, WebRequest
from pairing.page_context import event_page_context
from pairing.pages.round.views.rounds import run_round_action
from pairing.rounds.lifecycle.provisional_pairings import declare_pairing_final
from tournaments.access import get_round_for_arbiter, get_tournament_for_reader
from tournaments.live_updates.page_decorators import cache_event_page


@login_not_required
@require_safe
@cache_event_page
def pairing_version_status(request: WebRequest, club: str, event: str, number: int, version: int) -> HttpResponse:
    """Show if a printed pairing of this version is still current. The QR code on it links here."""
    tournament = get_tournament_for_reader(request.user, club, event)
    this_round = get_object_or_404(tournament.rounds, number=number)
    this_round.tournament = tournament
    context = event_page_context(tournament, may_run=can_run_events(request.user, tournament.club), number=number) | {
        "round": this_round,
        "version": version,
        "is_current": this_round.is_public and this_round.publications == version,
    }
    return render(request, "pairing/pages/round/pairing_version_status.html", context)


@require_POST
def round_declare_final(request: AuthenticatedRequest, club: str, event: str, number: int) -> HttpResponse:
    """Declare the provisional pairing final."""
    this_round = get_round_for_arbiter(request.user, club, event, number)
    return run_round_action(request, this_round, lambda: declare_pairing_final(this_round, by=request.user))
