"""Keizer's ranking as a table: the order, and totals and values as its columns."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from itertools import accumulate, pairwise

from pairing.engine.snapshot import PairingNumber
from pairing.engine.standings.direct_encounter import TiedGroups
from pairing.engine.standings.inputs import StandingsInputs, TieBreakBasis
from pairing.engine.standings.tie_break_codes import TieBreakCode
from pairing.engine.standings.tie_break_columns import (
    NO_VALUE,
    TieBreakColumn,
    TieBreakWorkingRow,
    column_without_working,
    exact_value,
    half_points_value,
    round_half_up,
    sort_value,
)
from pairing.engine.systems.keizer import KeizerRanking, current_ranking, explain_total, parse_keizer_options

BASES: Mapping[str, TieBreakBasis] = {
    "self": TieBreakBasis.KEIZER_SELF,
    "game": TieBreakBasis.KEIZER_GAME,
    "forfeit_win": TieBreakBasis.KEIZER_FORFEIT_WIN,
    "forfeit_loss": TieBreakBasis.KEIZER_FORFEIT_LOSS,
    "withdrawn": TieBreakBasis.KEIZER_WITHDRAWN,
    "bye": TieBreakBasis.KEIZER_BYE,
    "excused": TieBreakBasis.KEIZER_EXCUSED,
    "absent": TieBreakBasis.KEIZER_ABSENT,
    "duty": TieBreakBasis.KEIZER_DUTY,
    "late": TieBreakBasis.KEIZER_LATE,
}
"""The bases of the lines of a total, by their cause."""


def keizer_order(facts: StandingsInputs) -> TiedGroups:
    """Return the ranked players in order, then the others by number. Each is a group of one."""
    order = _ranking(facts).order
    others = sorted(set(facts.outcomes_by_player) - set(order))
    return [(tpn,) for tpn in (*order, *others)]


def keizer_total(facts: StandingsInputs, code: TieBreakCode) -> TieBreakColumn:
    """KT: the exact total, shown with two decimals. The rows are the rounds and the player's own value.

    The credits are shown so that they add up to the total: each is the difference of two sums, rounded.
    """
    ranking, options = _ranking(facts), parse_keizer_options(facts.snapshot.options)

    def working_rows(tpn: PairingNumber) -> tuple[TieBreakWorkingRow, ...]:
        lines = explain_total(facts.snapshot, options, tpn)
        sums = [_rounded(total) for total in accumulate((line.credit for line in lines), initial=Fraction(0))]
        return tuple(
            TieBreakWorkingRow(
                round=line.round,
                opponent=line.opponent,
                basis=BASES[line.cause],
                counted=Decimal(int(line.value)) if line.value.denominator == 1 else _rounded(line.value),
                points=None,
                share=line.share,
                value=after - before,
            )
            for line, (before, after) in zip(lines, pairwise(sums), strict=True)
        )

    values = {
        tpn: exact_value(ranking.total(tpn), decimals=2) if tpn in ranking.totals else NO_VALUE
        for tpn in facts.outcomes_by_player
    }
    return TieBreakColumn(values=values, working_rows=working_rows)


def keizer_value(facts: StandingsInputs, code: TieBreakCode) -> TieBreakColumn:
    """KV: what a win against the player is worth."""
    values = _ranking(facts).values
    return column_without_working(
        {
            tpn: sort_value(values[tpn], descending=True) if tpn in values else NO_VALUE
            for tpn in facts.outcomes_by_player
        }
    )


def points_from_games(facts: StandingsInputs, code: TieBreakCode) -> TieBreakColumn:
    """KP: the points from games over the board, without byes, absences and forfeits."""
    scored = {
        tpn: sum(outcome.points for outcome in outcomes if outcome.is_played)
        for tpn, outcomes in facts.outcomes_by_player.items()
    }
    return column_without_working({tpn: half_points_value(points) for tpn, points in scored.items()})


def games_played(facts: StandingsInputs, code: TieBreakCode) -> TieBreakColumn:
    """KG: how many games the player has played over the board."""
    played = {tpn: sum(outcome.is_played for outcome in outcomes) for tpn, outcomes in facts.outcomes_by_player.items()}
    return column_without_working({tpn: sort_value(games, descending=True) for tpn, games in played.items()})


def _ranking(facts: StandingsInputs) -> KeizerRanking:
    return facts.compute_once(
        "keizer", lambda: current_ranking(facts.snapshot, parse_keizer_options(facts.snapshot.options))
    )


def _rounded(number: Fraction) -> Decimal:
    return Decimal(round_half_up(number.numerator * 100, number.denominator)).scaleb(-2)
