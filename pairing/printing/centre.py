"""The pages where papers are chosen and looked at before they are printed: of an event, and of a club."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_not_required
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.views.decorators.http import require_safe

from clubs.access import can_run, get_club_for_officer, roles_in
from clubs.frame import frame as frame_of_club
from clubs.models import Club, ClubPaper, Role
from clubs.requests import OfficerRequest, WebRequest
from pairing.frame import frame
from pairing.printing.choices import ChoiceGroup, PaperForm, choices_of_club, choices_of_event, chosen_of, rounds_shown
from pairing.standings.categories import offered_categories
from pairing.standings.event_standings import standings
from tournaments.access import get_tournament_for_reader
from tournaments.models import Tournament
from tournaments.problems import ArbiterProblem


@login_not_required
@require_safe
def print_centre(request: WebRequest, club: str, event: str) -> HttpResponse:
    """Every paper of an event in one place: `?document=`, `of_round`, and what is chosen about it."""
    tournament = get_tournament_for_reader(request.user, club, event)
    may_run = can_run(request.user, tournament.club)
    shown = rounds_shown(tournament, may_run=may_run)
    wanted = request.GET.get("of_round", "")
    of_round = next((each for each in shown if str(each.number) == wanted), shown[0] if shown else None)
    groups = choices_of_event(
        tournament,
        of_round.number if of_round else None,
        may_run=may_run,
    )
    published = [each.number for each in shown if each.is_public]
    context = frame(tournament, may_run=may_run, here="print") | {"shown": shown, "of_round": of_round}
    context |= _chosen(request, tournament.club, groups, published, tournament)
    context["may_edit"] = Role.SECRETARY in roles_in(request.user, tournament.club)
    context["is_here_alone"] = _is_this_computer(request.get_host())
    return render(request, "pairing/printing/print_centre.html", context)


@require_safe
def club_print_centre(request: OfficerRequest, club: str) -> HttpResponse:
    """Every paper of a club in one place."""
    the_club = get_club_for_officer(request.user, club)
    groups = choices_of_club(the_club, roles_in(request.user, the_club))
    context = frame_of_club(request.user, the_club, "print") | _chosen(request, the_club, groups, [])
    return render(request, "pairing/printing/club_print_centre.html", context)


def _is_this_computer(host: str) -> bool:
    """Whether an address by which a page was asked for means the computer it is asked from."""
    name = host.rpartition(":")[0] if host.rpartition(":")[2].isdecimal() else host
    return name == "localhost" or name.startswith("127.") or name == "[::1]"


def _chosen(
    request: WebRequest, club: Club, groups: list[ChoiceGroup], published: list[int], event: Tournament | None = None
) -> dict[str, Any]:
    """The paper chosen, the form for it, and the addresses of its preview and its PDF."""
    choice = chosen_of(groups, request.GET.get("document", ""))
    usual = ClubPaper.objects.filter(club=club).first() or ClubPaper(club=club)
    categories = _categories(event) if event and "category" in choice.fields else []
    form = PaperForm(request.GET, choice, usual=usual, rounds=published, categories=categories)
    query = form.query
    return {
        "groups": groups,
        "choice": choice,
        "form": form,
        "preview": f"{choice.address}?{urlencode({**query, 'as': 'page'})}",
        "pdf": f"{choice.address}?{urlencode(query)}",
    }


def _categories(event: Tournament) -> list[tuple[str, str | Promise]]:
    """The categories of an event by key and name; none where its tie-breaks are not known."""
    try:
        return [(each.key, each.label) for each in offered_categories(standings(event))]
    except ArbiterProblem:
        return []
