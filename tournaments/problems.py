"""Problems an arbiter can fix: shown on the page, never as a traceback."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from django.utils.functional import Promise

if TYPE_CHECKING:
    from tournaments.models import Entry, Game


class ArbiterProblem(Exception):
    """Raised if an arbiter's request can't be carried out. The message, in their language, says why.

    Where the language of a printout is active, the message is lazy. `entries` are the players concerned, `games` the
    boards; both may be empty.
    """

    def __init__(self, message: str | Promise, *, entries: Iterable[Entry] = (), games: Iterable[Game] = ()) -> None:
        super().__init__(message)
        self.entries = tuple(entries)
        self.games = tuple(games)

    @property
    def message(self) -> str:
        return str(self)


class UnreadablePlayers(ArbiterProblem):
    """Raised if the data of players to be entered are wrong. Nobody was entered."""


class EventDeleted(ArbiterProblem):
    """Raised if the event has been deleted in the meantime."""


class ResultConflict(ArbiterProblem):
    """Raised if somebody else has entered a different result in the meantime.

    `game` is the current board (its result, revision, entered_by), `wanted` the refused result. To insist, enter it
    again with `game.revision`.
    """

    def __init__(self, message: str, *, game: Game, wanted: str) -> None:
        super().__init__(message, games=(game,))
        self.game = game
        self.wanted = wanted


class GameReplaced(ArbiterProblem):
    """Raised if the game on the page has been paired again since. `games` has the current one, if any."""


class PairingChanged(ArbiterProblem):
    """Raised if the page was made from an older version of the round's pairing, so it must be shown again."""
