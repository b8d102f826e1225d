"""Article 16 of the FIDE Swiss rules of 1987, amended in 1988 and 1989."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from pairing.engine.standings.codes import TieBreakCode
from pairing.engine.standings.columns import (
    Column,
    Cuts,
    Term,
    TieBreakValue,
    column_of,
    cut_terms,
    halves,
    keep_all,
    whole,
)
from pairing.engine.standings.facts import StandingsFacts
from pairing.engine.standings.own_record import running_scores
from pairing.engine.standings.ratings import opponents_ratings


def article_16(facts: StandingsFacts, code: TieBreakCode) -> Column:
    """Article 16 as a whole: (a) when every player is rated, (b) otherwise."""
    everyone_rated = all(facts.ratings.values())
    return ratings_of_opponents(facts, code) if everyone_rated else progressive_scores(facts, code)


def ratings_of_opponents(facts: StandingsFacts, code: TieBreakCode) -> Column:
    """Article 16 a: the sum of the opponents' ratings without the lowest, then without the two lowest, and so on.

    Opponents of played games only.
    """
    return column_of(
        facts.outcomes,
        opponents_ratings(facts, unrated=0),
        lambda kept: _sums_of_ratings(kept, facts.rounds),
        _without_lowest,
        weights=1,
        values=1,
    )


def progressive_scores(facts: StandingsFacts, code: TieBreakCode) -> Column:
    """Article 16 b: the sum of the scores after each round, then without round 1's, then round 2's, and so on."""
    return column_of(facts.outcomes, running_scores(facts), _sums_from_each_round_on, keep_all, weights=1)


def _without_lowest(terms: Sequence[Term]) -> Cuts:
    return cut_terms(terms, low=1, high=0)


def _sums_of_ratings(kept: Sequence[Term], rounds: int) -> TieBreakValue:
    """The sums of ever fewer of the highest, with a place for every round."""
    highest = list(accumulate(sorted((term.value for term in kept), reverse=True)))
    sums = (*reversed(highest), *(0,) * (rounds - len(highest)))
    first = whole(sums[0] if sums else 0)
    return TieBreakValue(key=sums, number=first.number, decimals=0)


def _sums_from_each_round_on(terms: Sequence[Term]) -> TieBreakValue:
    scores = [term.value for term in terms]
    sums = tuple(sum(scores[start:]) for start in range(len(scores)))
    first = halves(sums[0] if sums else 0)
    return TieBreakValue(key=sums, number=first.number, decimals=1)
