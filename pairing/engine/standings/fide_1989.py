"""Article 16 of the FIDE Swiss rules of 1987, amended in 1988 and 1989."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from itertools import accumulate

from pairing.engine.snapshot import PairingNumber
from pairing.engine.standings.facts import StandingsFacts, TieBreakValue


def article_16(facts: StandingsFacts) -> dict[PairingNumber, TieBreakValue]:
    """Article 16 as a whole: (a) when every player is rated, (b) otherwise."""
    everyone_rated = all(facts.ratings.values())
    return ratings_of_opponents(facts) if everyone_rated else progressive_scores(facts)


def ratings_of_opponents(facts: StandingsFacts) -> dict[PairingNumber, TieBreakValue]:
    """Article 16 a: the sum of the opponents' ratings without the lowest, then without the two lowest, and so on.

    Opponents of played games only.
    """
    rounds = facts.snapshot.rounds_paired
    values = {}
    for card in facts.snapshot.cards:
        ratings = sorted(
            (facts.ratings[record.opponent] for record in card.records if record.is_played and record.opponent),
            reverse=True,
        )
        # Without the k lowest, for k = 1, 2, ...: the sums of ever fewer of the highest.
        highest = [0, *accumulate(ratings)][:-1] if ratings else []
        values[card.tpn] = _value((*reversed(highest), *(0,) * (rounds - len(highest))), halves=False)
    return values


def progressive_scores(facts: StandingsFacts) -> dict[PairingNumber, TieBreakValue]:
    """Article 16 b: the sum of the scores after each round, then without round 1's, then round 2's, and so on."""
    return {
        tpn: _value([sum(running[start:]) for start in range(len(running))], halves=True)
        for tpn, running in facts.running_points.items()
    }


def _value(sums: Sequence[int], *, halves: bool) -> TieBreakValue:
    shown = Decimal(sums[0] if sums else 0)
    if halves:
        return TieBreakValue(key=tuple(sums), number=shown / 2, decimals=1)
    return TieBreakValue(key=tuple(sums), number=shown, decimals=0)
