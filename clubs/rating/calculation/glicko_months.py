"""A month counted by Glicko-2."""

from __future__ import annotations

from datetime import date
from decimal import ROUND_HALF_UP, Decimal

from clubs.rating.calculation.glicko import GlickoGame, GlickoRating, after_games, after_idle_months, expected
from clubs.rating.calculation.months import CountedGame, Month, MonthOfPlayer, State, games_of_players, months_between


def rate_month(month: Month) -> dict[int, MonthOfPlayer]:
    """Everyone's month, for those who played a game in it. All games count: an unrated player begins in the middle."""
    played = games_of_players(month)
    standings = {key: _standing(key, month) for key in played}
    ratings = standings | {key: _newcomer(rating) for key, rating in month.guests.items()}
    months = {}
    for key, games in played.items():
        own = standings[key]
        after = after_games(own, [GlickoGame(opponent=ratings[opponent], score=score) for _, opponent, score in games])
        months[key] = MonthOfPlayer(
            before=whole(own.rating) if key in month.states or month.people[key].start else None,
            after=whole(after.rating),
            factor=None,
            games=tuple(
                CountedGame(
                    game=game.game,
                    opponent=whole(ratings[opponent].rating),
                    score=score,
                    expected=int((100 * expected(own, ratings[opponent])).quantize(Decimal(1), ROUND_HALF_UP)),
                    counts=True,
                )
                for game, opponent, score in games
            ),
            state=_written(after, month.first_day),
        )
    return months


def whole(number: Decimal) -> int:
    """To the nearest whole point, halves upwards; what no rating can be is brought back into its range."""
    return min(3500, max(1, int(number.quantize(Decimal(1), ROUND_HALF_UP))))


def _standing(key: int, month: Month) -> GlickoRating:
    state = month.states.get(key)
    if state is None:
        return _newcomer(month.people[key].start)
    remembered = GlickoRating(
        rating=Decimal(state["rating"]),
        deviation=Decimal(state["deviation"]),
        volatility=Decimal(state["volatility"]),
    )
    return after_idle_months(remembered, months_between(date.fromisoformat(state["month"]), month.first_day) - 1)


def _newcomer(rating: int | None) -> GlickoRating:
    return GlickoRating(rating=Decimal(rating)) if rating else GlickoRating()


def _written(rating: GlickoRating, month: date) -> State:
    return {
        "rating": str(rating.rating),
        "deviation": str(rating.deviation),
        "volatility": str(rating.volatility),
        "month": month.isoformat(),
    }
