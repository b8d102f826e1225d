"""Months of games: who is rated, from which games, and what is stored."""

from __future__ import annotations

from datetime import date

import pytest

from clubs.rating.calculation import fide_periods, glicko_periods
from clubs.rating.calculation.rating_periods import PlayerPeriodResult, RatedGame, RatedPlayer, RatingPeriod

NOVEMBER = date(2026, 11, 1)
OURS, NEW = 1, 2
GUESTS = {-1: 1800, -2: 1800, -3: 2000, -4: None, -5: 1600, -6: 1700, -7: 1901, -8: 1902}


def games(player: int, *scores: tuple[int, int], event: int = 1, first: int = 1) -> list[RatedGame]:
    """A player's games with White against guests: (guest, the player's score in half points)."""
    return [
        RatedGame(game=first + n, event=event, white=player, black=guest, white_score=score, black_score=2 - score)
        for n, (guest, score) in enumerate(scores)
    ]


def november(player: int, played: list[RatedGame], person: RatedPlayer, *, state=None, **more) -> PlayerPeriodResult:
    given = {"first_day": NOVEMBER, "is_standard": True, "guest_ratings": GUESTS} | more
    month = RatingPeriod(games=played, players={player: person}, states={player: state} if state else {}, **given)
    return fide_periods.calculate_fide_period(month)[player]


def veteran(rating: int, **more) -> dict:
    return {"rating": rating, "games": 100, "highest": rating, "first_event": 1, "pool": []} | more


def test_a_month_is_rounded_once():
    """1800 against 1800, 1800 and 2000: 50 + 0 - 24 hundredths, K 20: +5.2, so +5."""
    month = november(OURS, games(OURS, (-1, 2), (-2, 1), (-3, 0)), RatedPlayer(), state=veteran(1800))
    assert (month.rating_before, month.rating_after, month.k_factor) == (1800, 1805, 20)
    assert [(game.opponent, game.expected, game.score) for game in month.games] == [
        (1800, 50, 2),
        (1800, 50, 1),
        (2000, 24, 0),
    ]


def test_an_unrated_opponent_changes_nothing():
    month = november(OURS, games(OURS, (-4, 0)), RatedPlayer(), state=veteran(1800))
    assert (month.rating_before, month.rating_after) == (1800, 1800)
    assert not month.games[0].counts
    assert month.state["games"] == 100


def test_an_opponent_below_1400_is_unrated():
    """A guest with an initial rating of 1399, and a member: neither game counts (7.2.1, 8.3.1); with 1400 it does."""
    for rating, counts in ((1399, False), (1400, True)):
        against_guest = november(
            OURS, games(OURS, (-9, 2)), RatedPlayer(), state=veteran(1500), guest_ratings={-9: rating}
        )
        assert against_guest.games[0].counts is counts
        people = {OURS: RatedPlayer(), NEW: RatedPlayer(initial_rating=rating)}
        month = RatingPeriod(
            first_day=NOVEMBER,
            is_standard=True,
            games=games(OURS, (NEW, 2)),
            players=people,
            states={OURS: veteran(1500)},
        )
        assert fide_periods.calculate_fide_period(month)[OURS].games[0].counts is counts


def test_a_game_that_both_lose_is_rated_for_both():
    """Against 1800 each expects half a point: both lose 50 hundredths, with K 20 ten points."""
    both = [RatedGame(game=1, event=1, white=OURS, black=NEW, white_score=0, black_score=0)]
    month = RatingPeriod(
        first_day=NOVEMBER,
        is_standard=True,
        games=both,
        players={OURS: RatedPlayer(), NEW: RatedPlayer()},
        states={OURS: veteran(1800), NEW: veteran(1800)},
    )
    assert {key: each.rating_after for key, each in fide_periods.calculate_fide_period(month).items()} == {
        OURS: 1790,
        NEW: 1790,
    }


def test_below_1400_the_rating_is_gone():
    month = november(OURS, games(OURS, (-1, 0), (-2, 0)), RatedPlayer(), state=veteran(1401))
    assert (month.rating_before, month.rating_after) == (1401, None)
    assert month.state["pool"] == []


def test_whoever_comes_with_less_than_1400_comes_unrated():
    assert november(OURS, games(OURS, (-1, 2)), RatedPlayer(initial_rating=1399)).rating_before is None
    assert november(OURS, games(OURS, (-1, 2)), RatedPlayer(initial_rating=1400)).rating_before == 1400


def test_four_games_make_no_rating_and_the_fifth_does():
    """3 points of 5 against a total of 9507, the last in another month: 1922."""
    first = november(NEW, games(NEW, (-7, 2), (-7, 2), (-7, 2), (-8, 0)), RatedPlayer())
    assert first.rating_after is None
    december = date(2026, 12, 1)
    second = november(NEW, games(NEW, (-8, 0), event=2, first=9), RatedPlayer(), state=first.state, first_day=december)
    assert (second.rating_before, second.rating_after) == (None, 1922)
    assert second.state["games"] == 5
    assert second.state["pool"] == []


