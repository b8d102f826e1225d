"""A month counted by FIDE's rules."""

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
    """A result of a player without a rating, kept for his first one."""

    month: date
    event: int
    opponent: int
    score: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Standing:
    """What is remembered of a player."""

    rating: int | None
    games: int = 0
    highest: int = 0
    first_event: int | None = None
    pool: tuple[_Pooled, ...] = ()


def calculate_fide_period(month: RatingPeriod) -> dict[int, PlayerPeriodResult]:
    """Everyone's month, for those who played a game in it."""
    played = games_by_player(month)
    standings = {key: _standing(key, month) for key in played}
    ratings = {key: standing.rating for key, standing in standings.items()}
    ratings |= {key: fide_regulations.rating_if_above_floor(rating) for key, rating in month.guest_ratings.items()}
    return {key: _month_of(key, standings[key], games, ratings, month) for key, games in played.items()}


def _standing(key: int, month: RatingPeriod) -> _Standing:
    """Where a player stands on the first day.

    Without a rating in rapid or blitz, the one in standard chess is used (rapid and blitz regulations, 7.2.1). The
    rating somebody came with counts from 1400 on, as on FIDE's list.
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
    """A player's rating when the game's event began: the list of that day holds for all of it (7.1).

    Whoever was not rated until then has the rating he came with.
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
    """Games against unrated opponents are not counted (8.2.2, 8.3.1)."""
    if opponent is None:
        return GameCalculation(game=game, opponent=None, score=score, expected=None, counts=False)
    if own is None:
        return GameCalculation(game=game, opponent=opponent, score=score, expected=None, counts=True)
    chance = fide_regulations.expected_game_score(own, opponent, is_standard=month.is_standard, month=month.first_day)
    counts = fide_regulations.is_game_rated(own, opponent, is_standard=month.is_standard, month=month.first_day)
    return GameCalculation(game=game, opponent=opponent, score=score, expected=chance, counts=counts)


def _factor_of(key: int, standing: _Standing, rating: int, month: RatingPeriod) -> int:
    """K as FIDE's list has it, which knows of games and ratings elsewhere; else by what is known here (8.3.3)."""
    person = month.players[key]
    return month.k_factors.get(key) or fide_regulations.k_factor(
        rating=rating,
        games=standing.games + _games_before(person, month.future_k_factors.get(key)),
        highest=standing.highest,
        birth_year=person.birth_year,
        year=month.first_day.year,
    )


def _games_before(person: RatedPlayer, factor_to_come: int | None) -> int:
    """The rated games that somebody came with, as somebody has said.

    Who came with a published rating is not new to the list, unless the first list of FIDE's on which he stands says by
    its K that he still is.
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
    """The sum of (score - PD), times K, rounded once for the month (8.3.2 to 8.3.4); below 1400 unrated (7.2.1)."""
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
    """Results against rated opponents are pooled over 26 months until there are five (7.1.4)."""
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
    """Nothing of a first event in which the player scored zero counts (8.2.1); a rating begins at 1400 (7.1.4)."""
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
