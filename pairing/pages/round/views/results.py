"""Entering results, board by board with HTMX or in plain forms, and the page of a board."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from clubs.models import ResultKeyLayout, User
from clubs.request_types import AuthenticatedRequest, WebRequest
from pairing.access import get_round_for_visitor
from pairing.explanations.named_reasons import player_names_by_number
from pairing.page_context import event_page_context
from pairing.pages.replay.replay_step import unpaired_at_board
from pairing.pages.round.round_page import (
    board_lines,
    boards_needing_attention,
    corrected_board_query,
    correction_consequences,
    paginate_boards,
    round_page_context,
)
from pairing.rounds.proposals.result_entry import enter_or_correct_result
from pairing.view_models.sheets.players_and_results import format_result
from pairing.view_models.sheets.round_pairings import SheetBoard, pairing_sheet
from tournaments.access import get_round_for_arbiter
from tournaments.models import Game, ResultCheck, Round
from tournaments.problems import ArbiterProblem, GameReplaced, ResultConflict
from tournaments.results.displayed_game import parse_displayed_game, require_displayed_game
from tournaments.results.result_claims import open_claims_by_board
from tournaments.results.results_check import record_result_check, result_checks_by_board, results_check_progress


@login_not_required
@require_safe
@vary_on_headers("HX-Request")
def board_page(request: WebRequest, club: str, event: str, number: int, board: int) -> HttpResponse:
    """Show one board: the reasons for its pairing and, to arbiters, every possible result."""
    this_round, may_run = get_round_for_visitor(request.user, club, event, number)
    get_object_or_404(this_round.games, board=board)
    if request.htmx and may_run and this_round.state == Round.State.PUBLISHED:
        context = _row_context(request, this_round, board) | {"shows_all_results": True}
        return render(request, "pairing/pages/round/round.html#row", context)
    return render(request, "pairing/pages/round/board.html", _board_context(this_round, board, may_run=may_run))


@require_POST
def board_result(request: AuthenticatedRequest, club: str, event: str, number: int, board: int) -> HttpResponse:
    """Enter or correct the result of one board. Only this board's fields of the form are read."""
    this_round = get_round_for_arbiter(request.user, club, event, number)
    game = get_object_or_404(this_round.games.select_related("white", "black"), board=board)
    game.round = this_round
    try:
        _enter(game, request.POST, by=request.user)
    except ArbiterProblem as problem:
        refused = {board: problem}
        if request.htmx:
            return render(
                request,
                "pairing/pages/round/round.html#row",
                _row_context(request, this_round, board, refused),
                status=422,
            )
        context = _board_context(this_round, board, may_run=True, refused=refused)
        return render(request, "pairing/pages/round/board.html", context, status=422)
    if this_round.state == Round.State.FINISHED:
        said = [_("Result of board %(board)d corrected.") % {"board": board}]
        # What a correction means for a published round is said by the notice on the page.
        if not this_round.tournament.rounds.filter(number__gt=number, state=Round.State.PUBLISHED).exists():
            said += correction_consequences(this_round)
        messages.success(request, " ".join(said))
    if request.htmx:
        return render(request, "pairing/pages/round/round.html#saved_row", _row_context(request, this_round, board))
    if this_round.state == Round.State.FINISHED:
        # Redirect to the top of the page, where the message about the correction is.
        return redirect(f"{_address(this_round)}?{corrected_board_query(board)}")
    return redirect(f"{_address(this_round)}#board-{board}")


@require_POST
def round_results(request: AuthenticatedRequest, club: str, event: str, number: int) -> HttpResponse:
    """Enter every changed result on the page."""
    this_round = get_round_for_arbiter(request.user, club, event, number)
    conflicts: dict[int, ArbiterProblem] = {}
    saved = 0
    for game in _changed(this_round, request.POST):
        try:
            _enter(game, request.POST, by=request.user)
            saved += 1
        except (GameReplaced, ResultConflict) as conflict:
            conflicts[game.board] = conflict
        except ArbiterProblem as problem:
            messages.error(request, problem.message)
            break
    if saved:
        messages.success(request, ngettext("%(n)d result saved.", "%(n)d results saved.", saved) % {"n": saved})
    if not conflicts:
        return redirect(_address(this_round))
    if any(isinstance(conflict, GameReplaced) for conflict in conflicts.values()):
        messages.warning(
            request, _("The pairings have changed since you opened this page. Check the highlighted boards.")
        )
    if any(isinstance(conflict, ResultConflict) for conflict in conflicts.values()):
        messages.warning(request, _("Someone else has entered different results. Choose which are correct."))
    context = round_page_context(request, this_round, may_run=True, refused=conflicts)
    return render(request, "pairing/pages/round/round.html", context, status=422)


