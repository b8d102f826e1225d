"""Which version of a pairing holds: whether a paper is still current, and declaring a provisional pairing final."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_POST, require_safe

from clubs.access import can_run
from clubs.requests import OfficerRequest, WebRequest
from pairing.frame import frame
from pairing.pages.round.views.rounds import settle
from pairing.rounds.lifecycle.provisional import declare_final
from tournaments.access import get_round_for_arbiter, get_tournament_for_reader
from tournaments.live_updates.freshness import sent_once


@login_not_required
@require_safe
@sent_once
def current_pairing(request: WebRequest, club: str, event: str, number: int, version: int) -> HttpResponse:
    """Whether a paper with this version of a round's pairing still holds: where the QR code on it leads."""
    tournament = get_tournament_for_reader(request.user, club, event)
    this_round = get_object_or_404(tournament.rounds, number=number)
    this_round.tournament = tournament
    context = frame(tournament, may_run=can_run(request.user, tournament.club), number=number) | {
        "round": this_round,
        "version": version,
        "is_current": this_round.is_public and this_round.publications == version,
    }
    return render(request, "pairing/pages/round/current.html", context)


@require_POST
def round_final(request: OfficerRequest, club: str, event: str, number: int) -> HttpResponse:
    """The provisional pairing is final from now on."""
    this_round = get_round_for_arbiter(request.user, club, event, number)
    return settle(request, this_round, lambda: declare_final(this_round, by=request.user))
