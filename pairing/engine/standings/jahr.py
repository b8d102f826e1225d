"""The values of Jahr's method (Szachy 3/1981, article 6) as columns of a table."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from pairing.engine.snapshot import PairingNumber
from pairing.engine.standings.codes import TieBreakCode
from pairing.engine.standings.columns import Column, TieBreakValue, WorkingRow, halves
from pairing.engine.standings.facts import StandingsFacts
from pairing.engine.standings.unplayed import Basis
from pairing.engine.systems.jahr import JahrRound, as_points

_HALF_POINT = 50
"""In hundredths of a point, in which totals and their tenths are counted; a round's result is in half points."""


def game_points(facts: StandingsFacts, code: TieBreakCode) -> Column:
    """G: points of games, forfeits and byes, the pairing-allocated bye counting a half."""
    values = {tpn: halves(counted.game_points) for tpn, counted in facts.jahr.items()}
    return Column(values=values, rows=_rows(facts, lambda row: Decimal(row.result) / 2))


def total_points(facts: StandingsFacts, code: TieBreakCode) -> Column:
    """T: game points and auxiliary points, a tenth of what the opponent had before the game."""
    values = {tpn: _hundredths(counted.total) for tpn, counted in facts.jahr.items()}
    return Column(values=values, rows=_rows(facts, lambda row: as_points(_HALF_POINT * row.result + (row.tenth or 0))))


def exact_value(facts: StandingsFacts, code: TieBreakCode) -> Column:
    """E: the opponents' totals, neither divided nor rounded."""
    values = {
        tpn: TieBreakValue(
            key=(counted.exact,), number=as_points(counted.exact, counted.decimals), decimals=counted.decimals
        )
        for tpn, counted in facts.jahr.items()
    }
    return Column(values=values, rows=_rows(facts, lambda row: as_points(row.exact_counted, row.decimals)))


def _rows(
    facts: StandingsFacts, brought: Callable[[JahrRound], Decimal]
) -> Callable[[PairingNumber], tuple[WorkingRow, ...]]:
    """A player's rounds, each with the total counted in it (the opponent's, in a bye his own) and what it brought."""

    def rows(tpn: PairingNumber) -> tuple[WorkingRow, ...]:
        return tuple(
            WorkingRow(
                round=row.number,
                opponent=row.record.opponent,
                basis=Basis.OWN if row.record.opponent is None else Basis.OPPONENT,
                counted=None if row.counted is None else as_points(row.counted),
                points=Decimal(row.result) / 2,
                value=brought(row),
            )
            for row in facts.jahr[tpn].rounds
        )

    return rows


def _hundredths(value: int) -> TieBreakValue:
    return TieBreakValue(key=(value,), number=as_points(value), decimals=2)
