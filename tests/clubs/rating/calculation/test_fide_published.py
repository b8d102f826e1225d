"""Months calculated and published by FIDE, game by game: opponents' ratings, scores and changes as printed.

FIDE shows to everybody how a player's rating of a month came about (ratings.fide.com, "Calculations"), and its list the
rating that came out. These are six such months of the lists of December 2025 and October 2026 and one first rating,
read on 9 October 2026. Players and opponents are known here by their ratings alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

import pytest

from clubs.rating.calculation import fide_periods
from clubs.rating.calculation.rating_periods import PlayerPeriodResult, RatedGame, RatedPlayer, RatingPeriod

US = 1
BEYOND = 150
"""FIDE prints the rating that it counted with a star instead of one further away: so much further it is here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """One player's month: the ratings in two lists, K as printed, and the printed games of each event.

    An event: the month of the list that held for it, his rating there, and `opponent score change` of each game.
    """

    before: int
    after: int
    factor: int
    change: str
    month: date
    events: tuple[tuple[date, int, str], ...]


OCTOBER, NOVEMBER = date(2025, 10, 1), date(2025, 11, 1)
AUGUST, SEPTEMBER = date(2026, 8, 1), date(2026, 9, 1)

PUBLISHED = {
    # Differences above 400 points count in full from 2650 on; -2.50 is rounded away from zero.
    "above 2650": Published(
        before=2813,
        after=2810,
        factor=10,
        change="-2.50",
        month=NOVEMBER,
        events=((NOVEMBER, 2813, "1787 1 .00, 2025 1 .00, 2310 1 .04, 2400 1 .07, 2505 .5 -.36"),),
    ),
    # An event from 31 October to 2 November uses the list of October.
    "three events, two lists": Published(
        before=2505,
        after=2507,
        factor=10,
        change="1.90",
        month=NOVEMBER,
        events=(
            (OCTOBER, 2499, "2099* 1 .08, 2322 1 .27, 2422 1 .39, 2325 .5 -.23, 2255 .5 -.30"),
            (NOVEMBER, 2505, "2105* 1 .08, 2105* 1 .08, 2237 .5 -.33, 2134 1 .10, 2813 .5 .36"),
            (NOVEMBER, 2505, "2105* 1 .08, 2105* 1 .08, 2105* 1 .08, 2400 0 -.64, 2118 1 .09"),
        ),
    ),
    "a veteran's, two lists": Published(
        before=2024,
        after=1972,
        factor=20,
        change="-51.60",
        month=NOVEMBER,
        events=(
            (
                OCTOBER,
                2023,
                "1709 1 .14, 2213 .5 .25, 2192 0 -.28, 1851 0 -.73, 1861 0 -.71, 1818 .5 -.26, 1693 0 -.88,"
                " 1771 .5 -.31, 1809 .5 -.27, 1799 1 .22, 1844 1 .27",
            ),
            (NOVEMBER, 2024, "1864 .5 -.21"),
            (NOVEMBER, 2024, "1770 1 .19"),
        ),
    ),
    "hardly a change": Published(
        before=2053,
        after=2053,
        factor=20,
        change="-0.20",
        month=NOVEMBER,
        events=((NOVEMBER, 2053, "1675 1 .09, 2310 0 -.18, 1653* 1 .08, 1884 1 .28, 2218 0 -.28"),),
    ),
    # 39 games: K is 17 in all of them, although the list has 20.
    "39 games": Published(
        before=2054,
        after=2146,
        factor=17,
        change="92.48",
        month=SEPTEMBER,
        events=(
            (
                AUGUST,
                2054,
                "2406 0 -.11, 1908 1 .30, 2220 1 .72, 2216 0 -.29, 2204 .5 .20, 2189 1 .68, 2223 0 -.28, 2221 .5 .22",
            ),
            (
                AUGUST,
                2054,
                "2350 0 -.15, 1928 0 -.67, 2085 1 .54, 1993 1 .42, 1931 1 .33, 2055 .5 .00, 2454* .5 .42, 1861 1 .25",
            ),
            (SEPTEMBER, 2054, "2217 1 .72, 1743 1 .14, 1947 1 .35, 2266 .5 .27, 2189 .5 .18, 2186 1 .68"),
            (
                SEPTEMBER,
                2054,
                "1654* 1 .08, 2283 0 -.21, 1822 1 .21, 2251 0 -.25, 1884 1 .28, 2215 .5 .21, 2210 .5 .21, 1872 1 .26",
            ),
            (
                SEPTEMBER,
                2054,
                "1654* 1 .08, 2247 1 .75, 2308 0 -.19, 2168 0 -.34, 1810 0 -.80, 1747 1 .14, 1852 1 .24,"
                " 1875 .5 -.23, 1654* 1 .08",
            ),
        ),
    ),
}

