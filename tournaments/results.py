"""Results: entering, correcting, and closing a round."""

from __future__ import annotations

from clubs.models import User
from tournaments.models import Game, Round


def enter_result(game: Game, result: str, *, revision: int, by: User | None) -> Game:
    """Enter the result of a published round's board (a value of `Game.Result`; empty takes it back). Returns the board anew.

    `revision` is the board's revision when the page was made. If another result has been entered since, ResultConflict
    is raised and nothing changed; the same result entered twice is no error. Raises ArbiterProblem when the round
    is not published or is finished already (see `correct_result`).
    """
    raise NotImplementedError


def correct_result(game: Game, result: str, *, revision: int, by: User | None, reason: str = "") -> Game:
    """Change a result of a finished round, with a log line saying what it was. Pairings already made stay as they are.

    Scores, totals and standings follow by themselves: they are computed, not stored. Same conflicts as `enter_result`;
    a finished round's result cannot be taken back to open.
    """
    raise NotImplementedError


def open_boards(round: Round) -> list[Game]:
    """The boards that have no result yet."""
    raise NotImplementedError


def finish_round(round: Round, *, by: User | None) -> Round:
    """Close a published round; raises ArbiterProblem naming the open boards. A finished round stays so (no error)."""
    raise NotImplementedError


def reopen_round(round: Round, *, by: User | None) -> Round:
    """Open the latest finished round again; raises ArbiterProblem once the next round is paired (draft included)."""
    raise NotImplementedError
