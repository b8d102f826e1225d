"""The FIDE Rating Regulations in force since 1 March 2024, as amended from 1 October 2025: one function per article.

Articles are those of B.02 (standard). The rapid and blitz chapter has the same rules under other numbers; functions
mention the differences. Scores are half points, expected scores hundredths, ratings whole points.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from datetime import date
from fractions import Fraction

_DIFFERENCES = (
    *(0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117),
    *(125, 133, 141, 149, 158, 166, 175, 184, 193, 202, 211, 220, 230, 240, 251, 262, 273),
    *(284, 296, 309, 322, 336, 351, 366, 383, 401, 422, 444, 470, 501, 538, 589, 677, 800),
)
"""8.1.1: dp for a score of 50, 51, ... 100 per cent; below 50 the same with a minus."""

_LAST_OF_ROW = (
    *(3, 10, 17, 25, 32, 39, 46, 53, 61, 68, 76, 83, 91, 98, 106, 113, 121),
    *(129, 137, 145, 153, 162, 170, 179, 188, 197, 206, 215, 225, 235, 245, 256, 267, 278),
    *(290, 302, 315, 328, 344, 357, 374, 391, 411, 432, 456, 484, 517, 559, 619, 735),
)
"""8.1.2: the last difference at which the higher rated player expects .50, .51, ... .99; beyond them 1.0."""


def rating_difference_for_percent(percent: int) -> int:
    """Return dp, the rating difference for a score in whole per cent (0 to 100). B.02, table 8.1.1."""
    if not 0 <= percent <= 100:
        raise ValueError(f"a score of {percent} per cent")
    return _DIFFERENCES[percent - 50] if percent >= 50 else -_DIFFERENCES[50 - percent]


def expected_score(difference: int) -> int:
    """Return PD in hundredths for a rating difference to the opponent (negative if lower). B.02, table 8.1.2."""
    higher = 50 + bisect_left(_LAST_OF_ROW, abs(difference))
    return higher if difference >= 0 else 100 - higher


RATING_FLOOR = 1400
MAX_INITIAL_RATING = 2200
HYPOTHETICAL_OPPONENTS, HYPOTHETICAL_OPPONENT_RATING = 2, 1800
MIN_GAMES_FOR_RATING = 5
MAX_MONTHS_POOLED = 26
MAX_COUNTED_DIFFERENCE = 400
FULL_DIFFERENCE_MIN_RATING, FULL_DIFFERENCE_SINCE = 2650, date(2025, 10, 1)
UNRATED_GAME_DIFFERENCE, UNRATED_GAME_ABOVE, UNRATED_GAME_SINCE = 600, 2600, date(2024, 12, 1)
NEW_PLAYER_GAMES, NEW_PLAYER_K_FACTOR = 30, 40
MAX_K_TIMES_GAMES = 700


def capped_rating_difference(own: int, opponent: int, *, is_standard: bool, month: date) -> int:
    """Return D for the player with the rating `own`: more than 400 points count as 400 (8.3.1).

    In standard chess, since 1 October 2025, players rated 2650 and above get the whole difference.
    """
    difference = own - opponent
    if is_standard and own >= FULL_DIFFERENCE_MIN_RATING and month >= FULL_DIFFERENCE_SINCE:
        return difference
    return max(-MAX_COUNTED_DIFFERENCE, min(MAX_COUNTED_DIFFERENCE, difference))


def rating_if_above_floor(rating: int | None) -> int | None:
    """Return the rating, or None if below 1400. Players below 1400 are unrated, even as opponents (7.2.1, 8.3.1)."""
    return rating if rating is not None and rating >= RATING_FLOOR else None


def is_game_rated(white: int, black: int, *, is_standard: bool, month: date) -> bool:
    """Return True if a game between two rated players counts.

    In rapid and blitz, a difference of 600 points doesn't count if a player is above 2600. Source: rapid and blitz
    regulations, 7.3.1, since 1 December 2024.
    """
    if month < UNRATED_GAME_SINCE:
        return True
    return is_standard or abs(white - black) < UNRATED_GAME_DIFFERENCE or max(white, black) <= UNRATED_GAME_ABOVE


def expected_game_score(own: int, opponent: int, *, is_standard: bool, month: date) -> int:
    """Return PD in hundredths (8.3.2 a)."""
    return expected_score(capped_rating_difference(own, opponent, is_standard=is_standard, month=month))


def k_factor(*, rating: int, games: int, highest: int, birth_year: int | None, year: int) -> int:
    """Return K (8.3.3). `games` counts rated games before this month. `highest` is the highest rating published.

    The article gives no order for its four cases. This is the order of FIDE's own lists. 10 permanently once 2400 is
    reached. 40 for juniors until the end of the year of their 18th birthday, unless they have reached 2300. 40 for new
    players, until 30 games. Otherwise 20.
    """
    highest = max(highest, rating)
    if highest >= 2400:
        return 10
    if birth_year is not None and year - birth_year <= 18 and highest < 2300:
        return 40
    return NEW_PLAYER_K_FACTOR if games < NEW_PLAYER_GAMES else 20


def capped_k_factor(k: int, games: int) -> int:
    """Return K, lowered so that K times the month's games is at most 700 (8.3.3, last sentence)."""
    return min(k, MAX_K_TIMES_GAMES // games) if games else k


def rating_change(k: int, hundredths: int) -> int:
    """Return the month's change from the sum of (score - PD) in hundredths, halves rounded away from zero (8.3.4)."""
    change = k * abs(hundredths)
    rounded = (change + 50) // 100
    return rounded if hundredths >= 0 else -rounded


def initial_rating(opponents: Iterable[int], score: int) -> int:
    """Return Ru of an unrated player from rated opponents' ratings and the score in half points (8.2.2, 8.2.3).

    Two opponents rated 1800 and two draws are added. Halves round up, in the percentage and the rating. The maximum is
    2200.
    """
    ratings = list(opponents)
    games = len(ratings) + HYPOTHETICAL_OPPONENTS
    average = Fraction(sum(ratings) + HYPOTHETICAL_OPPONENTS * HYPOTHETICAL_OPPONENT_RATING, games)
    percent = round_half_up(Fraction(50 * (score + HYPOTHETICAL_OPPONENTS), games))
    return min(round_half_up(average + rating_difference_for_percent(percent)), MAX_INITIAL_RATING)


def round_half_up(number: Fraction) -> int:
    """Round to the nearest whole number, halves up."""
    return (2 * number.numerator + number.denominator) // (2 * number.denominator)
