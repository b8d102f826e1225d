"""FIDE's rating rules, value by value from the regulations' own tables and sentences."""

from __future__ import annotations

from datetime import date
from fractions import Fraction

import pytest

from clubs.rating.calculation import fide_regulations
from clubs.rating.calculation.fide_regulations import expected_score, rating_difference_for_percent

TODAY = date(2026, 11, 1)

# Table 8.1.2 as printed: the difference and the expected scores of the higher and the lower rated player.
PRINTED_8_1_2 = """
0-3 50|4-10 51|11-17 52|18-25 53|26-32 54|33-39 55|40-46 56|47-53 57|54-61 58|62-68 59|69-76 60|77-83 61|84-91 62
92-98 63|99-106 64|107-113 65|114-121 66|122-129 67|130-137 68|138-145 69|146-153 70|154-162 71|163-170 72|171-179 73
180-188 74|189-197 75|198-206 76|207-215 77|216-225 78|226-235 79|236-245 80|246-256 81|257-267 82|268-278 83
279-290 84|291-302 85|303-315 86|316-328 87|329-344 88|345-357 89|358-374 90|375-391 91|392-411 92|412-432 93
433-456 94|457-484 95|485-517 96|518-559 97|560-619 98|620-735 99|736-3000 100
"""

# Table 8.1.1 as printed: score in per cent, dp.
PRINTED_8_1_1 = """
100 800|99 677|98 589|97 538|96 501|95 470|94 444|93 422|92 401|91 383|90 366|89 351|88 336|87 322|86 309|85 296
84 284|83 273|82 262|81 251|80 240|79 230|78 220|77 211|76 202|75 193|74 184|73 175|72 166|71 158|70 149|69 141
68 133|67 125|66 117|65 110|64 102|63 95|62 87|61 80|60 72|59 65|58 57|57 50|56 43|55 36|54 29|53 21|52 14|51 7|50 0
"""


def printed(table: str) -> list[list[str]]:
    return [cell.split() for line in table.split("\n") for cell in line.split("|") if cell]


@pytest.mark.parametrize(("row", "percent"), printed(PRINTED_8_1_2))
def test_expected_scores_are_those_printed(row, percent):
    first, last = (int(edge) for edge in row.split("-"))
    for difference in (first, last):
        assert expected_score(difference) == int(percent)
        if difference:
            assert expected_score(-difference) == 100 - int(percent)


@pytest.mark.parametrize(("percent", "difference"), printed(PRINTED_8_1_1))
def test_differences_are_those_printed(percent, difference):
    assert rating_difference_for_percent(int(percent)) == int(difference)
    assert rating_difference_for_percent(100 - int(percent)) == -int(difference)


@pytest.mark.parametrize("percent", [-1, 101])
def test_there_is_no_score_beyond_the_table(percent):
    with pytest.raises(ValueError):
        rating_difference_for_percent(percent)


@pytest.mark.parametrize(
    ("own", "opponent", "standard", "month", "counted"),
    [
        (1800, 2250, True, TODAY, -400),
        (2650, 2000, True, TODAY, 650),
        (2650, 2000, True, date(2025, 9, 1), 400),
        (2650, 2000, True, date(2025, 10, 1), 650),
        (2649, 2000, True, TODAY, 400),
        (2650, 2000, False, TODAY, 400),
        (2000, 2650, True, TODAY, -400),
        (2000, 2399, True, TODAY, -399),
        (2813, 2400, True, TODAY, 413),
    ],
)
def test_differences_beyond_400_count_as_400(own, opponent, standard, month, counted):
    """8.3.1: each player by their own rating, so the two sides of a game may count differently."""
    assert fide_regulations.capped_rating_difference(own, opponent, is_standard=standard, month=month) == counted


