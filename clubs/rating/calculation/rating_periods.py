"""Input and output of a rating period, for any method.

A rating period is a calendar month. Its games count with the ratings of the first day of a month, this or an earlier
one. So the order of games within a month doesn't matter. And a month can be recalculated from the states before it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, TypeAlias

StoredRatingState: TypeAlias = Mapping[str, Any]
"""A player's state from month to month, as stored; each method has its own keys."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedGame:
    """A played game: its key, its event's key, both players' keys, and their scores in half points.

    `list_month` is the first day of the month in which its event began, if that is before this period.
    """

    game: int
    event: int
    white: int
    black: int
    white_score: int
    black_score: int
    list_month: date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedPlayer:
    """The player data needed for the calculation.

    `initial_rating` is the rating they came with, None without one. `games_before` are their rated games at that time,
    if entered.
    """

    birth_year: int | None = None
    initial_rating: int | None = None
    games_before: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingPeriod:
    """A month's games and the data of its players.

    `players` are those who get a rating. All others are guests, who keep their initial rating (`guest_ratings`: by key,
    None for none). `standard_ratings` are those of the first day, for rapid and blitz. `earlier_ratings` holds the
    lists of the months in which these games' events began: ratings by key, None for the unrated. A player missing there
    had never been rated. `k_factors` are the K of FIDE's list in force. `future_k_factors` are those of a player's
    first list, if that is a later one.
    """

    first_day: date
    is_standard: bool
    games: Sequence[RatedGame]
    players: Mapping[int, RatedPlayer]
    guest_ratings: Mapping[int, int | None] = field(default_factory=dict)
    states: Mapping[int, StoredRatingState] = field(default_factory=dict)
    standard_ratings: Mapping[int, int] = field(default_factory=dict)
    earlier_ratings: Mapping[date, Mapping[int, int | None]] = field(default_factory=dict)
    k_factors: Mapping[int, int] = field(default_factory=dict)
    future_k_factors: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class GameCalculation:
    """The rating calculation of a game for one of its players.

    `opponent` is the opponent's rating (None: unrated, so the game doesn't count). `expected` is the expected score in
    hundredths (None if it changed nothing). `counts` is True if the game was rated.
    """

    game: int
    opponent: int | None
    score: int
    expected: int | None
    counts: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerPeriodResult:
    """A player's result for a month: ratings before and after (None: unrated), K if any, games, and the new state."""

    rating_before: int | None
    rating_after: int | None
    k_factor: int | None
    games: tuple[GameCalculation, ...]
    state: StoredRatingState


def games_by_player(month: RatingPeriod) -> dict[int, list[tuple[RatedGame, int, int]]]:
    """Return every rated player's games, sorted by the game's key, each with the opponent and the score."""
    found: dict[int, list[tuple[RatedGame, int, int]]] = defaultdict(list)
    for game in sorted(month.games, key=lambda each: each.game):
        if game.white in month.players:
            found[game.white].append((game, game.black, game.white_score))
        if game.black in month.players:
            found[game.black].append((game, game.white, game.black_score))
    return found


def months_between(earlier: date, later: date) -> int:
    """Return the number of months from the earlier to the later date."""
    return (later.year - earlier.year) * 12 + later.month - earlier.month
