"""The pages where papers are chosen, looked at, and sent to the printer: of an event, and of a club."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.functional import Promise
from django.views.decorators.http import require_POST, require_safe

from clubs.access import can_run, get_club_for_officer, roles_in
from clubs.frame import frame as frame_of_club
from clubs.models import Club, ClubPaper, Role
from clubs.requests import OfficerRequest, WebRequest
from pairing.frame import frame
from pairing.printing.choices import (
    Choice,
    ChoiceGroup,
    PaperForm,
    choices_of_club,
    choices_of_event,
    chosen_of,
    rounds_shown,
)
from pairing.printing.habits import habit_of, remember
from pairing.printing.wall import note_printed, on_the_wall
from pairing.standings.categories import offered_categories
from pairing.standings.event_standings import standings
from tournaments.access import get_tournament_for_arbiter, get_tournament_for_reader
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
    context["wall"] = on_the_wall(tournament, shown[0] if shown else None) if may_run else []
    context["now"] = reverse("print_now", args=[club, event]) if may_run else ""
    context |= _chosen(request, tournament.club, groups, published, is_officer=may_run, event=tournament)
    context["may_edit"] = Role.SECRETARY in roles_in(request.user, tournament.club)
    context["is_here_alone"] = _is_this_computer(request.get_host())
    return render(request, "pairing/printing/print_centre.html", context)


@require_safe
def club_print_centre(request: OfficerRequest, club: str) -> HttpResponse:
    """Every paper of a club in one place."""
    the_club = get_club_for_officer(request.user, club)
    groups = choices_of_club(the_club, roles_in(request.user, the_club))
    context = {"now": reverse("print_now_of_club", args=[club])}
    context |= frame_of_club(request.user, the_club, "print") | _chosen(request, the_club, groups, [], is_officer=True)
    return render(request, "pairing/printing/club_print_centre.html", context)


@require_POST
def print_now(request: OfficerRequest, club: str, event: str) -> HttpResponse:
    """To the paper as it was chosen, or with `usual` as the last time; what was chosen is remembered."""
    tournament = get_tournament_for_arbiter(request.user, club, event)
    number = request.POST.get("of_round", "")
    of_round = next((each for each in rounds_shown(tournament, may_run=True) if str(each.number) == number), None)
    groups = choices_of_event(tournament, of_round.number if of_round else None, may_run=True)
    choice = _exactly(groups, request.POST.get("document", ""))
    query = _as_chosen(request, tournament.club, choice, tournament)
    note_printed(tournament, of_round, choice.code, query, by=request.user)
    return redirect(f"{choice.address}?{urlencode(query)}")


@require_POST
def print_now_of_club(request: OfficerRequest, club: str) -> HttpResponse:
    """To a paper of the club as it was chosen; what was chosen is remembered."""
    the_club = get_club_for_officer(request.user, club)
    choice = _exactly(choices_of_club(the_club, roles_in(request.user, the_club)), request.POST.get("document", ""))
    return redirect(f"{choice.address}?{urlencode(_as_chosen(request, the_club, choice))}")


def _exactly(groups: list[ChoiceGroup], code: str) -> Choice:
    choice = next((each for group in groups for each in group.choices if each.code == code), None)
    if choice is None:
        raise Http404
    return choice


def _as_chosen(request: OfficerRequest, club: Club, choice: Choice, event: Tournament | None = None) -> dict[str, str]:
    """What goes into the paper's address; kept for the next time, unless it is the `usual`."""
    usual = ClubPaper.of(club)
    if "usual" in request.POST:
        return PaperForm(QueryDict(), choice, usual=usual, habit=habit_of(club, choice.code)).query
    # Which rounds there are is left to the paper's own address.
    categories = _categories(event, choice)
    form = PaperForm(request.POST, choice, usual=usual, rounds=range(1, 1000), categories=categories)
    remember(club, choice.code, form.query)
    return form.query


def _is_this_computer(host: str) -> bool:
    """Whether an address by which a page was asked for means the computer it is asked from."""
    name = host.rpartition(":")[0] if host.rpartition(":")[2].isdecimal() else host
    return name == "localhost" or name.startswith("127.") or name == "[::1]"


def _chosen(
    request: WebRequest,
    club: Club,
    groups: list[ChoiceGroup],
    published: list[int],
    *,
    is_officer: bool,
    event: Tournament | None = None,
) -> dict[str, Any]:
    """The paper chosen, the form for it, and the addresses of its preview and its PDF."""
    choice = chosen_of(groups, request.GET.get("document", ""))
    usual = ClubPaper.of(club)
    habit = habit_of(club, choice.code) if is_officer else {}
    categories = _categories(event, choice)
    form = PaperForm(request.GET, choice, usual=usual, habit=habit, rounds=published, categories=categories)
    query = form.query
    return {
        "groups": groups,
        "choice": choice,
        "form": form,
        "query": query,
        "sheets": f"{choice.address}?{urlencode({**query, 'as': 'sheets'})}",
        "preview": f"{choice.address}?{urlencode({**query, 'as': 'page'})}",
        "pdf": f"{choice.address}?{urlencode(query)}",
    }


def _categories(event: Tournament | None, choice: Choice) -> list[tuple[str, str | Promise]]:
    """Those of an event by key and name, for a paper that has them; none where its tie-breaks are not known."""
    if event is None or "category" not in choice.fields:
        return []
    try:
        return [(each.key, each.label) for each in offered_categories(standings(event))]
    except ArbiterProblem:
        return []