# The other side of the first one's game: 2813 counts as 2800 for 2400. FIDE's list has 2406 after this month: it
# rounded each event by itself there, where the regulations round the month once (8.3.4): 2400 + 5.40 is 2405.
BY_THE_TEXT = Published(
    before=2400,
    after=2405,
    factor=10,
    change="5.40",
    month=NOVEMBER,
    events=(
        (OCTOBER, 2395, "1995* 1 .08, 2205 .5 -.25, 2325 0 -.60, 1995* 1 .08, 1995* 1 .08"),
        (NOVEMBER, 2400, "2000* 1 .08, 2000* 1 .08, 2121 1 .16, 2800* 0 -.08, 2084 1 .13"),
        (NOVEMBER, 2400, "2000* 1 .08, 2000* 1 .08, 2230 1 .28, 2505 1 .64, 2155 .5 -.30"),
    ),
)


def hundredths(text: str) -> int:
    sign, digits = text.startswith("-"), text.lstrip("-")
    whole, _point, parts = digits.partition(".")
    return (-1 if sign else 1) * (100 * int(whole or 0) + int(f"{parts:0<2}"))


def counted(month: Published) -> tuple[PlayerPeriodResult, list[int]]:
    """The month as calculated here, and the printed change of each game."""
    games: list[RatedGame] = []
    guests: dict[int, int] = {}
    printed: list[int] = []
    for event, (listed, own, lines) in enumerate(month.events):
        for line in lines.split(", "):
            opponent, score, change = line.split()
            rating = int(opponent.rstrip("*"))
            if opponent.endswith("*"):
                rating += BEYOND if rating > own else -BEYOND
            guest = -1 - len(games)
            guests[guest] = rating
            half_points = hundredths(score) // 50
            game = RatedGame(
                game=len(games),
                event=event,
                white=US,
                black=guest,
                white_score=half_points,
                black_score=2 - half_points,
                list_month=listed if listed < month.month else None,
            )
            games.append(game)
            printed.append(hundredths(change))
    state = {"rating": month.before, "games": 100, "highest": month.before, "first_event": 0, "pool": []}
    counted_here = RatingPeriod(
        first_day=month.month,
        is_standard=True,
        games=games,
        players={US: RatedPlayer()},
        guest_ratings=guests,
        states={US: state},
        earlier_ratings={listed: {US: own} for listed, own, _lines in month.events if listed < month.month},
    )
    return fide_periods.calculate_fide_period(counted_here)[US], printed


@pytest.mark.parametrize("month", [*PUBLISHED.values(), BY_THE_TEXT], ids=[*PUBLISHED, "by the text"])
def test_a_month_comes_out_as_fide_published_it(month):
    here, printed = counted(month)
    assert [50 * game.score - game.expected for game in here.games] == printed
    assert here.k_factor == month.factor
    assert here.k_factor * sum(printed) == hundredths(month.change)
    assert here.rating_after == month.after


def test_a_first_rating_comes_out_as_fide_published_it():
    """Three points out of five: 1922 in the list of December 2025."""
    played = [(1902, 1), (1877, 1), (1884, 2), (2012, 0), (1832, 2)]
    month = RatingPeriod(
        first_day=NOVEMBER,
        is_standard=True,
        games=[
            RatedGame(game=n, event=1, white=US, black=-1 - n, white_score=score, black_score=2 - score)
            for n, (_rating, score) in enumerate(played)
        ],
        players={US: RatedPlayer()},
        guest_ratings={-1 - n: rating for n, (rating, _score) in enumerate(played)},
    )
    assert fide_periods.calculate_fide_period(month)[US].rating_after == 1922