@pytest.mark.parametrize(
    ("white", "black", "standard", "month", "rated"),
    [
        (2601, 2001, False, TODAY, False),
        (2002, 2602, False, TODAY, False),
        (2002, 2602, False, date(2024, 12, 1), False),
        (2002, 2602, False, date(2024, 11, 1), True),
        (2600, 1999, False, TODAY, True),
        (2601, 2002, False, TODAY, True),
        (2700, 1500, True, TODAY, True),
    ],
)
def test_rapid_games_600_points_apart_are_not_rated_above_2600(white, black, standard, month, rated):
    """Rapid and blitz, 7.3.1, since 1 December 2024."""
    assert fide_regulations.is_game_rated(white, black, is_standard=standard, month=month) is rated


def k(**facts: int | None) -> int:
    given = {"rating": 1800, "games": 30, "highest": 1800, "birth_year": 1970, "year": 2026} | facts
    return fide_regulations.k_factor(**given)


@pytest.mark.parametrize(
    ("facts", "factor"),
    [
        ({}, 20),
        ({"games": 29}, 40),
        ({"rating": 2399, "highest": 2399}, 20),
        ({"rating": 2400}, 10),
        ({"rating": 2350, "highest": 2400}, 10),
        ({"rating": 2400, "games": 0, "birth_year": 2012}, 10),
        ({"birth_year": 2008}, 40),
        ({"birth_year": 2007}, 20),
        ({"birth_year": 2010, "rating": 2300}, 20),
        ({"birth_year": 2010, "rating": 2250, "highest": 2300}, 20),
        ({"birth_year": 2010, "rating": 2299, "highest": 2299}, 40),
        ({"birth_year": None}, 20),
    ],
)
def test_k(facts, factor):
    """8.3.3: a player born in 2008 turns eighteen in 2026."""
    assert k(**facts) == factor


@pytest.mark.parametrize(
    ("factor", "games", "lowered"), [(20, 35, 20), (20, 36, 19), (20, 39, 17), (40, 17, 40), (40, 18, 38), (10, 0, 10)]
)
def test_k_times_games_is_at_most_700(factor, games, lowered):
    assert fide_regulations.capped_k_factor(factor, games) == lowered


@pytest.mark.parametrize(
    ("factor", "hundredths", "change"),
    [(10, -25, -3), (10, 25, 3), (10, 24, 2), (10, -24, -2), (20, 0, 0), (20, 64, 13), (40, -111, -44), (10, 5, 1)],
)
def test_half_a_point_is_rounded_away_from_zero(factor, hundredths, change):
    """8.3.4."""
    assert fide_regulations.rating_change(factor, hundredths) == change


def test_a_first_rating():
    """Five opponents with a total of 9507, 3 points: Ra = 13107 / 7, 4 of 7 is 57 per cent, dp 50: 1922.43."""
    assert fide_regulations.initial_rating([1901, 1901, 1901, 1902, 1902], 6) == 1922


@pytest.mark.parametrize(
    ("opponents", "half_points", "rating"),
    [
        ([1800] * 5, 5, 1800),
        ([2600] * 6, 12, 2200),
        ([1400] * 5, 1, 1514 - 230),
        # 3.5 + 1 of 6 + 2 is 56.25 per cent; 1 + 1 of 6 + 2 is 25.
        ([1700] * 6, 7, 1725 + 43),
        ([1700] * 6, 2, 1725 - 193),
    ],
)
def test_first_ratings_with_two_draws_against_1800(opponents, half_points, rating):
    """8.2.2 and 8.2.3, calculated by hand from table 8.1.1."""
    assert fide_regulations.initial_rating(opponents, half_points) == rating


@pytest.mark.parametrize(("number", "whole"), [(Fraction(5, 2), 3), (Fraction(-5, 2), -2), (Fraction(7, 3), 2)])
def test_halves_go_upwards(number, whole):
    assert fide_regulations.round_half_up(number) == whole


@pytest.mark.parametrize("percent", [-1, 101])
def test_no_score_is_below_nothing_or_above_everything(percent):
    with pytest.raises(ValueError, match="per cent"):
        rating_difference_for_percent(percent)
