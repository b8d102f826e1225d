"""Entering results, board by board with HTMX or in plain forms, and the page of a board."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from clubs.models import User
from clubs.request_types import AuthenticatedRequest, WebRequest
from pairing.access import get_round_for_visitor
from pairing.explanations.named_reasons import player_names_by_number
from pairing.page_context import event_page_context
from pairing.pages.round.board_lines import board_lines
from pairing.pages.round.corrections import correction_consequences
from pairing.pages.round.round_page import boards_needing_attention, corrected_board_query, round_page_context
from pairing.rounds.proposals.jobs import propose_after_corrections
from pairing.view_models.sheets.players_and_results import format_result
from pairing.view_models.sheets.round_pairings import pairing_sheet
from tournaments.access import get_round_for_arbiter
from tournaments.models import Game, Round
from tournaments.problems import ArbiterProblem, GameReplaced, ResultConflict
from tournaments.results.displayed_game import parse_displayed_game, require_displayed_game
from tournaments.results.recording import correct_result, enter_result
from tournaments.results.result_claims import open_claims_by_board


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
        said = [_("Result of board %(board)d corrected.") % {"board": board}, *correction_consequences(this_round)]
        messages.success(request, " ".join(said))
    if request.htmx:
        return render(request, "pairing/pages/round/round.html#saved_row", _row_context(request, this_round, board))
    if this_round.state == Round.State.FINISHED:
        # Redirect to the top of the page, where the message about the correction is.
        return redirect(f"{_address(this_round)}?{corrected_board_query(board)}")
    return redirect(f"{_address(this_round)}#board-{board}")


@require_POST
def round_results(request: AuthenticatedRequest, club: str, event: str, number: int) -> HttpResponse:
    """Enter every changed result of the page."""
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
    require_displayed_game(game, seen)
    if game.round.state == Round.State.FINISHED:
        correct_result(game, result, revision=seen.revision, by=by, reason=sent.get("reason", "").strip())
        propose_after_corrections(game.round.tournament, by=by)
    else:
        enter_result(game, result, revision=seen.revision, by=by, reason=sent.get("reason", "").strip())


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
    return event_page_context(tournament, may_run=may_run, number=this_round.number) | {
        "round": this_round,
        "sheet": sheet,
        "line": board_lines(
            sheet,
            player_names_by_number(tournament),
            refused,
            open_claims_by_board(this_round, boards=[board]) if may_run else {},
        )[0],
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
