"""Chart of a player's opponents by round: rating, colour and result."""

from __future__ import annotations

from dataclasses import dataclass

from pairing.view_models.sheets.player_sheet import PlayerSheet, PlayerSheetRound

WIDTH, HEIGHT = 640, 260
LEFT, RIGHT, TOP, BOTTOM = 56, 24, 28, 40
GRID_STEPS = (25, 50, 100, 200, 400)
MAX_GRID_STEPS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class OpponentRatingMark:
    """A game in the chart, at the height of the opponent's rating. `row` has its other data."""

    x: int
    y: int
    row: PlayerSheetRound


@dataclass(frozen=True, slots=True, kw_only=True)
class OpponentRatingsChart:
    """Everything a template needs to draw the chart.

    `own_rating_y` is the height of the player's own rating, None if they have none.
    """

    marks: tuple[OpponentRatingMark, ...]
    points: str
    ratings: tuple[tuple[int, int], ...]
    rounds: tuple[tuple[int, int], ...]
    own_rating_y: int | None
    average: int
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    bottom: int = HEIGHT - BOTTOM


def opponent_ratings_chart(sheet: PlayerSheet) -> OpponentRatingsChart | None:
    """Return the chart of the opponents with a rating, or None if there are fewer than two."""
    rows = [row for row in sheet.rounds if row.opponent is not None and row.opponent.rating]
    if len(rows) < 2:
        return None
    strengths = [_rating(row) for row in rows]
    of_all = strengths + ([sheet.player.rating] if sheet.player.rating else [])
    low, high, step = _scale(min(of_all), max(of_all))
    numbers = [row.number for row in sheet.rounds]

    def x_of_round(number: int) -> int:
        return LEFT + (WIDTH - LEFT - RIGHT) * numbers.index(number) // max(1, len(numbers) - 1)

    def y_of_rating(rating: int) -> int:
        return TOP + (HEIGHT - TOP - BOTTOM) * (high - rating) // (high - low)

    marks = tuple(OpponentRatingMark(x=x_of_round(row.number), y=y_of_rating(_rating(row)), row=row) for row in rows)
    return OpponentRatingsChart(
        marks=marks,
        points=" ".join(f"{mark.x},{mark.y}" for mark in marks),
        ratings=tuple((rating, y_of_rating(rating)) for rating in range(low, high + 1, step)),
        rounds=tuple((number, x_of_round(number)) for number in numbers),
        own_rating_y=y_of_rating(sheet.player.rating) if sheet.player.rating else None,
        average=round(sum(strengths) / len(strengths)),
    )


def _rating(row: PlayerSheetRound) -> int:
    return row.opponent.rating if row.opponent else 0


def _scale(lowest: int, highest: int) -> tuple[int, int, int]:
    """Return the lowest and highest rating of the grid, and its step."""
    for step in GRID_STEPS:
        low, high = lowest // step * step, -(-highest // step) * step
        high += step if low == high else 0
        if (high - low) // step < MAX_GRID_STEPS:
            break
    return low, high, step
