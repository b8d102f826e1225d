"""Lines of the round page: a board or a bye with its notes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Page, Paginator
from django.utils.translation import gettext as _

from clubs.request_types import WebRequest, parse_key
from clubs.roles import Visitor
from pairing.explanations.named_reasons import (
    NO_EXPLANATION,
    Explanation,
    WarningWithNames,
    add_names_to_warnings,
    explain_stored,
    player_names_by_number,
)
from pairing.explanations.reason_sentences import PlayerNames, points_text
from pairing.page_context import event_page_context
from pairing.pages.round.hall_messages import current_hall_message
from pairing.rounds.lifecycle import draft_checks
from pairing.rounds.lifecycle.draft_checks import changed_scores
from pairing.rounds.lifecycle.editing_sessions import active_editing_session
from pairing.rounds.manual.undo import undo_history
from pairing.rounds.manual.views import editing_session_context
from pairing.rounds.proposals.jobs import correction_proposal
from pairing.rounds.proposals.proposal_actions import compare_proposal, count_changed_boards
from pairing.view_models.sheets.arbiter_record import decision_of_round
from pairing.view_models.sheets.players_and_results import format_result
from pairing.view_models.sheets.round_pairings import PairingSheet, SheetBoard, SheetBye, pairing_sheet
from tournaments.audit_log.actions import EventAction
from tournaments.check_in.presence import absent_without_message, absent_without_notice
from tournaments.entries.pairing_numbers import changed_numbers
from tournaments.models import Entry, Game, LogEntry, Round
from tournaments.problems import ArbiterProblem, ResultConflict
from tournaments.results.result_claims import (
    BoardClaims,
    ClaimAgreement,
    boards_with_late_players,
    disputed_boards,
    open_claims_by_board,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardLine:
    """A board on the page.

    `warnings` are the broken rules of a draft, the worst first. `refused` is the reason why its result was not saved.
    `claims` are the players' reports.
    """

    board: SheetBoard
    why: Explanation = NO_EXPLANATION
    warnings: tuple[WarningWithNames, ...] = ()
    refused: ArbiterProblem | None = None
    claims: BoardClaims | None = None

    @property
    def refused_result(self) -> str | None:
        """The refused result, if somebody else entered a different one in the meantime."""
        return self.refused.wanted if isinstance(self.refused, ResultConflict) else None

    @property
    def is_disputed(self) -> bool:
        """True if the board's players report different results."""
        return self.claims is not None and self.claims.agreement is ClaimAgreement.DIFFERENT

    @property
    def entered_by(self) -> str:
        """The name of the user who entered the current result."""
        if not isinstance(self.refused, ResultConflict) or self.refused.game.entered_by is None:
            return ""
        user = self.refused.game.entered_by
        return user.get_full_name() or user.get_username()

    @property
    def white_report_text(self) -> str:
        return format_result(self.claims.white) if self.claims else ""

    @property
    def black_report_text(self) -> str:
        return format_result(self.claims.black) if self.claims else ""

    @property
    def refused_result_text(self) -> str:
        return format_result(self.refused_result or "")


@dataclass(frozen=True, slots=True, kw_only=True)
class ByeLine:
    """A player without a game on the page."""

    bye: SheetBye
    why: Explanation = NO_EXPLANATION


def board_lines(
    sheet: PairingSheet,
    names: PlayerNames,
    refused: Mapping[int, ArbiterProblem],
    claims: Mapping[int, BoardClaims] = MappingProxyType({}),
    warnings: Iterable[WarningWithNames] = (),
) -> list[BoardLine]:
    """Return the boards on a sheet. `refused` and `claims` are keyed by board number."""
    broken: dict[int | None, list[WarningWithNames]] = {}
    for warning in warnings:
        broken.setdefault(warning.board, []).append(warning)
    return [
        BoardLine(
            board=board,
            why=explain_stored(board.reasons, names),
            warnings=tuple(broken.get(board.board, ())),
            refused=refused.get(board.board),
            claims=claims.get(board.board),
        )
        for board in sheet.boards
    ]


def bye_lines(sheet: PairingSheet, names: PlayerNames) -> list[ByeLine]:
    return [ByeLine(bye=bye, why=explain_stored(bye.reasons, names)) for bye in sheet.byes]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedScore:
    """A player whose score has changed since the round was paired."""

    name: str
    before: str
    now: str


def find_changed_scores(shown: Round) -> list[ChangedScore]:
    """Return scores changed since a public round was paired, sorted by name. One query if nothing was corrected."""
    if not shown.is_public or shown.paired_at is None or shown.number == 1:
        return []
    corrections = LogEntry.objects.filter(
        tournament=shown.tournament_id,
        action=EventAction.RESULT_CORRECTED,
        round__number__lt=shown.number,
        at__gt=shown.paired_at,
    )
    if not corrections.exists():
        return []
    changed = changed_scores(shown)
    names = Entry.objects.filter(pk__in=changed).order_by("name", "pk").values_list("pk", "name")
    return [
        ChangedScore(name=name, before=points_text(changed[key][0]), now=points_text(changed[key][1]))
        for key, name in names
    ]


def correction_consequences(corrected: Round) -> list[str]:
    """Return a sentence for every later paired round, or a single sentence if no later round is paired."""
    later = corrected.tournament.rounds.filter(number__gt=corrected.number).exclude(state=Round.State.WAITING)
    said = [_SENTENCES[Round.State(each.state)]() % {"number": each.number} for each in later.order_by("number")]
    return said or [_("The next round isn't paired yet, so it will use the corrected result.")]


