"""Calculation of a month by FIDE's rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from clubs.rating.calculation import fide_regulations
from clubs.rating.calculation.rating_periods import (
    GameCalculation,
    PlayerPeriodResult,
    RatedGame,
    RatedPlayer,
    RatingPeriod,
    StoredRatingState,
    games_by_player,
    months_between,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pooled:
    """A result of an unrated player, kept for their first rating."""

    month: date
    event: int
    opponent: int
    score: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Standing:
    """The stored state of a player."""

    rating: int | None
    games: int = 0
    highest: int = 0
    first_event: int | None = None
    pool: tuple[_Pooled, ...] = ()


def calculate_fide_period(month: RatingPeriod) -> dict[int, PlayerPeriodResult]:
    """Calculate a month's result for everyone who played a game in it."""
    played = games_by_player(month)
    standings = {key: _standing(key, month) for key in played}
    ratings = {key: standing.rating for key, standing in standings.items()}
    ratings |= {key: fide_regulations.rating_if_above_floor(rating) for key, rating in month.guest_ratings.items()}
    return {key: _month_of(key, standings[key], games, ratings, month) for key, games in played.items()}


def _standing(key: int, month: RatingPeriod) -> _Standing:
    """Return a player's state on the first day.

    Without a rapid or blitz rating, the standard rating counts (rapid and blitz regulations, 7.2.1). An initial rating
    counts only from 1400 on, as on FIDE's list.
    """
    state = month.states.get(key)
    if state is None:
        rating = fide_regulations.rating_if_above_floor(month.players[key].initial_rating)
        standing = _Standing(rating=rating, highest=rating or 0)
    else:
        standing = _read(state)
    if standing.rating is None and not month.is_standard and key in month.standard_ratings:
        rating = month.standard_ratings[key]
        return replace(standing, rating=rating, highest=max(standing.highest, rating), pool=())
    return standing


def _in_force(game: RatedGame, player: int, ratings: dict[int, int | None], month: RatingPeriod) -> int | None:
    """Return a player's rating when the game's event began: that list applies to the whole event (7.1).

    Players without a rating then count with their initial rating.
    """
    if game.list_month is None or player not in month.players:
        return ratings[player]
    came_with = fide_regulations.rating_if_above_floor(month.players[player].initial_rating)
    return month.earlier_ratings[game.list_month].get(player, came_with)


def _month_of(
    key: int,
    standing: _Standing,
    games: Sequence[tuple[RatedGame, int, int]],
    ratings: dict[int, int | None],
    month: RatingPeriod,
) -> PlayerPeriodResult:
    counted = tuple(
        _counted(
            game.game,
            standing.rating and (_in_force(game, key, ratings, month) or standing.rating),
            _in_force(game, opponent, ratings, month),
            score,
            month,
        )
        for game, opponent, score in games
    )
    if standing.rating is None:
        events = [game.event for game, _opponent, _score in games]
        return _month_without_rating(standing, counted, events, month.first_day)
    return _month_with_rating(standing, standing.rating, counted, _factor_of(key, standing, standing.rating, month))


def _counted(game: int, own: int | None, opponent: int | None, score: int, month: RatingPeriod) -> GameCalculation:
    """Calculate one game. Games against unrated opponents don't count (8.2.2, 8.3.1)."""
    if opponent is None:
        return GameCalculation(game=game, opponent=None, score=score, expected=None, counts=False)
    if own is None:
        return GameCalculation(game=game, opponent=opponent, score=score, expected=None, counts=True)
    chance = fide_regulations.expected_game_score(own, opponent, is_standard=month.is_standard, month=month.first_day)
    counts = fide_regulations.is_game_rated(own, opponent, is_standard=month.is_standard, month=month.first_day)
    return GameCalculation(game=game, opponent=opponent, score=score, expected=chance, counts=counts)


