"""The points themselves, as a column among others."""

from __future__ import annotations

from decimal import Decimal

from pairing.engine.snapshot import HalfPoints, PairingNumber
from pairing.engine.standings.facts import StandingsFacts, TieBreakValue


def points(facts: StandingsFacts) -> dict[PairingNumber, TieBreakValue]:
    """PTS: real points of games, forfeits and byes, never fictitious ones."""
    return {tpn: points_value(half_points) for tpn, half_points in facts.points.items()}


def points_value(half_points: HalfPoints) -> TieBreakValue:
    """Points with one decimal."""
    return TieBreakValue(key=(half_points,), number=Decimal(half_points) / 2, decimals=1)
