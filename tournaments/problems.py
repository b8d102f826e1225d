"""What an arbiter can put right himself: shown to him on the page, never as a traceback."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tournaments.models import Entry, Game


class ArbiterProblem(Exception):
    """Something the arbiter asked for cannot be done, and the message (in his language) says why.

    `entries` are the players in the way, `games` the boards; both may be empty.
    """

    def __init__(self, message: str, *, entries: Iterable[Entry] = (), games: Iterable[Game] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.entries = tuple(entries)
        self.games = tuple(games)


class EventDeleted(ArbiterProblem):
    """The event is not there any more: somebody has deleted it meanwhile."""


class ResultConflict(ArbiterProblem):
    """Somebody else has entered another result meanwhile.

    `game` is the board as it stands now (its result, revision, entered_by), `wanted` the result that was refused.
    To insist, enter it again with `game.revision`.
    """

    def __init__(self, message: str, *, game: Game, wanted: str) -> None:
        super().__init__(message, games=(game,))
        self.game = game
        self.wanted = wanted


class GameReplaced(ArbiterProblem):
    """The page was made for a game that has been paired anew since; `games` holds the one there is now, if any."""


class PairingChanged(ArbiterProblem):
    """The page was made from an older version of the round's pairing: show it anew."""
