"""Article 16 of the FIDE Swiss rules of 1987, amended in 1988 and 1989."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from itertools import accumulate

from pairing.engine.snapshot import PairingNumber
from pairing.engine.standings.inputs import StandingsInputs, TieBreakBasis
from pairing.engine.standings.own_record import scores_after_each_round
from pairing.engine.standings.rating_tie_breaks import opponent_rating_terms
from pairing.engine.standings.tie_break_codes import TieBreakCode
from pairing.engine.standings.tie_break_columns import (
    KeptAndCutTerms,
    TieBreakColumn,
    TieBreakContribution,
    TieBreakValue,
    TieBreakWorkingRow,
    build_column,
    cut_extreme_terms,
    half_points_value,
    no_cuts,
    whole_number_value,
)
from pairing.engine.systems.jahr import JahrRound, to_decimal_points


def fide_1989_article_16(facts: StandingsInputs, code: TieBreakCode) -> TieBreakColumn:
    """Article 16 as a whole: (a) if every player is rated, (b) otherwise."""
    everyone_rated = all(facts.ratings_by_player.values())
    return (
        reduced_sums_of_opponent_ratings(facts, code)
        if everyone_rated
        else reduced_sums_of_progressive_scores(facts, code)
    )


def reduced_sums_of_opponent_ratings(facts: StandingsInputs, code: TieBreakCode) -> TieBreakColumn:
    """Article 16 a: the sum of the opponents' ratings without the lowest, then without the two lowest, and so on.

    Only opponents of played games count.
    """
    return build_column(
        facts.outcomes_by_player,
        opponent_rating_terms(facts, unrated=0),
        lambda kept: _sums_of_ratings(kept, facts.rounds_paired),
        _without_lowest,
        weights=1,
        values=1,
    )


def reduced_sums_of_progressive_scores(facts: StandingsInputs, code: TieBreakCode) -> TieBreakColumn:
    """Article 16 b: the sum of the scores after each round, then without round 1's, then round 2's, and so on."""
    return build_column(
        facts.outcomes_by_player, scores_after_each_round(facts), _sums_from_each_round_on, no_cuts, weights=1
    )


def _without_lowest(terms: Sequence[TieBreakContribution]) -> KeptAndCutTerms:
    return cut_extreme_terms(terms, low=1, high=0)


def _sums_of_ratings(kept: Sequence[TieBreakContribution], rounds: int) -> TieBreakValue:
    """Return the sums of ever fewer of the highest ratings, with a place for every round."""
    highest = list(accumulate(sorted((term.value for term in kept), reverse=True)))
    sums = (*reversed(highest), *(0,) * (rounds - len(highest)))
    first = whole_number_value(sums[0] if sums else 0)
    return TieBreakValue(key=sums, number=first.number, decimals=0)


def _sums_from_each_round_on(terms: Sequence[TieBreakContribution]) -> TieBreakValue:
    scores = [term.value for term in terms]
    sums = tuple(sum(scores[start:]) for start in range(len(scores)))
    first = half_points_value(sums[0] if sums else 0)
    return TieBreakValue(key=sums, number=first.number, decimals=1)


_HALF_POINT = 50
"""Hundredths of a point, the unit of totals and their tenths; a round's result is in half points."""


def jahr_game_points(facts: StandingsInputs, code: TieBreakCode) -> TieBreakColumn:
    """G: points from games, forfeits and byes. The pairing-allocated bye counts half a point."""
    values = {tpn: half_points_value(counted.game_points) for tpn, counted in facts.jahr_values_by_player.items()}
    return TieBreakColumn(values=values, working_rows=_rows(facts, lambda row: Decimal(row.result) / 2))


def jahr_total_points(facts: StandingsInputs, code: TieBreakCode) -> TieBreakColumn:
    """T: game points plus auxiliary points, which are a tenth of the opponent's points before the game."""
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

    def working_rows(tpn: PairingNumber) -> tuple[TieBreakWorkingRow, ...]:
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

    return working_rows


def _hundredths(value: int) -> TieBreakValue:
    return TieBreakValue(key=(value,), number=to_decimal_points(value), decimals=2)
