"""Entering a result as an arbiter does: in a published round, or as a correction of a finished one."""

from __future__ import annotations

from clubs.models import User
from pairing.rounds.proposals.jobs import create_proposals_after_corrections
from tournaments.models import Game, Round
from tournaments.results.displayed_game import DisplayedGame, require_displayed_game
from tournaments.results.recording import correct_result, enter_result


def enter_or_correct_result(game: Game, result: str, *, seen: DisplayedGame, by: User | None, reason: str = "") -> None:
    """Enter the result of the game that was `seen` at its board, with its round loaded.

    In a finished round it is a correction, and published rounds that depend on it are paired again as proposals. Raises
    GameReplaced if another game is at the board now, and as `enter_result` and `correct_result` do.
    """
    require_displayed_game(game, seen)
    if game.round.state == Round.State.FINISHED:
        correct_result(game, result, revision=seen.revision, by=by, reason=reason)
        create_proposals_after_corrections(game.round.tournament, by=by)
    else:
        enter_result(game, result, revision=seen.revision, by=by, reason=reason)
