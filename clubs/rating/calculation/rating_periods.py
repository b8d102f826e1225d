"""What goes into a month of rated games, and what comes out of it, whatever the method.

A rating period is a calendar month. All its games are counted with ratings of a first day of a month, its own or an
earlier one, so that the order of games within a month changes nothing, and a month can be counted anew from the states
before it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, TypeAlias

StoredRatingState: TypeAlias = Mapping[str, Any]
"""What a method remembers of a player from month to month, as it is stored; each method has its own keys."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedGame:
    """A game that was played: its key, its event's key, both players' keys, and what each scored in half points.

    `list_month` is the first day of the month in which its event began, where that is an earlier one than it counts in.
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
    """What counting needs to know of a player; `initial_rating` is the rating he came with, None without one.

    `games_before` are the rated games that he had then, where somebody has said how many.
    """

    birth_year: int | None = None
    initial_rating: int | None = None
    games_before: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingPeriod:
    """A month's games and what its players bring to it.

    `players` are those who get a rating; all other players are guests, who keep the rating they came with
    (`guest_ratings`: by key, None for none). `standard_ratings` holds ratings in standard chess on the first day, for
    rapid and blitz. `earlier` holds the lists of the months in which events of these games began: ratings by key, None
    for the unrated; who is missing had not been rated until then. `k_factors` are the K of FIDE's list in force, of
    whom it lists, and `future_k_factors` those of the first list on which somebody stands, where that is a later one.
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
    """One game as it counted for one player.

    `opponent` is his rating (None: unrated, so that the game does not count), `expected` the score expected in
    hundredths (None where no change was counted from it), `counts` whether the game was rated at all.
    """

    game: int
    opponent: int | None
    score: int
    expected: int | None
    counts: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerPeriodResult:
    """A player's month: ratings before and after (None: unrated), K where there is one, games, and the state after."""

    rating_before: int | None
    rating_after: int | None
    k_factor: int | None
    games: tuple[GameCalculation, ...]
    state: StoredRatingState


def games_by_player(month: RatingPeriod) -> dict[int, list[tuple[RatedGame, int, int]]]:
    """For everyone who gets a rating: his games in the order of their keys, each with the opponent and the score."""
    found: dict[int, list[tuple[RatedGame, int, int]]] = defaultdict(list)
    for game in sorted(month.games, key=lambda each: each.game):
        if game.white in month.players:
            found[game.white].append((game, game.black, game.white_score))
        if game.black in month.players:
            found[game.black].append((game, game.white, game.black_score))
    return found


def months_between(earlier: date, later: date) -> int:
    """How many months the later one is after the earlier."""
    return (later.year - earlier.year) * 12 + later.month - earlier.month
