"""Check-in of a round that waits to be paired, and the step that pairs it: one page."""

from __future__ import annotations

from collections.abc import Mapping

from django.http import HttpResponse
from django.views.decorators.http import require_http_methods
from django.views.decorators.vary import vary_on_headers

from clubs.request_types import AuthenticatedRequest
from pairing.rounds.lifecycle import jobs
from pairing.rounds.manual.undo import undo_history
from tournaments.access import get_round_for_arbiter
from tournaments.check_in.presence import absent_without_message, absent_without_notice, check_in_states
from tournaments.check_in.views.round_check_in import check_in_page
from tournaments.live_updates.page_decorators import cache_event_page
from tournaments.models import Round


@require_http_methods(["GET", "HEAD", "POST"])
@vary_on_headers("HX-Target")
def round_check_in(request: AuthenticatedRequest, club: str, event: str, number: int) -> HttpResponse:
    """Show who is here, and the button that pairs the round. A POST is a tap or a search."""
    if request.method == "POST" or "since" in request.GET:
        return waiting_round_page(request, get_round_for_arbiter(request.user, club, event, number))
    return _page_with_updates(request, club, event, number)


@cache_event_page
def _page_with_updates(request: AuthenticatedRequest, club: str, event: str, number: int) -> HttpResponse:
    """Return the page, or its changing parts: a search leaves this address on the round's page, which has updates."""
    return waiting_round_page(request, get_round_for_arbiter(request.user, club, event, number))


def waiting_round_page(request: AuthenticatedRequest, this_round: Round) -> HttpResponse:
    """Return the check-in page of a round, for arbiters."""
    return check_in_page(request, this_round, "pairing/pages/round/waiting_round.html", _pairing_step)


def _pairing_step(this_round: Round) -> Mapping[str, object]:
    """Return what the step that pairs the round needs: what blocks it, and what can be undone."""
    if this_round.state != Round.State.WAITING:
        return {}
    before = this_round.tournament.rounds.filter(number__lt=this_round.number)
    previous = before.filter(number=this_round.number - 1).first()
    missing = absent_without_notice(previous, check_in_states(this_round)) if previous else []
    return {
        "missed_round": previous,
        "missing": missing,
        "stayed_away": absent_without_message(previous, missing) if previous else set(),
        "unfinished": before.exclude(state=Round.State.FINISHED).order_by("number").first(),
        "being_paired": jobs.unfinished_pairing_job(this_round),
        "found_no_round": jobs.has_no_legal_pairing(this_round),
        "history": undo_history(this_round),
    }
