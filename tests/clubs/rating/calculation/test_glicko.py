"""Glicko-2 with the example of Glickman's paper, and edge cases."""

from __future__ import annotations

import math
from decimal import Decimal

import pytest

from clubs.rating.calculation.glicko import (
    TAU,
    GlickoGame,
    GlickoRating,
    _volatility,
    glicko_expected_score,
    rating_after_games,
    rating_after_idle_months,
)


def rated(rating: int, deviation: int) -> GlickoRating:
    return GlickoRating(rating=Decimal(rating), deviation=Decimal(deviation))


EXAMPLE = [
    GlickoGame(opponent=rated(1400, 30), score=2),
    GlickoGame(opponent=rated(1550, 100), score=0),
    GlickoGame(opponent=rated(1700, 300), score=0),
]


def test_the_example_of_the_paper():
    """1500, deviation 200: one win and two losses give 1464.06, deviation 151.52, volatility 0.05999.

    The paper rounds on the way (E(1) = 0.639, v = 1.7785 ...) and so ends at 1464.06; unrounded it is 1464.05.
    """
    after = rating_after_games(rated(1500, 200), EXAMPLE)
    assert abs(after.rating - Decimal("1464.06")) <= Decimal("0.011")
    assert abs(after.deviation - Decimal("151.52")) <= Decimal("0.011")
    assert abs(after.volatility - Decimal("0.05999")) <= Decimal("0.00001")


@pytest.mark.parametrize("sure", [0.05, 0.6])
@pytest.mark.parametrize("improvement", [0.02, 0.9, 6.0])
@pytest.mark.parametrize("volatility", [0.06, 0.9])
def test_the_volatility_is_the_zero_of_the_papers_function(sure, improvement, volatility):
    """Step 5, with f written out in floats: also if the volatility is a large part of the total."""
    variance = 0.3

    def f(x: float) -> float:
        e = math.exp(x)
        over = e * (improvement**2 - sure**2 - variance - e) / (2 * (sure**2 + variance + e) ** 2)
        return over - (x - math.log(volatility**2)) / float(TAU) ** 2

    found = float(_volatility(*(Decimal(str(each)) for each in (volatility, sure, variance, improvement))))
    assert f(math.log(found**2) - 0.01) > 0 > f(math.log(found**2) + 0.01)


@pytest.mark.parametrize(
    ("opponent", "printed"), [((1400, 30), "0.639"), ((1550, 100), "0.432"), ((1700, 300), "0.303")]
)
def test_expected_scores_of_the_paper(opponent, printed):
    assert glicko_expected_score(rated(1500, 200), rated(*opponent)).quantize(Decimal("0.001")) == Decimal(printed)


def test_the_order_of_games_changes_nothing_that_is_stored():
    assert rating_after_games(rated(1500, 200), EXAMPLE[::-1]) == rating_after_games(rated(1500, 200), EXAMPLE)


def test_idle_months_widen_the_deviation_up_to_350():
    assert rating_after_idle_months(rated(1500, 200), 0) == rated(1500, 200)
    one, many = rating_after_idle_months(rated(1500, 200), 1), rating_after_idle_months(rated(1500, 200), 100_000)
    # 173.7178 x sqrt((200 / 173.7178)^2 + 0.06^2)
    assert one.deviation == Decimal("200.27")
    assert many.deviation == 350
    assert one.rating == many.rating == 1500
