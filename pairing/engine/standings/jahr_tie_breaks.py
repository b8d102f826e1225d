"""The values of Jahr's method (Szachy 3/1981, article 6) as columns of a table."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from pairing.engine.snapshot import PairingNumber
from pairing.engine.standings.inputs import StandingsInputs
from pairing.engine.standings.tie_break_codes import TieBreakCode
from pairing.engine.standings.tie_break_columns import (
    TieBreakColumn,
    TieBreakValue,
    TieBreakWorkingRow,
    half_points_value,
)
from pairing.engine.standings.unplayed_rounds import TieBreakBasis
from pairing.engine.systems.jahr import JahrRound, to_decimal_points

_HALF_POINT = 50
"""Hundredths of a point, the unit of totals and their tenths; a round's result is in half points."""


def jahr_game_points(facts: StandingsInputs, code: TieBreakCode) -> TieBreakColumn:
    """G: points of games, forfeits and byes; the pairing-allocated bye counts half a point."""
    values = {tpn: half_points_value(counted.game_points) for tpn, counted in facts.jahr_values_by_player.items()}
    return TieBreakColumn(values=values, working_rows=_rows(facts, lambda row: Decimal(row.result) / 2))


def jahr_total_points(facts: StandingsInputs, code: TieBreakCode) -> TieBreakColumn:
    """T: game points and auxiliary points, a tenth of the opponent's points before the game."""
    values = {tpn: _hundredths(counted.total_points) for tpn, counted in facts.jahr_values_by_player.items()}
    return TieBreakColumn(
        values=values,
        working_rows=_rows(facts, lambda row: to_decimal_points(_HALF_POINT * row.result + (row.added_tenth or 0))),
    )


def jahr_exact_value(facts: StandingsInputs, code: TieBreakCode) -> TieBreakColumn:
    """E: the opponents' totals, neither divided nor rounded."""
    values = {
        tpn: TieBreakValue(
            key=(counted.exact_value,),
            number=to_decimal_points(counted.exact_value, counted.exact_decimals),
            decimals=counted.exact_decimals,
        )
        for tpn, counted in facts.jahr_values_by_player.items()
    }
    return TieBreakColumn(
        values=values, working_rows=_rows(facts, lambda row: to_decimal_points(row.exact_counted, row.exact_decimals))
    )


def _rows(
    facts: StandingsInputs, brought: Callable[[JahrRound], Decimal]
) -> Callable[[PairingNumber], tuple[TieBreakWorkingRow, ...]]:
    """Return a function for a player's rounds, each with the total counted in it and its value.

    The total is the opponent's; in a bye it is the player's own.
    """

    def rows(tpn: PairingNumber) -> tuple[TieBreakWorkingRow, ...]:
        return tuple(
            TieBreakWorkingRow(
                round=row.number,
                opponent=row.record.opponent,
                basis=TieBreakBasis.OWN if row.record.opponent is None else TieBreakBasis.OPPONENT,
                counted=None if row.counted_total is None else to_decimal_points(row.counted_total),
                points=Decimal(row.result) / 2,
                value=brought(row),
            )
            for row in facts.jahr_values_by_player[tpn].rounds
        )

    return rows


def _hundredths(value: int) -> TieBreakValue:
    return TieBreakValue(key=(value,), number=to_decimal_points(value), decimals=2)
