"""Keizer's ranking as a table: the order, and totals and values as its columns."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from pairing.engine.snapshot import PairingNumber
from pairing.engine.standings.direct_encounter import TiedGroups
from pairing.engine.standings.inputs import StandingsInputs, TieBreakBasis
from pairing.engine.standings.tie_break_codes import TieBreakCode
from pairing.engine.standings.tie_break_columns import (
    NO_VALUE,
    TieBreakColumn,
    TieBreakWorkingRow,
    exact_value,
    sort_value,
)
from pairing.engine.systems.keizer import KeizerRanking, current_ranking, explain_total, parse_keizer_options


def keizer_order(facts: StandingsInputs) -> TiedGroups:
    """Return the ranking, each player alone, and then the players who are not ranked, in the order of their numbers."""
    order = _ranking(facts).order
    others = sorted(set(facts.outcomes_by_player) - set(order))
    return [(tpn,) for tpn in (*order, *others)]


def keizer_total(facts: StandingsInputs, code: TieBreakCode) -> TieBreakColumn:
    """KT: the exact total, shown with two decimals. Its working has a row for each round and the own value."""
    ranking, options = _ranking(facts), parse_keizer_options(facts.snapshot.options)

    def working_rows(tpn: PairingNumber) -> tuple[TieBreakWorkingRow, ...]:
        return tuple(
            TieBreakWorkingRow(
                round=line.round,
                opponent=line.opponent,
                basis=TieBreakBasis.KEIZER_OPPONENT if line.is_opponents_value else TieBreakBasis.KEIZER_OWN,
                counted=_rounded(line.value),
                points=None,
                value=_rounded(line.credit),
            )
            for line in explain_total(facts.snapshot, options, tpn)
        )

    values = {
        tpn: exact_value(ranking.total(tpn), decimals=2) if tpn in ranking.totals else NO_VALUE
        for tpn in facts.outcomes_by_player
    }
    return TieBreakColumn(values=values, working_rows=working_rows)


def keizer_value(facts: StandingsInputs, code: TieBreakCode) -> TieBreakColumn:
    """KV: what a win against the player is worth."""
    values = _ranking(facts).values
    return TieBreakColumn(
        values={
            tpn: sort_value(values[tpn], descending=True) if tpn in values else NO_VALUE
            for tpn in facts.outcomes_by_player
        },
        working_rows=lambda tpn: (),
    )


def _ranking(facts: StandingsInputs) -> KeizerRanking:
    return facts.compute_once(
        "keizer", lambda: current_ranking(facts.snapshot, parse_keizer_options(facts.snapshot.options))
    )


def _rounded(number: Fraction) -> Decimal | None:
    return exact_value(number, decimals=2).number
