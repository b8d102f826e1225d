"""The replay of a round, step by step."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from clubs.request_types import WebRequest
from pairing.access import get_round_for_visitor
from pairing.explanations.named_reasons import player_names_by_number
from pairing.page_context import event_page_context
from pairing.pages.replay.replay_step import build_replay_step, load_paired_round
from tournaments.live_updates.page_decorators import cache_event_page


@login_not_required
@require_safe
@cache_event_page
def round_replay(request: WebRequest, club: str, event: str, number: int) -> HttpResponse:
    """Show the requested step, or the first, with the list of steps. `?player=` limits it to one player."""
    this_round, may_run = get_round_for_visitor(request.user, club, event, number)
    names = player_names_by_number(this_round.tournament, number)
    player = _whole(request.GET.get("player"))
    followed = player if player in names else None
    paired = load_paired_round(this_round)
    stage = None
    if paired is not None:
        stage = build_replay_step(paired, names, wanted=_whole(request.GET.get("step")) or 1, player=followed)
    context = event_page_context(this_round.tournament, may_run=may_run, number=number, round_page="round_replay") | {
        "round": this_round,
        "stage": stage,
        "players": sorted(names.items()),
        "followed": followed,
        "followed_name": names.get(followed or 0, ""),
        "with_player": f"&player={followed}" if followed else "",
    }
    return render(request, "pairing/pages/replay/replay.html", context)


def _whole(text: str | None) -> int | None:
    """Parse a number of at most six digits."""
    return int(text) if text is not None and len(text) <= 6 and text.isascii() and text.isdigit() else None
