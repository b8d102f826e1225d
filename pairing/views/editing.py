"""Changing a draft by hand: swap two players, turn a board's colours, give somebody else the bye."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from clubs.requests import OfficerRequest, WebRequest
from pairing import rounds
from pairing.comparing import system_differs
from pairing.sheets import pairing_sheet
from pairing.views.comparing import comparison_of
from pairing.views.explaining import names_of, with_names
from pairing.views.frame import frame
from pairing.views.lines import board_lines, bye_lines
from tournaments.access import get_round_for_arbiter
from tournaments.models import Bye, Entry, Round
from tournaments.problems import ArbiterProblem

Pair = tuple[Entry, Entry]
"""White and Black of a board."""


@require_safe
def round_edit(request: OfficerRequest, club: str, event: str, number: int) -> HttpResponse:
    """The draft with a box for each player and a button for each board's colours."""
    this_round = get_round_for_arbiter(request.user, club, event, number)
    if this_round.state != Round.State.DRAFT:
        messages.error(request, _("Only a draft can be changed by hand. Take the published round back first."))
        return redirect("round", club, event, number)
    names = names_of(this_round.tournament)
    sheet = pairing_sheet(this_round)
    context = frame(this_round.tournament, may_run=True, number=number) | {
        "round": this_round,
        "sheet": sheet,
        "lines": board_lines(sheet, names, {}),
        "byes": bye_lines(sheet, names),
        "warnings": with_names(rounds.warnings_of_draft(this_round), names),
        **_beside_the_system(this_round),
    }
    return render(request, "pairing/edit.html", context)


@require_POST
def round_swap(request: OfficerRequest, club: str, event: str, number: int) -> HttpResponse:
    """Swap the two ticked players, or turn the colours of the board whose button was pressed."""
    this_round = get_round_for_arbiter(request.user, club, event, number)
    try:
        pairs, bye = _seated(this_round)
        one, other = _two_players(request, pairs, bye)
        new_pairs, new_bye = swapped(pairs, bye, one, other)
        version = request.POST.get("version", "")
        rounds.set_pairing_by_hand(
            this_round, new_pairs, new_bye, by=request.user, version=int(version) if version.isdecimal() else -1
        )
    except ArbiterProblem as problem:
        messages.error(request, problem.message)
    else:
        messages.success(
            request, _("%(one)s and %(other)s have changed places.") % {"one": one.name, "other": other.name}
        )
    return redirect(reverse("round_edit", args=[club, event, number]))


def swapped(pairs: Sequence[Pair], bye: Entry | None, one: Entry, other: Entry) -> tuple[list[Pair], Entry | None]:
    """The same boards and bye with two players in each other's place; two of one board change colours."""
    places = {one: other, other: one}
    new_pairs = [(places.get(white, white), places.get(black, black)) for white, black in pairs]
    return new_pairs, places.get(bye, bye) if bye else None


def _beside_the_system(this_round: Round) -> dict[str, Any]:
    """What the system would have paired, where the arbiter has changed the draft; or why it has no pairing to show."""
    try:
        compared = system_differs(this_round)
    except ArbiterProblem as problem:
        return {"no_comparison": problem.message}
    if compared is None:
        return {}
    titles = (_("This draft"), _("The system would have paired"))
    snapshot = rounds.take_snapshot(this_round)
    return {"comparison": comparison_of(compared, snapshot, titles), "agrees": compared.agrees}


def _seated(this_round: Round) -> tuple[list[Pair], Entry | None]:
    games = this_round.games.select_related("white", "black").order_by("board")
    bye = this_round.byes.filter(kind=Bye.Kind.PAIRING_ALLOCATED).select_related("entry").first()
    return [(game.white, game.black) for game in games], bye.entry if bye else None


def _two_players(request: WebRequest, pairs: Sequence[Pair], bye: Entry | None) -> tuple[Entry, Entry]:
    """The two whose places are to change."""
    board = request.POST.get("colours", "")
    if board.isdecimal() and 1 <= int(board) <= len(pairs):
        return pairs[int(board) - 1]
    seated = {str(entry.pk): entry for pair in pairs for entry in pair}
    if bye:
        seated[str(bye.pk)] = bye
    ticked = [seated[key] for key in request.POST.getlist("player") if key in seated]
    if len(ticked) != 2 or ticked[0] == ticked[1]:
        raise ArbiterProblem(_("Tick exactly two players, then press “Swap the two”."))
    return ticked[0], ticked[1]
