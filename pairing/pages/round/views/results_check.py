"""The second entry of results from the slips, and the keys for typing results."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from clubs.models import ResultKeyLayout, User
from clubs.request_types import AuthenticatedRequest
from pairing.page_context import event_page_context
from pairing.pages.round.round_page import paginate_boards
from pairing.view_models.sheets.players_and_results import format_result
from pairing.view_models.sheets.round_pairings import SheetBoard, pairing_sheet
from tournaments.access import get_round_for_arbiter
from tournaments.models import Game, ResultCheck, Round
from tournaments.problems import ArbiterProblem
from tournaments.results.displayed_game import parse_displayed_game, require_displayed_game
from tournaments.results.results_check import record_result_check, result_checks_by_board, results_check_progress


@require_safe
def round_results_check(request: AuthenticatedRequest, club: str, event: str, number: int) -> HttpResponse:
    """Show the boards without their results, to be typed again from the slips."""
    this_round = get_round_for_arbiter(request.user, club, event, number)
    if this_round.state not in (Round.State.PUBLISHED, Round.State.FINISHED):
        raise Http404
    return render(request, "pairing/pages/round/results_check.html", _context(request, this_round))


@require_POST
def round_results_check_all(request: AuthenticatedRequest, club: str, event: str, number: int) -> HttpResponse:
    """Save every result typed on the page, without JavaScript."""
    this_round = get_round_for_arbiter(request.user, club, event, number)
    read = 0
    for game in this_round.games.select_related("white", "black"):
        if request.POST.get(f"result-{game.board}"):
            try:
                _read_again(game, request.POST, by=request.user)
                read += 1
            except ArbiterProblem as problem:
                messages.error(request, problem.message)
    said = ngettext("%(n)d board checked.", "%(n)d boards checked.", read)
    messages.success(request, said % {"n": read})
    return redirect("round_results_check", club, event, number)


@require_POST
def board_result_check(request: AuthenticatedRequest, club: str, event: str, number: int, board: int) -> HttpResponse:
    """Save the second entry of one board. Returns its row and the progress."""
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
        address = reverse("round_results_check", args=[club, event, number])
        return redirect(f"{address}#board-{board}")
    sheet = pairing_sheet(this_round, first=board, last=board)
    readings = result_checks_by_board(this_round)
    context = {
        "tournament": this_round.tournament,
        "round": this_round,
        "line": _line(sheet.boards[0], readings) | {"refused": refused},
        "progress": results_check_progress(this_round, readings),
        "other_results": _other_results(),
        "out_of_band": True,
    }
    return render(request, "pairing/pages/round/results_check.html#answer", context, status=422 if refused else 200)


@require_POST
def result_keys_edit(request: AuthenticatedRequest, club: str, event: str, number: int) -> HttpResponse:
    """Change the club's keys for typing results."""
    this_round = get_round_for_arbiter(request.user, club, event, number)
    keys = request.POST.get("keys", "")
    if keys not in ResultKeyLayout.values:
        raise Http404
    the_club = this_round.tournament.club
    the_club.result_keys = keys
    the_club.save(update_fields=["result_keys"])
    messages.success(request, _("Result keys changed to: %(keys)s.") % {"keys": ResultKeyLayout(keys).label})
    return redirect("round_results_check" if request.POST.get("page") == "again" else "round", club, event, number)


def _read_again(game: Game, sent: QueryDict, *, by: User) -> None:
    """Record the second entry of a board, if it is still the displayed game (`seen-<board>`)."""
    result = sent.get(f"result-{game.board}", "")
    seen = parse_displayed_game(sent.get(f"seen-{game.board}", ""))
    if result not in Game.Result.values or not result or seen is None:
        raise ArbiterProblem(_("Choose a result for board %(board)d.") % {"board": game.board})
    require_displayed_game(game, seen)
    record_result_check(game, result, by=by)


def _context(request: AuthenticatedRequest, this_round: Round) -> dict[str, Any]:
    page = paginate_boards(this_round, request.GET.get("page"))
    sheet = pairing_sheet(this_round, first=page.start_index() or 1, last=page.end_index() or None)
    readings = result_checks_by_board(this_round)
    return event_page_context(this_round.tournament, may_run=True, number=this_round.number) | {
        "round": this_round,
        "lines": [_line(board, readings) for board in sheet.boards],
        "progress": results_check_progress(this_round, readings),
        "other_results": _other_results(),
        "page": page,
    }


def _line(board: SheetBoard, readings: dict[int, ResultCheck]) -> dict[str, Any]:
    """Return a board and its second entry. `is_waiting` is True if it has none and the board has a result."""
    reading = readings.get(board.board)
    agrees = reading is not None and reading.result == board.result
    return {
        "board": board,
        "reading": reading,
        "reading_text": format_result(reading.result) if reading else "",
        "agrees": agrees,
        "is_waiting": reading is None and not board.is_result_pending,
    }


def _other_results() -> list[tuple[str, str]]:
    """Return every result with its label, except the three of an ordinary game."""
    return [(value, str(label)) for value, label in Game.Result.choices[4:]]
