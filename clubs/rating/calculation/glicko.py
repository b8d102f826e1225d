"""Glicko-2 as Mark Glickman describes it ("Example of the Glicko-2 system", 2013), in decimals.

Decimals, not floats: exponentials and logarithms round the same on every machine, so that a recalculated rating is the
same to the last digit. Steps are those of the paper.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Context, Decimal, localcontext

GLICKO_SCALE = Decimal("173.7178")
DEFAULT_RATING = Decimal(1500)
TAU = Decimal("0.5")
MAX_DEVIATION = Decimal(350)
CONVERGENCE_TOLERANCE = Decimal("0.000001")
PI = Decimal("3.141592653589793238462643383")
_CONTEXT = Context(prec=28)


@dataclass(frozen=True, slots=True, kw_only=True)
class GlickoRating:
    """A rating and its deviation, in points on the usual scale, and the volatility."""

    rating: Decimal = DEFAULT_RATING
    deviation: Decimal = MAX_DEVIATION
    volatility: Decimal = Decimal("0.06")


@dataclass(frozen=True, slots=True, kw_only=True)
class GlickoGame:
    """A game: the opponent's rating at the beginning of the month, and the score in half points."""

    opponent: GlickoRating
    score: int


def rating_after_games(player: GlickoRating, games: Sequence[GlickoGame]) -> GlickoRating:
    """Return the rating after a month with games (steps 2 to 8). For idle months see `rating_after_idle_months`."""
    with localcontext(_CONTEXT):
        rating, deviation = (player.rating - DEFAULT_RATING) / GLICKO_SCALE, player.deviation / GLICKO_SCALE
        weights = [_g(game.opponent.deviation / GLICKO_SCALE) for game in games]
        chances = [_chance(rating, game.opponent, g) for game, g in zip(games, weights, strict=True)]
        information = sum(
            (g * g * chance * (1 - chance) for g, chance in zip(weights, chances, strict=True)), Decimal(0)
        )
        surplus = sum(
            (g * (Decimal(game.score) / 2 - chance) for game, g, chance in zip(games, weights, chances, strict=True)),
            Decimal(0),
        )
        volatility = _volatility(player.volatility, deviation, 1 / information, surplus / information)
        before = deviation * deviation + volatility * volatility
        variance = 1 / (1 / before + information)
        return _on_the_scale(rating + variance * surplus, variance.sqrt(), volatility)


def rating_after_idle_months(player: GlickoRating, months: int) -> GlickoRating:
    """Return the rating with a larger deviation after months without a game (the end of step 8)."""
    if not months:
        return player
    with localcontext(_CONTEXT):
        deviation = player.deviation / GLICKO_SCALE
        wider = (deviation * deviation + months * player.volatility * player.volatility).sqrt() * GLICKO_SCALE
        return replace(player, deviation=min(wider.quantize(Decimal("0.01")), MAX_DEVIATION))


def glicko_expected_score(player: GlickoRating, opponent: GlickoRating) -> Decimal:
    """Return the player's expected score against this opponent (E of step 3)."""
    with localcontext(_CONTEXT):
        return _chance((player.rating - DEFAULT_RATING) / GLICKO_SCALE, opponent, _g(opponent.deviation / GLICKO_SCALE))


def _g(deviation: Decimal) -> Decimal:
    return 1 / (1 + 3 * deviation * deviation / (PI * PI)).sqrt()


def _chance(rating: Decimal, opponent: GlickoRating, g: Decimal) -> Decimal:
    return 1 / (1 + (-g * (rating - (opponent.rating - DEFAULT_RATING) / GLICKO_SCALE)).exp())


def _volatility(volatility: Decimal, deviation: Decimal, variance: Decimal, improvement: Decimal) -> Decimal:
    """Return the volatility by step 5, the iteration of the 2012 edition: the zero of f between A and B."""
    start = (volatility * volatility).ln()
    spread = deviation * deviation + variance
    square = improvement * improvement

    def volatility_equation(x: Decimal) -> Decimal:
        grown = x.exp()
        return grown * (square - spread - grown) / (2 * (spread + grown) ** 2) - (x - start) / (TAU * TAU)

    low = start
    if square > spread:
        high = (square - spread).ln()
    else:
        steps = 1
        while volatility_equation(start - steps * TAU) < 0:
            steps += 1
        high = start - steps * TAU
    at_low, at_high = volatility_equation(low), volatility_equation(high)
    while abs(high - low) > CONVERGENCE_TOLERANCE:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = volatility_equation(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return (low / 2).exp()


def _on_the_scale(rating: Decimal, deviation: Decimal, volatility: Decimal) -> GlickoRating:
    """Return the rating as stored: hundredths of points, millionths of volatility."""
    hundredth = Decimal("0.01")
    return GlickoRating(
        rating=(rating * GLICKO_SCALE + DEFAULT_RATING).quantize(hundredth),
        deviation=min((deviation * GLICKO_SCALE).quantize(hundredth), MAX_DEVIATION),
        volatility=volatility.quantize(Decimal("0.000001")),
    )
