"""Lines of the page of a round: a board or a bye, with what is said below it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from pairing.explanations.explanations import Names
from pairing.explanations.with_names import Explained, NamedWarning, explained
from pairing.view_models.sheets.parts import result_text
from pairing.view_models.sheets.rounds import PairingSheet, SheetBoard, SheetBye
from tournaments.problems import ArbiterProblem, ResultConflict
from tournaments.results.claims import Agreement, BoardClaims


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardLine:
    """A board on the page.

    `warnings` is what a draft breaks there, the worst first; `refused` says why its result was not entered, `claims`
    what its players have reported.
    """

    board: SheetBoard
    why: tuple[Explained, ...] = ()
    warnings: tuple[NamedWarning, ...] = ()
    refused: ArbiterProblem | None = None
    claims: BoardClaims | None = None

    @property
    def wanted(self) -> str | None:
        """The result that was refused because somebody has entered another meanwhile: he is asked which is right."""
        return self.refused.wanted if isinstance(self.refused, ResultConflict) else None

    @property
    def is_disputed(self) -> bool:
        """Its players report different results."""
        return self.claims is not None and self.claims.agreement is Agreement.DIFFERENT

    @property
    def entered_by(self) -> str:
        """Who has entered the result that stands now."""
        if not isinstance(self.refused, ResultConflict) or self.refused.game.entered_by is None:
            return ""
        user = self.refused.game.entered_by
        return user.get_full_name() or user.get_username()

    @property
    def white_reports(self) -> str:
        return result_text(self.claims.white) if self.claims else ""

    @property
    def black_reports(self) -> str:
        return result_text(self.claims.black) if self.claims else ""

    @property
    def wanted_text(self) -> str:
        return result_text(self.wanted or "")


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
    warnings: Iterable[NamedWarning] = (),
) -> list[BoardLine]:
    """The boards of a sheet; by board, `refused` says why a result was not entered, `claims` what players report."""
    broken: dict[int | None, list[NamedWarning]] = {}
    for warning in warnings:
        broken.setdefault(warning.board, []).append(warning)
    return [
        BoardLine(
            board=board,
            why=explained(board.reasons, names),
            warnings=tuple(broken.get(board.board, ())),
            refused=refused.get(board.board),
            claims=claims.get(board.board),
        )
        for board in sheet.boards
    ]


def bye_lines(sheet: PairingSheet, names: Names) -> list[ByeLine]:
    return [ByeLine(bye=bye, why=explained(bye.reasons, names)) for bye in sheet.byes]
