"""The values of Jahr's method (Szachy 3/1981, article 6) as columns of a table."""

from __future__ import annotations

from pairing.engine.snapshot import PairingNumber
from pairing.engine.standings.facts import StandingsFacts, TieBreakValue
from pairing.engine.standings.points import points_value
from pairing.engine.systems.jahr import as_points


def game_points(facts: StandingsFacts) -> dict[PairingNumber, TieBreakValue]:
    """G: points of games, forfeits and byes, the pairing-allocated bye counting a half."""
    return {tpn: points_value(values.game_points) for tpn, values in facts.jahr.items()}


def total_points(facts: StandingsFacts) -> dict[PairingNumber, TieBreakValue]:
    """T: game points and auxiliary points."""
    return {tpn: _hundredths(values.total) for tpn, values in facts.jahr.items()}


def exact_value(facts: StandingsFacts) -> dict[PairingNumber, TieBreakValue]:
    """E: the opponents' totals, neither divided nor rounded."""
    return {tpn: _hundredths(values.exact) for tpn, values in facts.jahr.items()}


def _hundredths(value: int) -> TieBreakValue:
    return TieBreakValue(key=(value,), number=as_points(value), decimals=2)
