"""Profiles of simulated events: unusual players, and what happens to them.

Every profile has its own random generator. So a plan that does not use a profile gives the same event as before the
profile existed.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Any

from pairing.engine.acceleration.progressive import (
    DEFAULT_GROUP_LIMITS,
    GroupLimitsError,
    count_group_sizes,
    nearest_valid_limits,
)
from pairing.engine.snapshot import PairingNumber, Result

RATING_PROFILES = ("bell", "equal", "gaps", "strong")
"""Ratings: most in the middle; all the same; three groups far apart; a tenth far above the others."""

SIMULATION_PRESETS: dict[str, dict[str, Any]] = {
    "plain": {},
    "byes": {"byes": Fraction(1, 10)},
    "forfeits": {"forfeits": Fraction(1, 10)},
    "retirements": {"withdrawals": Fraction(1, 20)},
    "late": {"late": Fraction(1, 5)},
    "forbidden": {"forbidden_pairs": 10},
    "unrated": {"unrated": Fraction(1, 4)},
    "equal": {"profile": "equal"},
    "gaps": {"profile": "gaps"},
    "strong": {"profile": "strong"},
    "odd-colours": {"turned": Fraction(1, 3)},
    "near-round-robin": {"near_round_robin": True},
    "draws": {"draws": Fraction(3, 5)},
}
"""The plan settings of each named preset."""

_UNRATED = {
    Result.WIN: Result.UNRATED_WIN,
    Result.DRAW: Result.UNRATED_DRAW,
    Result.LOSS: Result.UNRATED_LOSS,
}


def seeded_random(seed: int, regime: str) -> Random:
    """Return the random generator of one profile."""
    return Random(f"{regime} {seed}")  # noqa: S311 - events of made-up players are no secret


def draw_ratings(profile: str, players: int, seed: int) -> list[int]:
    """Return ratings by a profile other than `bell`, the highest first."""
    chance = seeded_random(seed, "ratings")
    if profile == "equal":
        return [1600] * players
    if profile == "gaps":
        return sorted((chance.choice((2300, 1800, 1300)) + chance.randrange(40) for _ in range(players)), reverse=True)
    strong = max(1, players // 10)
    high = [2400 + chance.randrange(150) for _ in range(strong)]
    return sorted([*high, *(1200 + chance.randrange(300) for _ in range(players - strong))], reverse=True)


def draw_forbidden_pairs(players: int, wanted: int, seed: int) -> frozenset[frozenset[PairingNumber]]:
    """Return `wanted` different pairs who must not meet, or all pairs if there are fewer."""
    chance = seeded_random(seed, "forbidden")
    wanted = min(wanted, players * (players - 1) // 2)
    pairs: set[frozenset[PairingNumber]] = set()
    while len(pairs) < wanted:
        pairs.add(frozenset(chance.sample(range(1, players + 1), 2)))
    return frozenset(pairs)


def draw_arrival_rounds(players: int, rounds: int, share: Fraction, seed: int) -> dict[PairingNumber, int]:
    """Return the first round of every late entry: from round 2 to the middle of the event."""
    if not share or rounds < 2:
        return {}
    chance = seeded_random(seed, "late")
    last = max(2, rounds // 2)
    return {
        tpn: chance.randint(2, last)
        for tpn in range(1, players + 1)
        if chance.randrange(share.denominator) < share.numerator
    }


def unrated_result(result: Result) -> Result:
    """Return the same result for an unrated game; forfeits stay unchanged."""
    return _UNRATED.get(result, result)


def fitting_group_limits(players: Sequence[int]) -> tuple[int, int]:
    """Return the limits of progressive acceleration nearest to the usual ones. Raises GroupLimitsError if none fit."""
    found = nearest_valid_limits(players, DEFAULT_GROUP_LIMITS)
    if found is None:
        raise GroupLimitsError(DEFAULT_GROUP_LIMITS, count_group_sizes(DEFAULT_GROUP_LIMITS, players), None)
    return found