def _factor_of(key: int, standing: _Standing, rating: int, month: RatingPeriod) -> int:
    """Return K as on FIDE's list, which knows of games elsewhere, or else from the data here (8.3.3)."""
    person = month.players[key]
    return month.k_factors.get(key) or fide_regulations.k_factor(
        rating=rating,
        games=standing.games + _games_before(person, month.future_k_factors.get(key)),
        highest=standing.highest,
        birth_year=person.birth_year,
        year=month.first_day.year,
    )


def _games_before(person: RatedPlayer, factor_to_come: int | None) -> int:
    """Return the rated games a player had before, as entered, or else an assumption.

    Players with a published initial rating aren't new, unless their first FIDE list has the K of new players.
    """
    if person.games_before is not None:
        return person.games_before
    is_new = (
        fide_regulations.rating_if_above_floor(person.initial_rating) is None
        or factor_to_come == fide_regulations.NEW_PLAYER_K_FACTOR
    )
    return 0 if is_new else fide_regulations.NEW_PLAYER_GAMES


def _month_with_rating(
    standing: _Standing, rating: int, games: tuple[GameCalculation, ...], k: int
) -> PlayerPeriodResult:
    """Sum (score - PD), times K, rounded once for the month (8.3.2 to 8.3.4). Below 1400 unrated (7.2.1)."""
    rated = [game for game in games if game.counts]
    k = fide_regulations.capped_k_factor(k, len(rated))
    surplus = sum(50 * game.score - game.expected for game in rated if game.expected is not None)
    after: int | None = rating + fide_regulations.rating_change(k, surplus)
    if after is not None and after < fide_regulations.RATING_FLOOR:
        after = None
    following = replace(
        standing,
        rating=after,
        games=standing.games + len(rated),
        highest=max(standing.highest, after or 0),
        pool=(),
    )
    return PlayerPeriodResult(
        rating_before=rating, rating_after=after, k_factor=k, games=games, state=_written(following)
    )


def _month_without_rating(
    standing: _Standing, games: tuple[GameCalculation, ...], events: Sequence[int], first_day: date
) -> PlayerPeriodResult:
    """Pool results against rated opponents over 26 months until there are five (7.1.4)."""
    new = tuple(
        _Pooled(month=first_day, event=event, opponent=game.opponent, score=game.score)
        for game, event in zip(games, events, strict=True)
        if game.opponent is not None
    )
    first_event = standing.first_event
    if first_event is None and new:
        first_event = new[0].event
    kept = tuple(
        each
        for each in standing.pool + new
        if months_between(each.month, first_day) < fide_regulations.MAX_MONTHS_POOLED
    )
    after = _first_rating(kept, first_event)
    following = replace(
        standing,
        rating=after,
        games=standing.games + len(new),
        highest=max(standing.highest, after or 0),
        first_event=first_event,
        pool=() if after else kept,
    )
    return PlayerPeriodResult(
        rating_before=None, rating_after=after, k_factor=None, games=games, state=_written(following)
    )


def _first_rating(pool: Sequence[_Pooled], first_event: int | None) -> int | None:
    """Return the first rating, at least 1400 (7.1.4), or None. A first event with a score of zero doesn't count
    (8.2.1)."""
    points_in_first = sum(each.score for each in pool if each.event == first_event)
    counted = [each for each in pool if each.event != first_event or points_in_first]
    if len(counted) < fide_regulations.MIN_GAMES_FOR_RATING:
        return None
    rating = fide_regulations.initial_rating((each.opponent for each in counted), sum(each.score for each in counted))
    return rating if rating >= fide_regulations.RATING_FLOOR else None


def _read(state: StoredRatingState) -> _Standing:
    return _Standing(
        rating=state["rating"],
        games=state["games"],
        highest=state["highest"],
        first_event=state["first_event"],
        pool=tuple(
            _Pooled(month=date.fromisoformat(month), event=event, opponent=opponent, score=score)
            for month, event, opponent, score in state["pool"]
        ),
    )


def _written(standing: _Standing) -> StoredRatingState:
    return {
        "rating": standing.rating,
        "games": standing.games,
        "highest": standing.highest,
        "first_event": standing.first_event,
        "pool": [[each.month.isoformat(), each.event, each.opponent, each.score] for each in standing.pool],
    }
