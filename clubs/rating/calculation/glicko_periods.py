"""Calculation of a month by Glicko-2."""

from __future__ import annotations

from datetime import date
from decimal import ROUND_HALF_UP, Decimal

from clubs.rating.calculation.glicko import (
    GlickoGame,
    GlickoRating,
    glicko_expected_score,
    rating_after_games,
    rating_after_idle_months,
)
from clubs.rating.calculation.rating_periods import (
    GameCalculation,
    PlayerPeriodResult,
    RatingPeriod,
    StoredRatingState,
    games_by_player,
    months_between,
)


def calculate_glicko_period(month: RatingPeriod) -> dict[int, PlayerPeriodResult]:
    """Calculate a month's result for everyone who played. All games count, as unrated players start at 1500."""
    played = games_by_player(month)
    standings = {key: _standing(key, month) for key in played}
    ratings = standings | {key: _newcomer(rating) for key, rating in month.guest_ratings.items()}
    months = {}
    for key, games in played.items():
        own = standings[key]
        after = rating_after_games(
            own, [GlickoGame(opponent=ratings[opponent], score=score) for _, opponent, score in games]
        )
        months[key] = PlayerPeriodResult(
            rating_before=round_to_valid_rating(own.rating)
            if key in month.states or month.players[key].initial_rating
            else None,
            rating_after=round_to_valid_rating(after.rating),
            k_factor=None,
            games=tuple(
                GameCalculation(
                    game=game.game,
                    opponent=round_to_valid_rating(ratings[opponent].rating),
                    score=score,
                    expected=int(
                        (100 * glicko_expected_score(own, ratings[opponent])).quantize(Decimal(1), ROUND_HALF_UP)
                    ),
                    counts=True,
                )
                for game, opponent, score in games
            ),
            state=_written(after, month.first_day),
        )
    return months


def round_to_valid_rating(number: Decimal) -> int:
    """Round to the nearest whole point, halves up, within the range of valid ratings."""
    return min(3500, max(1, int(number.quantize(Decimal(1), ROUND_HALF_UP))))


def _standing(key: int, month: RatingPeriod) -> GlickoRating:
    state = month.states.get(key)
    if state is None:
        return _newcomer(month.players[key].initial_rating)
    remembered = GlickoRating(
        rating=Decimal(state["rating"]),
        deviation=Decimal(state["deviation"]),
        volatility=Decimal(state["volatility"]),
    )
    return rating_after_idle_months(remembered, months_between(date.fromisoformat(state["month"]), month.first_day) - 1)


def _newcomer(rating: int | None) -> GlickoRating:
    return GlickoRating(rating=Decimal(rating)) if rating else GlickoRating()


def _written(rating: GlickoRating, month: date) -> StoredRatingState:
    return {
        "rating": str(rating.rating),
        "deviation": str(rating.deviation),
        "volatility": str(rating.volatility),
        "month": month.isoformat(),
    }
