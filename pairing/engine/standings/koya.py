"""Koya's system: FIDE Handbook C.07, article 9.2."""

from __future__ import annotations

from collections.abc import Sequence

from pairing.engine.snapshot import PairingNumber
from pairing.engine.standings.inputs import StandingsInputs
from pairing.engine.standings.tie_break_codes import TieBreakCode
from pairing.engine.standings.tie_break_columns import (
    CutReason,
    KeptAndCutTerms,
    TieBreakColumn,
    TieBreakTerm,
    build_column,
    make_sum_function,
)
from pairing.engine.standings.unplayed_rounds import TieBreakBasis


def koya_score(facts: StandingsInputs, code: TieBreakCode) -> TieBreakColumn:
    """Article 9.2, KS: points against opponents with at least half of the possible points.

    The limit is moved by half points (14.5), that is, by the points of a draw. It is meant for round robins; a forfeit
    counts against its opponent.
    """
    twice_limit = facts.point_system.win * facts.rounds_paired + 2 * facts.point_system.draw * code.limit

    def terms_of(tpn: PairingNumber) -> Sequence[TieBreakTerm]:
        return [
            TieBreakTerm(
                number, opponent, facts.points_by_player[opponent], points, TieBreakBasis.OPPONENT, points=points
            )
            for number, opponent, points, *_ in facts.outcomes_by_player[tpn]
            if opponent is not None
        ]

    def above_limit(of_player: Sequence[TieBreakTerm]) -> KeptAndCutTerms:
        return (
            [term for term in of_player if 2 * term.weight >= twice_limit],
            [(term, CutReason.BELOW_LIMIT) for term in of_player if 2 * term.weight < twice_limit],
        )

    return build_column(facts.outcomes_by_player, terms_of, make_sum_function(parts=2, decimals=1), above_limit)
