"""Lines of the round page: a board or a bye with its notes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from pairing.explanations.named_reasons import ExplainedReason, WarningWithNames, explain_stored_reasons
from pairing.explanations.reason_sentences import PlayerNames
from pairing.view_models.sheets.players_and_results import format_result
from pairing.view_models.sheets.round_pairings import PairingSheet, SheetBoard, SheetBye
from tournaments.problems import ArbiterProblem, ResultConflict
from tournaments.results.result_claims import BoardClaims, ClaimAgreement


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardLine:
    """A board on the page.

    `warnings` are the broken rules of a draft, the worst first. `refused` is the reason why its result was not saved.
    `claims` are the players' reports.
    """

    board: SheetBoard
    why: tuple[ExplainedReason, ...] = ()
    warnings: tuple[WarningWithNames, ...] = ()
    refused: ArbiterProblem | None = None
    claims: BoardClaims | None = None

    @property
    def refused_result(self) -> str | None:
        """The refused result, if somebody else entered a different one meanwhile."""
        return self.refused.wanted if isinstance(self.refused, ResultConflict) else None

    @property
    def is_disputed(self) -> bool:
        """True if its players report different results."""
        return self.claims is not None and self.claims.agreement is ClaimAgreement.DIFFERENT

    @property
    def entered_by(self) -> str:
        """The name of the user who entered the present result."""
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
    why: tuple[ExplainedReason, ...] = ()


def board_lines(
    sheet: PairingSheet,
    names: PlayerNames,
    refused: Mapping[int, ArbiterProblem],
    claims: Mapping[int, BoardClaims] = MappingProxyType({}),
    warnings: Iterable[WarningWithNames] = (),
) -> list[BoardLine]:
    """Return the boards of a sheet. `refused` and `claims` are by board number."""
    broken: dict[int | None, list[WarningWithNames]] = {}
    for warning in warnings:
        broken.setdefault(warning.board, []).append(warning)
    return [
        BoardLine(
            board=board,
            why=explain_stored_reasons(board.reasons, names),
            warnings=tuple(broken.get(board.board, ())),
            refused=refused.get(board.board),
            claims=claims.get(board.board),
        )
        for board in sheet.boards
    ]


def bye_lines(sheet: PairingSheet, names: PlayerNames) -> list[ByeLine]:
    return [ByeLine(bye=bye, why=explain_stored_reasons(bye.reasons, names)) for bye in sheet.byes]
