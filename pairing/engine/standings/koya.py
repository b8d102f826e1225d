"""Koya's system: FIDE Handbook C.07, article 9.2."""

from __future__ import annotations

from collections.abc import Sequence

from pairing.engine.snapshot import PairingNumber
from pairing.engine.standings.codes import TieBreakCode
from pairing.engine.standings.columns import Column, Cut, Cuts, Term, column_of, total
from pairing.engine.standings.facts import StandingsFacts
from pairing.engine.standings.unplayed import Basis


def koya(facts: StandingsFacts, code: TieBreakCode) -> Column:
    """Article 9.2, KS: points against opponents who have at least half of the points there were to win.

    The limit is moved by half points (14.5), that is, by what a draw is worth. Meant for round robins; a forfeit counts
    against its opponent.
    """
    twice_limit = facts.worth.win * facts.rounds + 2 * facts.worth.draw * code.limit

    def terms_of(tpn: PairingNumber) -> Sequence[Term]:
        return [
            Term(number, opponent, facts.points[opponent], points, Basis.OPPONENT, points=points)
            for number, opponent, points, *_ in facts.outcomes[tpn]
            if opponent is not None
        ]

    def above_limit(of_player: Sequence[Term]) -> Cuts:
        return (
            [term for term in of_player if 2 * term.weight >= twice_limit],
            [(term, Cut.BELOW_LIMIT) for term in of_player if 2 * term.weight < twice_limit],
        )

    return column_of(facts.outcomes, terms_of, total(parts=2, decimals=1), above_limit)