def test_after_26_months_a_result_is_forgotten():
    first = november(NEW, games(NEW, (-7, 2), (-7, 2), (-7, 2), (-8, 0)), RatedPlayer())
    fifth = games(NEW, (-8, 0), event=2, first=9)
    in_time = november(NEW, fifth, RatedPlayer(), state=first.state, first_day=date(2028, 12, 1))
    too_late = november(NEW, fifth, RatedPlayer(), state=first.state, first_day=date(2029, 1, 1))
    assert (in_time.rating_after, too_late.rating_after) == (1922, None)


def test_a_first_event_without_a_point_is_disregarded():
    nothing = november(NEW, games(NEW, *[(-1, 0)] * 5), RatedPlayer())
    assert nothing.rating_after is None
    later = november(NEW, games(NEW, *[(-1, 1)] * 5, event=2, first=9), RatedPlayer(), state=nothing.state)
    assert later.rating_after == 1800


def test_a_later_event_without_a_point_is_not():
    """Three draws, then five losses against 1800, with two draws more: 25 per cent, dp -193."""
    both = [*games(NEW, *[(-1, 1)] * 3), *games(NEW, *[(-1, 0)] * 5, event=2, first=9)]
    assert november(NEW, both, RatedPlayer()).rating_after == 1800 - 193


def test_without_a_rapid_rating_the_standard_one_is_taken():
    month = november(NEW, games(NEW, (-1, 2)), RatedPlayer(), is_standard=False, standard_ratings={NEW: 1800})
    assert (month.rating_before, month.rating_after, month.k_factor) == (1800, 1820, 40)


@pytest.mark.parametrize(
    ("person", "to_come", "k"),
    [
        ({"initial_rating": 2241}, {}, 20),
        ({"initial_rating": 1500}, {NEW: 20}, 20),
        # The first FIDE list with this player shows a new player.
        ({"initial_rating": 1500}, {NEW: 40}, 40),
        # The number of games was entered by hand and takes precedence over FIDE's later lists.
        ({"initial_rating": 1500, "games_before": 29}, {}, 40),
        ({"initial_rating": 1500, "games_before": 30}, {NEW: 40}, 20),
        # The K of a junior and that from 2400 do not depend on the number of games.
        ({"initial_rating": 1500, "birth_year": 2012}, {}, 40),
        ({"initial_rating": 2410, "games_before": 3}, {NEW: 40}, 10),
    ],
)
def test_who_came_with_a_published_rating_is_not_new(person, to_come, k):
    assert november(NEW, games(NEW, (-1, 2)), RatedPlayer(**person), future_k_factors=to_come).k_factor == k


def test_two_members_are_rated_with_the_ratings_of_the_first_day():
    people = {1: RatedPlayer(initial_rating=1800, games_before=0), 2: RatedPlayer(initial_rating=1800, games_before=0)}
    played = [
        RatedGame(game=1, event=1, white=1, black=2, white_score=2, black_score=0),
        RatedGame(game=2, event=1, white=2, black=1, white_score=1, black_score=1),
    ]
    for order in (played, played[::-1]):
        months = fide_periods.calculate_fide_period(
            RatingPeriod(first_day=NOVEMBER, is_standard=True, games=order, players=people)
        )
        assert (months[1].rating_after, months[2].rating_after) == (1820, 1780)
        assert [game.game for game in months[1].games] == [1, 2]


@pytest.mark.parametrize("calculate", [fide_periods.calculate_fide_period, glicko_periods.calculate_glicko_period])
def test_the_state_that_is_stored_is_the_state_that_is_read(calculate):
    """A month calculated twice from a stored state gives the same."""
    people, played = {NEW: RatedPlayer()}, games(NEW, (-7, 2), (-8, 0), (-3, 1))
    first = calculate(
        RatingPeriod(
            first_day=NOVEMBER, is_standard=True, games=played, players=people, guest_ratings=GUESTS | {-4: 1500}
        )
    )[NEW]
    again = calculate(
        RatingPeriod(
            first_day=date(2027, 3, 1),
            is_standard=True,
            games=played,
            players=people,
            guest_ratings=GUESTS | {-4: 1500},
            states={NEW: first.state},
        )
    )[NEW]
    assert again.rating_before == (None if calculate is fide_periods.calculate_fide_period else first.rating_after)
    assert again.state != first.state


def test_glicko_counts_games_against_the_unrated():
    month = RatingPeriod(
        first_day=NOVEMBER,
        is_standard=True,
        games=games(NEW, (-4, 2)),
        players={NEW: RatedPlayer()},
        guest_ratings=GUESTS,
    )
    rated = glicko_periods.calculate_glicko_period(month)[NEW]
    assert rated.rating_before is None
    assert rated.rating_after is not None
    assert rated.rating_after > 1500
    assert rated.games[0].counts
