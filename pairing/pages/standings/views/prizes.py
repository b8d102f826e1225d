"""Pages that show and set the prizes of an event."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.access import can_run_events, roles_in_club
from clubs.models import Role
from clubs.request_types import AuthenticatedRequest, WebRequest
from pairing.page_context import event_page_context
from pairing.pages.standings.forms import PrizesForm
from pairing.pages.standings.prize_giving import (
    get_prize_fund,
    has_public_prizes,
    prize_sheet,
    prizes_by_list,
    publish_prizes,
    set_prizes,
)
from tournaments.access import get_tournament_for_arbiter, get_tournament_for_reader
from tournaments.live_updates.page_decorators import cache_event_page


@login_not_required
@require_safe
@cache_event_page
def prizes_page(request: WebRequest, club: str, event: str) -> HttpResponse:
    """Show the awards and their calculation. Readers see them after the event or once published."""
    tournament = get_tournament_for_reader(request.user, club, event)
    may_run = can_run_events(request.user, tournament.club)
    fund = get_prize_fund(tournament)
    is_shown = may_run or has_public_prizes(fund)
    context = event_page_context(tournament, may_run=may_run, here="standings") | {
        "sheet": prize_sheet(tournament) if is_shown else None,
        "fund": fund,
    }
    return render(request, "pairing/pages/standings/prizes.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def prizes_edit(request: AuthenticatedRequest, club: str, event: str) -> HttpResponse:
    """Set the prizes and the rules for sharing."""
    tournament = get_tournament_for_arbiter(request.user, club, event)
    fund = get_prize_fund(tournament)
    form = PrizesForm(request.POST or None, fund=fund, listed=prizes_by_list(fund))
    if request.method == "POST" and form.is_valid():
        set_prizes(
            tournament,
            form.prize_lists,
            sharing=form.cleaned_data["sharing"],
            one_prize_each=form.cleaned_data["one_prize_each"],
            by=request.user,
        )
        messages.success(request, _("Prizes saved."))
        return redirect("prizes", club, event)
    roles = roles_in_club(request.user, tournament.club)
    context = event_page_context(tournament, may_run=True, here="standings") | {
        "form": form,
        "may_book": Role.TREASURER in roles,
        "may_edit": Role.SECRETARY in roles,
    }
    return render(request, "pairing/pages/standings/prizes_edit.html", context, status=422 if form.is_bound else 200)


@require_POST
def prizes_publish(request: AuthenticatedRequest, club: str, event: str) -> HttpResponse:
    """Publish the prizes, or with `take_back` hide them until the event is over."""
    tournament = get_tournament_for_arbiter(request.user, club, event)
    publish_prizes(tournament, publish="take_back" not in request.POST, by=request.user)
    return redirect("prizes", club, event)
