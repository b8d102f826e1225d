"""Results typed a second time from the slips; and the keys by which results are typed."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from clubs.models import ResultKeys, User
from clubs.requests import OfficerRequest
from pairing.frame import frame
from pairing.pages.round.round_page import page_of_boards
from pairing.view_models.sheets.parts import result_text
from pairing.view_models.sheets.rounds import SheetBoard, pairing_sheet
from tournaments.access import get_round_for_arbiter
from tournaments.models import Game, Round, SecondReading
from tournaments.problems import ArbiterProblem
from tournaments.results.second_reading import read_again, reading_progress, readings_of
from tournaments.results.seen_game import read_seen, require_seen


@require_safe
def round_again(request: OfficerRequest, club: str, event: str, number: int) -> HttpResponse:
    """The boards without their results: typed once more from the slips, what differs is found."""
    this_round = get_round_for_arbiter(request.user, club, event, number)
    if this_round.state not in (Round.State.PUBLISHED, Round.State.FINISHED):
        raise Http404
    return render(request, "pairing/pages/round/again.html", _context(request, this_round))


@require_POST
def round_again_all(request: OfficerRequest, club: str, event: str, number: int) -> HttpResponse:
    """Every result typed on the page, by one press, without scripts."""
    this_round = get_round_for_arbiter(request.user, club, event, number)
    read = 0
    for game in this_round.games.select_related("white", "black"):
        if request.POST.get(f"result-{game.board}"):
            try:
                _read_again(game, request.POST, by=request.user)
                read += 1
            except ArbiterProblem as problem:
                messages.error(request, problem.message)
    said = ngettext("%(n)d board read again.", "%(n)d boards read again.", read)
    messages.success(request, said % {"n": read})
    return redirect("round_again", club, event, number)


@require_POST
def board_again(request: OfficerRequest, club: str, event: str, number: int, board: int) -> HttpResponse:
    """One board typed once more; answers with its row and the progress."""
    this_round = get_round_for_arbiter(request.user, club, event, number)
    game = get_object_or_404(this_round.games.select_related("white", "black"), board=board)
    refused = None
    try:
        _read_again(game, request.POST, by=request.user)
    except ArbiterProblem as problem:
        refused = problem
    if not request.htmx:
        if refused:
            messages.error(request, refused.message)
        address = reverse("round_again", args=[club, event, number])
        return redirect(f"{address}#board-{board}")
    sheet = pairing_sheet(this_round, first=board, last=board)
    readings = readings_of(this_round)
    context = {
        "tournament": this_round.tournament,
        "round": this_round,
        "line": _line(sheet.boards[0], readings) | {"refused": refused},
        "progress": reading_progress(this_round, readings),
        "other_results": _other_results(),
        "out_of_band": True,
    }
    return render(request, "pairing/pages/round/again.html#answer", context, status=422 if refused else 200)


@require_POST
def round_keys(request: OfficerRequest, club: str, event: str, number: int) -> HttpResponse:
    """The club's keys for results are others from now on."""
    this_round = get_round_for_arbiter(request.user, club, event, number)
    keys = request.POST.get("keys", "")
    if keys not in ResultKeys.values:
        raise Http404
    the_club = this_round.tournament.club
    the_club.result_keys = keys
    the_club.save(update_fields=["result_keys"])
    messages.success(request, _("Results are now typed by: %(keys)s.") % {"keys": ResultKeys(keys).label})
    return redirect("round_again" if request.POST.get("page") == "again" else "round", club, event, number)


def _read_again(game: Game, sent: QueryDict, *, by: User) -> None:
    """Note what was typed for a board, if it is still the game that the page showed there (`seen-<board>`)."""
    result = sent.get(f"result-{game.board}", "")
    seen = read_seen(sent.get(f"seen-{game.board}", ""))
    if result not in Game.Result.values or not result or seen is None:
        raise ArbiterProblem(_("Board %(board)d: choose a result.") % {"board": game.board})
    require_seen(game, seen)
    read_again(game, result, by=by)


def _context(request: OfficerRequest, this_round: Round) -> dict[str, Any]:
    page = page_of_boards(this_round, request.GET.get("page"))
    sheet = pairing_sheet(this_round, first=page.start_index() or 1, last=page.end_index() or None)
    readings = readings_of(this_round)
    return frame(this_round.tournament, may_run=True, number=this_round.number) | {
        "round": this_round,
        "lines": [_line(board, readings) for board in sheet.boards],
        "progress": reading_progress(this_round, readings),
        "other_results": _other_results(),
        "page": page,
    }


def _line(board: SheetBoard, readings: dict[int, SecondReading]) -> dict[str, Any]:
    """A board and its second reading; `is_waiting`: a key that is pressed next is for it."""
    reading = readings.get(board.board)
    agrees = reading is not None and reading.result == board.result
    return {
        "board": board,
        "reading": reading,
        "reading_text": result_text(reading.result) if reading else "",
        "agrees": agrees,
        "is_waiting": reading is None and not board.is_open,
    }


def _other_results() -> list[tuple[str, str]]:
    """Every result but the three of an ordinary game, with its words."""
    return [(value, str(label)) for value, label in Game.Result.choices[4:]]
