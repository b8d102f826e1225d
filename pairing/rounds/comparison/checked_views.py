"""The page that checks an event against its rules, round by round. Nothing is saved."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from clubs.request_types import AuthenticatedRequest, parse_key
from pairing.explanations.named_reasons import player_names_by_number
from pairing.page_context import event_page_context
from pairing.rounds.comparison.rules_check import can_check_at_once, check_rounds, finished_rounds
from tournaments.access import get_tournament_for_arbiter


@require_safe
def event_rules_check(request: AuthenticatedRequest, club: str, event: str) -> HttpResponse:
    """Show every finished round with its verdict.

    A large event shows one round only: the one in `?round=`, or else the latest.
    """
    tournament = get_tournament_for_arbiter(request.user, club, event)
    rounds = finished_rounds(tournament)
    wanted = parse_key(request.GET.get("round", ""))
    whole = can_check_at_once(tournament, rounds)
    chosen = [each for each in rounds if each.number == wanted] or (rounds if whole else rounds[-1:])
    context = event_page_context(tournament, may_run=True, here="overview") | {
        "checked": list(check_rounds(tournament, chosen, player_names_by_number(tournament))),
        "others": [] if len(chosen) == len(rounds) else [each.number for each in rounds if each not in chosen],
        "is_imported": bool(tournament.report_lines),
    }
    return render(request, "pairing/rounds/comparison/rules_check.html", context)
