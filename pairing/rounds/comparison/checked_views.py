"""An event held against its rules, round by round; nothing is saved."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from clubs.requests import OfficerRequest, key_of
from pairing.explanations.with_names import names_of
from pairing.frame import frame
from pairing.rounds.comparison.checked import checked_rounds, finished_rounds, fits_at_once
from tournaments.access import get_tournament_for_arbiter


@require_safe
def event_checked(request: OfficerRequest, club: str, event: str) -> HttpResponse:
    """Every finished round with its verdict; of a large event the one asked for, `?round=`, else the latest."""
    tournament = get_tournament_for_arbiter(request.user, club, event)
    rounds = finished_rounds(tournament)
    wanted = key_of(request.GET.get("round", ""))
    whole = fits_at_once(tournament, rounds)
    chosen = [each for each in rounds if each.number == wanted] or (rounds if whole else rounds[-1:])
    context = frame(tournament, may_run=True, here="overview") | {
        "checked": list(checked_rounds(tournament, chosen, names_of(tournament))),
        "others": [] if len(chosen) == len(rounds) else [each.number for each in rounds if each not in chosen],
        "is_imported": bool(tournament.report_lines),
    }
    return render(request, "pairing/rounds/comparison/checked.html", context)
