"""C.07, article 10: tie-breaks by rating, and the tables of B.02."""

from __future__ import annotations

from random import Random

import pytest

from pairing.engine.standings.rating_tie_breaks import expected_score_in_hundredths, rating_difference_for_score
from tests.pairing.engine.standings.rows import column, event

THREE = event("1 2000 2w1 3b1\n2 1801 1b0 U\n3 1600 F 1w0")
RATED_ONE = ("ARO", "ARO/C1", "TPR", "PTP", "APRO", "APPO", "RTNG")


@pytest.mark.parametrize("code", RATED_ONE)
def test_with_an_unrated_player_in_the_event_nothing_is_said(code):
    unrated = event("1 2000 2w1 3w1\n2 1900 1b0 U\n3 0 U 1b0")
    assert set(column(unrated, code).values()) == {"-"}
    assert set(column(unrated, f"{code}/U1400").values()) != {"-"}


def test_an_unrated_player_counts_with_the_given_rating():
    assert column(event("1 2000 2w1\n2 0 1b0"), "ARO/U1234") == {1: "1234", 2: "2000"}


@pytest.mark.parametrize("code", ["ARO", "TPR", "PTP", "APRO", "APPO"])
def test_without_a_game_there_is_no_value(code):
    assert column(event("1 2000 2w1\n2 1900 1b0\n3 1800 U"), code)[3] == "-"


def test_10_1_a_half_is_rounded_up():
    assert column(THREE, "ARO") == {1: "1701", 2: "2000", 3: "2000"}


def test_14_1_the_lowest_rating_is_cut():
    assert column(THREE, "ARO/C1") == {1: "1801", 2: "-", 3: "-"}
    assert column(THREE, "ARO/M1")[1] == "-"


def test_10_2_a_full_score_adds_800():
    """The rounded average, 1701 and not 1700.5, is the base."""
    assert column(THREE, "TPR") == {1: "2501", 2: "1200", 3: "1200"}


def test_10_3_a_full_score_needs_to_be_expected_to_win_against_the_strongest():
    """736 above the opponent; without a point 800 below the weakest."""
    assert column(THREE, "PTP") == {1: str(1801 + 736), 2: "1200", 3: "1200"}


def test_10_4_and_10_5_average_what_the_opponents_have():
    assert column(THREE, "APRO") == {1: "1200", 2: "2501", 3: "2501"}
    assert column(THREE, "APPO") == {1: "1200", 2: "2537", 3: "2537"}


@pytest.mark.parametrize(
    ("hundredths", "difference"),
    [(0, -800), (1, -677), (25, -193), (49, -7), (50, 0), (51, 7), (67, 125), (83, 273), (99, 677), (100, 800)],
)
def test_8_1_1_of_b_02(hundredths, difference):
    assert rating_difference_for_score(hundredths) == difference


@pytest.mark.parametrize(
    ("difference", "hundredths"),
    [(0, 50), (3, 50), (4, 51), (-4, 49), (98, 63), (99, 64), (344, 88), (345, 89), (735, 99), (736, 100), (-736, 0)],
)
def test_8_1_2_of_b_02(difference, hundredths):
    assert expected_score_in_hundredths(1500 + difference, [1500]) == hundredths
    assert expected_score_in_hundredths(1500 - difference, [1500]) == 100 - hundredths


def test_10_2_and_10_3_without_a_point():
    """Against 2000 and 1900: the average 1950 less 800, and 800 below the weaker of the two."""
    nothing_won = event("1 1500 2w0 3b0\n2 2000 1b1 H\n3 1900 H 1w1")
    assert column(nothing_won, "TPR")[1] == "1150"
    assert column(nothing_won, "PTP")[1] == "1100"


def test_10_3_the_least_rating_of_which_the_score_is_to_be_expected():
    """One of two against 2000 and 1000: the table has .96 from 485 on and .04 down to 517 below; 484 is .95."""
    half = event("1 1500 2w1 3b0\n2 2000 1b0 H\n3 1000 H 1w1")
    assert column(half, "TPR")[1] == "1500"
    assert column(half, "PTP")[1] == "1485"


@pytest.mark.parametrize("seed", range(100))
def test_10_3_a_point_less_would_not_do(seed):
    """Opponents near and far apart: the value is enough for the score by the table, one point less is not."""
    dice = Random(seed)
    rounds, spread = dice.randint(1, 9), dice.choice([50, 300, 1200])
    opponents = [dice.randint(1400 - spread, 1400 + spread) for _ in range(rounds)]
    won = dice.randint(1, rounds)
    own = " ".join(f"{tpn}w{1 if tpn <= won + 1 else 0}" for tpn in range(2, rounds + 2))
    others = [
        f"{tpn} {rating} "
        + " ".join(("1b0" if tpn <= won + 1 else "1b1") if number + 2 == tpn else "U" for number in range(rounds))
        for tpn, rating in enumerate(opponents, start=2)
    ]
    value = int(column(event("\n".join([f"1 1500 {own}", *others])), "PTP")[1])
    assert expected_score_in_hundredths(value, opponents) >= 100 * won
    assert expected_score_in_hundredths(value - 1, opponents) < 100 * won
