"""What the page of a round shows: its boards, and what those who run the event can do with it next."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Page, Paginator

from clubs.access import Visitor
from clubs.requests import WebRequest, key_of
from pairing.explanations.with_names import NamedWarning, names_of, with_names
from pairing.frame import frame
from pairing.pages.round.corrections import changed_points
from pairing.pages.round.hall_messages import message_of
from pairing.pages.round.lines import board_lines, bye_lines
from pairing.rounds.lifecycle import background, drafts
from pairing.rounds.lifecycle.editing_sessions import session_of
from pairing.rounds.manual.undo import history_of
from pairing.rounds.manual.views.editing_lines import session_context
from pairing.rounds.proposals.background import after_correction
from pairing.rounds.proposals.proposing import changed_boards, compare_proposal
from pairing.view_models.sheets.decisions import decision_of
from pairing.view_models.sheets.rounds import PairingSheet, pairing_sheet
from tournaments.check_in.byes import attendance
from tournaments.check_in.check_in import absent_without_notice, not_seen, on_the_way, states_at_the_door, stayed_away
from tournaments.models import Game, Round
from tournaments.problems import ArbiterProblem
from tournaments.results.claims import BoardClaims, claims_of, disputed_boards, late_boards

BOARDS_ON_A_PAGE = 200


def round_context(
    request: WebRequest,
    this_round: Round,
    *,
    may_run: bool,
    refused: Mapping[int, ArbiterProblem] = MappingProxyType({}),
) -> dict[str, Any]:
    """Everything `pairing/pages/round/round.html` shows; `refused` says of boards why their result was not entered."""
    tournament = this_round.tournament
    name = request.GET.get("name", "").strip()
    page = page_of_boards(this_round, request.GET.get("page"))
    is_draft = this_round.state == Round.State.DRAFT
    corrects_results = may_run and this_round.state == Round.State.FINISHED
    names = names_of(tournament) if is_draft else {}
    watched = boards_to_watch(this_round, request.GET.get("only", "")) if may_run else {}
    sheet = pairing_sheet(
        this_round,
        first=page.start_index() or 1,
        last=page.end_index() or None,
        name=name,
        only=watched.get("chosen"),
        with_reasons_of_byes=is_draft,
    )
    warnings = with_names(drafts.warnings_of_draft(this_round), names) if may_run and is_draft else ()
    context = frame(tournament, may_run=may_run, number=this_round.number)
    return context | {
        "round": this_round,
        "newer": [each for each in context["rounds"] if each.is_public and each.number > this_round.number][-1:],
        "sheet": sheet,
        "lines": board_lines(sheet, names, refused, _claims(this_round, may_run=may_run), warnings),
        "byes": bye_lines(sheet, names),
        "page": page,
        "searched": name,
        "is_saved": False,
        "shows_all_results": False,
        "enters_results": may_run and this_round.state == Round.State.PUBLISHED,
        "corrects_results": corrects_results,
        "just_corrected": key_of(request.GET.get("corrected", "")) if corrects_results else 0,
        "decision": decision_of(this_round),
        "changed_points": changed_points(this_round),
        "is_last": this_round.number >= tournament.rounds_announced,
        **watched,
        **(_controls(this_round, sheet, request.user, warnings) if may_run else {}),
    }


def page_of_boards(this_round: Round, wanted: str | None) -> Page[int]:
    """Which boards stand on a page: a range of numbers, so that no board is read to find it out."""
    return Paginator(range(1, this_round.games.count() + 1), BOARDS_ON_A_PAGE).get_page(wanted)


def page_with_corrected(board: int) -> str:
    """What to ask of a finished round's page so that it shows this board, marked as corrected just now."""
    asked = {"corrected": board}
    if board > BOARDS_ON_A_PAGE:
        asked["page"] = (board - 1) // BOARDS_ON_A_PAGE + 1
    return urlencode(asked)


def boards_to_watch(this_round: Round, only: str) -> dict[str, Any]:
    """Of a published round: the boards that are disputed, those that wait for somebody late, and which are shown.

    `only` asks for those (`open`, `disputed`, `late`); anything else for all, and then `chosen` is None.
    """
    if this_round.state != Round.State.PUBLISHED:
        return {}
    disputed, late = disputed_boards(this_round), late_boards(this_round)
    chosen: list[int] | None = None
    if only == "open":
        still_open = this_round.games.filter(result=Game.Result.PENDING).order_by("board")
        chosen = list(still_open.values_list("board", flat=True)[:BOARDS_ON_A_PAGE])
    elif only == "disputed":
        chosen = [game.board for game in disputed]
    elif only == "late":
        chosen = late
    return {"disputed": disputed, "late": late, "only": only if chosen is not None else "", "chosen": chosen}


def _controls(
    this_round: Round, sheet: PairingSheet, user: Visitor, warnings: tuple[NamedWarning, ...]
) -> dict[str, Any]:
    """What the arbiter needs to know before he presses the next button."""
    if this_round.state == Round.State.WAITING:
        players, states = attendance(this_round), states_at_the_door(this_round)
        before = this_round.tournament.rounds.filter(number__lt=this_round.number)
        previous = before.filter(number=this_round.number - 1).first()
        return {
            **(_did_not_come(previous, states) if previous else {}),
            "not_seen": not_seen(this_round, players, states),
            "on_the_way": on_the_way(players, states),
            "unfinished": before.exclude(state=Round.State.FINISHED).order_by("number").first(),
            "present_count": sum(1 for player in players if player.is_to_be_paired),
            "away": [player for player in players if not player.is_to_be_paired],
            "being_paired": background.being_paired(this_round),
            "found_no_round": background.found_no_round(this_round),
            "history": history_of(this_round),
        }
    if this_round.state == Round.State.DRAFT:
        return {
            "warnings": warnings,
            "is_out_of_date": drafts.is_out_of_date(this_round),
            "unpaired_names": drafts.unpaired_names(this_round),
            "history": history_of(this_round),
            **session_context(session_of(this_round), user),
        }
    if this_round.state == Round.State.PUBLISHED:
        return {
            "may_unpublish": sheet.open_count == sheet.board_count,
            "hall_message": message_of(this_round.tournament),
            **_corrected(this_round),
        }
    later = this_round.tournament.rounds.filter(number__gt=this_round.number).exclude(state=Round.State.WAITING)
    shown = later.filter(state=Round.State.PUBLISHED).order_by("number").first()
    return {
        "may_reopen": not later.exists(),
        **_did_not_come(this_round),
        "later": shown,
        "hall_message": message_of(this_round.tournament),
        **(_corrected(shown, by=this_round) if shown else {}),
    }


def _did_not_come(finished: Round, states: Mapping[int, str] | None = None) -> dict[str, Any]:
    """Who did not come to that round, and whom of them the arbiter is asked to withdraw from the next."""
    missing = absent_without_notice(finished, states)
    return {"missed_round": finished, "missing": missing, "stayed_away": stayed_away(finished, missing)}


def _claims(this_round: Round, *, may_run: bool) -> Mapping[int, BoardClaims]:
    """What players have reported of boards still open, for those who run the event."""
    if may_run and this_round.state == Round.State.PUBLISHED and this_round.tournament.players_report_results:
        return claims_of(this_round)
    return {}


def _corrected(this_round: Round, by: Round | None = None) -> dict[str, Any]:
    """What a correction since the round was published, of `by` alone where named, would change in its pairing."""
    found = after_correction(this_round)
    if found is None or found.correction is None or (by is not None and found.correction.round_id != by.pk):
        return {}
    return {"corrected": found, "corrected_boards": changed_boards(compare_proposal(found))}
