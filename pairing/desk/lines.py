"""Lines of the page of a round: a board or a bye, with what is said below it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from pairing.reasons.explanations import Names
from pairing.reasons.with_names import Explained, explained
from pairing.sheets.parts import RESULT_TEXTS
from pairing.sheets.rounds import PairingSheet, SheetBoard, SheetBye
from tournaments.problems import ArbiterProblem, ResultConflict
from tournaments.results.claims import BoardClaims


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardLine:
    """A board on the page. `refused` says why its result was not entered, `claims` what its players have reported."""

    board: SheetBoard
    why: tuple[Explained, ...] = ()
    refused: ArbiterProblem | None = None
    claims: BoardClaims | None = None

    @property
    def wanted(self) -> str | None:
        """The result that was refused because somebody has entered another meanwhile: he is asked which is right."""
        return self.refused.wanted if isinstance(self.refused, ResultConflict) else None

    @property
    def entered_by(self) -> str:
        """Who has entered the result that stands now."""
        if not isinstance(self.refused, ResultConflict) or self.refused.game.entered_by is None:
            return ""
        user = self.refused.game.entered_by
        return user.get_full_name() or user.get_username()

    @property
    def white_reports(self) -> str:
        return RESULT_TEXTS[self.claims.white] if self.claims else ""

    @property
    def black_reports(self) -> str:
        return RESULT_TEXTS[self.claims.black] if self.claims else ""

    @property
    def wanted_text(self) -> str:
        return RESULT_TEXTS[self.wanted or ""]


@dataclass(frozen=True, slots=True, kw_only=True)
class ByeLine:
    """A player without a game on the page."""

    bye: SheetBye
    why: tuple[Explained, ...] = ()


def board_lines(
    sheet: PairingSheet,
    names: Names,
    refused: Mapping[int, ArbiterProblem],
    claims: Mapping[int, BoardClaims] = MappingProxyType({}),
) -> list[BoardLine]:
    """The boards of a sheet; by board, `refused` says why a result was not entered, `claims` what players report."""
    return [
        BoardLine(
            board=board,
            why=explained(board.reasons, names),
            refused=refused.get(board.board),
            claims=claims.get(board.board),
        )
        for board in sheet.boards
    ]


def bye_lines(sheet: PairingSheet, names: Names) -> list[ByeLine]:
    return [ByeLine(bye=bye, why=explained(bye.reasons, names)) for bye in sheet.byes]