def _changed(this_round: Round, sent: QueryDict) -> list[Game]:
    """Return the boards whose submitted result differs from the one displayed."""
    boards = [
        board
        for board in this_round.games.values_list("board", flat=True)
        if f"result-{board}" in sent and sent[f"result-{board}"] != sent.get(f"seen-{board}", "").partition(" ")[2]
    ]
    changed = list(this_round.games.filter(board__in=boards).select_related("white", "black"))
    for game in changed:
        game.round = this_round
    return changed


def _enter(game: Game, sent: QueryDict, *, by: User) -> None:
    """Enter the submitted result of a board. `seen-<board>` is the `DisplayedGame` of the page."""
    result = sent.get(f"result-{game.board}")
    seen = parse_displayed_game(sent.get(f"seen-{game.board}", ""))
    if result not in Game.Result.values or seen is None:
        raise ArbiterProblem(_("Choose a result for board %(board)d.") % {"board": game.board})
    enter_or_correct_result(game, result, seen=seen, by=by, reason=sent.get("reason", "").strip())


NO_REFUSALS: Mapping[int, ArbiterProblem] = MappingProxyType({})


def _row_context(
    request: WebRequest, this_round: Round, board: int, refused: Mapping[int, ArbiterProblem] = NO_REFUSALS
) -> dict[str, Any]:
    """Return the context of one row of the results table, and of the progress above it."""
    page = QueryDict(urlsplit(request.htmx.current_url or "").query)
    sheet = pairing_sheet(this_round, first=board, last=board)
    return {
        "tournament": this_round.tournament,
        "round": this_round,
        "sheet": sheet,
        "line": board_lines(sheet, {}, refused, open_claims_by_board(this_round, boards=[board]))[0],
        "enters_results": this_round.state == Round.State.PUBLISHED,
        "may_run": True,
        "all_results": _all_results(this_round),
        **boards_needing_attention(this_round, page.get("only", "")),
    }


def _board_context(
    this_round: Round, board: int, *, may_run: bool, refused: Mapping[int, ArbiterProblem] = NO_REFUSALS
) -> dict[str, Any]:
    """Return the context of the board page."""
    tournament = this_round.tournament
    sheet = pairing_sheet(this_round, first=board, last=board, with_reasons=True)
    names = player_names_by_number(tournament, this_round.number)
    claims = open_claims_by_board(this_round, boards=[board]) if may_run else {}
    line = board_lines(sheet, names, refused, claims)[0]
    if line.why:
        line = replace(line, why=replace(line.why, unpaired=unpaired_at_board(this_round, board, names)))
    return event_page_context(tournament, may_run=may_run, number=this_round.number) | {
        "round": this_round,
        "sheet": sheet,
        "line": line,
        "enters_results": may_run and this_round.state == Round.State.PUBLISHED,
        "corrects_results": may_run and this_round.state == Round.State.FINISHED,
        "what_follows": correction_consequences(this_round)
        if may_run and this_round.state == Round.State.FINISHED
        else [],
        "all_results": _all_results(this_round),
    }


def _all_results(this_round: Round) -> list[tuple[str, str, str]]:
    """Return every result with its symbol and words. Only a published round offers "no result yet"."""
    words: dict[str, str] = {"1-0": _("White wins"), "1/2": _("draw"), "0-1": _("Black wins")}
    results = [(value, format_result(value), words.get(value, str(label))) for value, label in Game.Result.choices[1:]]
    if this_round.state == Round.State.PUBLISHED:
        results.append(("", "", _("no result yet")))
    return results


def _address(this_round: Round) -> str:
    tournament = this_round.tournament
    return reverse("round", args=[tournament.club.slug, tournament.slug, this_round.number])


@require_safe
def round_results_check(request: AuthenticatedRequest, club: str, event: str, number: int) -> HttpResponse:
    """Show the boards without their results, to be entered again from the slips."""
    this_round = get_round_for_arbiter(request.user, club, event, number)
    if this_round.state not in (Round.State.PUBLISHED, Round.State.FINISHED):
        raise Http404
    return render(request, "pairing/pages/round/results_check.html", _context(request, this_round))


@require_POST
def round_results_check_all(request: AuthenticatedRequest, club: str, event: str, number: int) -> HttpResponse:
    """Save every result entered on the page, for browsers without JavaScript."""
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
    """Change the club's keys for entering results."""
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
