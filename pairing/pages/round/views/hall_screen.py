"""The hall screen, alternating between pairings with results and standings. Drafts are never shown."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from clubs.request_types import AuthenticatedRequest, WebRequest
from pairing.access import get_tournament_for_hall
from pairing.pages.round.hall_messages import current_hall_message, end_hall_message, show_hall_message
from pairing.view_models.sheets.round_pairings import pairing_sheet
from pairing.view_models.sheets.standings_sheet import standings_sheet
from pairing.view_models.standings.event_standings import get_event_standings
from tournaments.access import get_round_for_arbiter
from tournaments.events.next_evening import next_evening
from tournaments.live_updates.page_decorators import cache_event_page, mark_page_expiring
from tournaments.models import Round, Tournament
from tournaments.problems import ArbiterProblem

LINES_PER_PAGE = 200
"""The lines sent at once, enough for several screens. `static/js/hall_screen.js` requests the next ones."""

VALUES_SHOWN = 2
"""Points and the first tie-break. More cannot be read from the back of a hall."""

BOARDS, TABLE = "boards", "table"
"""The two views of the screen."""


@login_not_required
@require_safe
@cache_event_page
def hall_screen(request: WebRequest, club: str, event: str) -> HttpResponse:
    """Show the hall screen. For a private event, the key from the officers' pages is needed (`?key=`)."""
    tournament = get_tournament_for_hall(request.user, club, event, request.GET.get("key", ""))
    latest = tournament.rounds.only_published().order_by("number").last()
    turns = _turns(latest)
    wanted = request.GET.get("show", "")
    shows = wanted if wanted in turns else turns[0]
    page = request.GET.get("page", "")
    message = current_hall_message(tournament)
    if message is not None:
        mark_page_expiring(request)
    shown = _boards(tournament, latest, page) if shows == BOARDS and latest else _table(tournament, latest, page)
    context = {
        "tournament": tournament,
        "latest": latest,
        "evening": next_evening(Tournament.objects.filter(pk=tournament.pk)),
        "message": message,
        "shows": shows,
        "turns": turns,
        "time_zone": timezone.get_current_timezone_name(),
    }
    return render(request, "pairing/pages/round/hall_screen.html", context | shown)


@require_POST
def hall_message(request: AuthenticatedRequest, club: str, event: str, number: int) -> HttpResponse:
    """Set or end the message on the hall screen, then return to the round page."""
    this_round = get_round_for_arbiter(request.user, club, event, number)
    if "end" in request.POST:
        end_hall_message(this_round.tournament, by=request.user)
        messages.success(request, _("Message removed from the hall screen."))
        return redirect("round", club, event, number)
    minutes = request.POST.get("minutes", "")
    try:
        show_hall_message(
            this_round.tournament,
            request.POST.get("text", ""),
            int(minutes) if minutes.isdecimal() and len(minutes) < 5 else 0,
            by=request.user,
        )
    except ArbiterProblem as problem:
        messages.error(request, problem.message)
    else:
        messages.success(request, _("Message posted on the hall screen."))
    return redirect("round", club, event, number)


def _turns(latest: Round | None) -> list[str]:
    """Return the views to alternate, the most important first."""
    if latest is None:
        return [TABLE]
    if latest.state == Round.State.FINISHED:
        return [TABLE, BOARDS]
    return [BOARDS, TABLE] if latest.number > 1 else [BOARDS]


def _boards(tournament: Tournament, latest: Round, wanted: str) -> dict[str, Any]:
    """Return a page of the boards of the latest round."""
    latest.tournament = tournament
    page = Paginator(range(1, latest.games.count() + 1), LINES_PER_PAGE).get_page(wanted)
    sheet = pairing_sheet(latest, first=page.start_index() or 1, last=page.end_index() or None)
    return {"round": latest, "sheet": sheet, "page": page}


def _table(tournament: Tournament, latest: Round | None, wanted: str) -> dict[str, Any]:
    """Return a page of the standings after the last finished round, or of the starting list."""
    after = latest.number if latest else None
    if latest is not None and latest.state == Round.State.PUBLISHED:
        after = latest.number - 1
    table = get_event_standings(tournament, after)
    page = Paginator(table.rows, LINES_PER_PAGE).get_page(wanted)
    part = standings_sheet(table, rows=list(page))
    lines = [(line, line.values[:VALUES_SHOWN]) for line in part.lines]
    return {"table": part, "lines": lines, "page": page}
