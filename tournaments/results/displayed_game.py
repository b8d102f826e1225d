"""The game a page shows, so that an outdated page never enters a result for another game."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from tournaments.models import Game
from tournaments.problems import GameReplaced


@dataclass(frozen=True, slots=True, kw_only=True)
class DisplayedGame:
    """A game by its key (one pair, one allocation of colours), its revision and its result, as a page showed them.

    Boards that are paired again are new rows, and keys are never reused.
    """

    game: int
    revision: int
    result: str

    def __str__(self) -> str:
        return f"{self.game}.{self.revision} {self.result}"


def parse_displayed_game(text: str) -> DisplayedGame | None:
    """Return the `DisplayedGame` in this text, or None if the text has a different form."""
    place, _space, result = text.partition(" ")
    game, _stop, revision = place.partition(".")
    numbers = [number for number in (game, revision) if number.isascii() and number.isdecimal() and len(number) < 16]
    if len(numbers) != 2 or result not in Game.Result.values:
        return None
    return DisplayedGame(game=int(game), revision=int(revision), result=result)


def require_displayed_game(game: Game, seen: DisplayedGame) -> None:
    """Raise GameReplaced unless this is the game, with its players, that the page showed at its board."""
    if game.pk != seen.game:
        raise game_changed_problem(game)


def game_changed_problem(now: Game | None) -> GameReplaced:
    """Return the problem to raise. `now` is the game now at the board, if there is one."""
    if now is None:
        return GameReplaced(_("The pairings have changed, and this game is no longer in them. Nothing was entered."))
    return GameReplaced(
        _(
            "The players on board %(board)s have changed. They are now %(white)s – %(black)s. "
            "Your result was not saved. Check it and enter it again."
        )
        % {"board": now.board, "white": now.white.name, "black": now.black.name},
        games=(now,),
    )