_SENTENCES = {
    Round.State.DRAFT: lambda: _(
        "The draft of round %(number)d uses the old result. Discard the draft and pair the round again."
    ),
    Round.State.PUBLISHED: lambda: _(
        "Round %(number)d is published and stays as it is. Its page shows how many boards would change."
    ),
    Round.State.FINISHED: lambda: _("Round %(number)d is finished. Its pairings and results stay as they are."),
}


BOARDS_PER_PAGE = 200


def round_page_context(
    request: WebRequest,
    this_round: Round,
    *,
    may_run: bool,
    refused: Mapping[int, ArbiterProblem] = MappingProxyType({}),
) -> dict[str, Any]:
    """Return the context of `pairing/pages/round/round.html`. `refused` has the errors by board."""
    tournament = this_round.tournament
    name = request.GET.get("name", "").strip()
    page = paginate_boards(this_round, request.GET.get("page"))
    is_draft = this_round.state == Round.State.DRAFT
    corrects_results = may_run and this_round.state == Round.State.FINISHED
    names = player_names_by_number(tournament, this_round.number) if is_draft else {}
    watched = boards_needing_attention(this_round, request.GET.get("only", "")) if may_run else {}
    sheet = pairing_sheet(
        this_round,
        first=page.start_index() or 1,
        last=page.end_index() or None,
        name=name,
        only=watched.get("chosen"),
        with_reasons_of_byes=is_draft,
    )
    warnings = add_names_to_warnings(draft_checks.draft_warnings(this_round), names) if may_run and is_draft else ()
    context = event_page_context(tournament, may_run=may_run, number=this_round.number)
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
        "just_corrected": parse_key(request.GET.get("corrected", "")) if corrects_results else 0,
        "decision": decision_of_round(this_round),
        "changed_scores": find_changed_scores(this_round),
        "is_last": this_round.number >= tournament.rounds_announced,
        "edit_refused": may_run and not is_draft and request.GET.get("edit") == "refused",
        "is_next_waiting": any(
            each.number == this_round.number + 1 and each.state == Round.State.WAITING for each in context["rounds"]
        ),
        **watched,
        **(_controls(this_round, sheet, request.user, warnings) if may_run else {}),
    }


def paginate_boards(this_round: Round, wanted: str | None) -> Page[int]:
    """Return a page of board numbers, without reading any board."""
    return Paginator(range(1, this_round.games.count() + 1), BOARDS_PER_PAGE).get_page(wanted)


def corrected_board_query(board: int) -> str:
    """Return the query string that shows this board, marked as just corrected."""
    asked = {"corrected": board}
    if board > BOARDS_PER_PAGE:
        asked["page"] = (board - 1) // BOARDS_PER_PAGE + 1
    return urlencode(asked)


def boards_needing_attention(this_round: Round, only: str) -> dict[str, Any]:
    """Return the disputed boards, the boards with late players, and the boards chosen by `only`.

    `only` is `open`, `disputed` or `late`. Anything else means all, and then `chosen` is None.
    """
    if this_round.state != Round.State.PUBLISHED:
        return {}
    disputed, late = disputed_boards(this_round), boards_with_late_players(this_round)
    chosen: list[int] | None = None
    if only == "open":
        still_open = this_round.games.filter(result=Game.Result.PENDING).order_by("board")
        chosen = list(still_open.values_list("board", flat=True)[:BOARDS_PER_PAGE])
    elif only == "disputed":
        chosen = [game.board for game in disputed]
    elif only == "late":
        chosen = late
    return {"disputed": disputed, "late": late, "only": only if chosen is not None else "", "chosen": chosen}


def _controls(
    this_round: Round, sheet: PairingSheet, user: Visitor, warnings: tuple[WarningWithNames, ...]
) -> dict[str, Any]:
    """Return the data for the arbiter's controls of a paired round. `waiting_round_page` is for the others."""
    if this_round.state == Round.State.DRAFT:
        return {
            "warnings": warnings,
            "is_out_of_date": draft_checks.is_draft_outdated(this_round),
            "unpaired_names": draft_checks.unpaired_player_names(this_round),
            "changed_numbers": changed_numbers(this_round),
            "history": undo_history(this_round),
            **editing_session_context(active_editing_session(this_round), user),
        }
    if this_round.state == Round.State.PUBLISHED:
        return {
            "may_unpublish": sheet.open_board_count == sheet.board_count,
            "changed_numbers": changed_numbers(this_round),
            "hall_message": current_hall_message(this_round.tournament),
            **_corrected(this_round),
        }
    later = this_round.tournament.rounds.filter(number__gt=this_round.number).exclude(state=Round.State.WAITING)
    shown = later.filter(state=Round.State.PUBLISHED).order_by("number").first()
    return {
        "may_reopen": not later.exists(),
        **_did_not_come(this_round),
        "later": shown,
        "hall_message": current_hall_message(this_round.tournament),
        **(_corrected(shown, by=this_round) if shown else {}),
    }


def _did_not_come(finished: Round) -> dict[str, Any]:
    """Return the players absent from that round, and those the arbiter may withdraw."""
    missing = absent_without_notice(finished)
    return {"missed_round": finished, "missing": missing, "stayed_away": absent_without_message(finished, missing)}


def _claims(this_round: Round, *, may_run: bool) -> Mapping[int, BoardClaims]:
    """Return the players' reports for open boards, for arbiters only."""
    if may_run and this_round.state == Round.State.PUBLISHED and this_round.tournament.players_report_results:
        return open_claims_by_board(this_round)
    return {}


def _corrected(this_round: Round, by: Round | None = None) -> dict[str, Any]:
    """Return the effect of a correction (of round `by` if given) on the pairing of this round."""
    found = correction_proposal(this_round)
    if found is None or found.correction is None or (by is not None and found.correction.round_id != by.pk):
        return {}
    return {"corrected": found, "corrected_boards": count_changed_boards(compare_proposal(found))}
