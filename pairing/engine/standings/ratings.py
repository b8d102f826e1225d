"""Tie-breaks by ratings: FIDE Handbook C.07, article 10, and the average of the documents of 1992 and 1997."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from pairing.engine.snapshot import PairingNumber
from pairing.engine.standings.codes import TieBreakCode
from pairing.engine.standings.columns import (
    NO_VALUE,
    Column,
    Term,
    TermsOf,
    column_of,
    cuts_of,
    exactly,
    keep_all,
    ordered,
    plain_column,
    rounded,
    whole,
)
from pairing.engine.standings.facts import StandingsFacts
from pairing.engine.standings.outcomes import Outcome
from pairing.engine.standings.rating_tables import FULL_SCORE_FROM, difference_for, expected_hundredths
from pairing.engine.standings.unplayed import Basis

_A_HUNDREDTH = 7
"""About so many points of rating are a hundredth of the score between equal players."""

NO_SCORE = 800
"""A player without a point has performed so much below his weakest opponent (10.3)."""


def average_rating_of_opponents(facts: StandingsFacts, code: TieBreakCode) -> Column:
    """Article 10.1, ARO: the opponents met over the board, their average rounded to a whole number."""
    if _is_dropped(facts, code):
        return _dropped(facts)
    return column_of(
        facts.outcomes,
        opponents_ratings(facts, unrated=code.unrated),
        lambda terms: whole(average_rating(terms)) if terms else NO_VALUE,
        cuts_of(code),
        weights=1,
        values=1,
    )


def tournament_performance_rating(facts: StandingsFacts, code: TieBreakCode) -> Column:
    """Article 10.2, TPR: the average of article 10.1 and the rating difference that the score stands for."""
    return _performance(facts, code, tournament_performance)


def perfect_tournament_performance(facts: StandingsFacts, code: TieBreakCode) -> Column:
    """Article 10.3, PTP: the lowest rating whose expected score against these opponents is the player's score."""
    return _performance(facts, code, perfect_performance)


def average_performance_of_opponents(facts: StandingsFacts, code: TieBreakCode) -> Column:
    """Article 10.4, APRO: the average of article 10.2 over the opponents met over the board, rounded."""
    return _average_of_opponents(facts, code, tournament_performance)


def average_perfect_performance_of_opponents(facts: StandingsFacts, code: TieBreakCode) -> Column:
    """Article 10.5, APPO: the average of article 10.3 over the opponents met over the board, rounded."""
    return _average_of_opponents(facts, code, perfect_performance)


def rating(facts: StandingsFacts, code: TieBreakCode) -> Column:
    """Article 10.6, RTNG: the higher rating first, or the lower (`/R`)."""
    if _is_dropped(facts, code):
        return _dropped(facts)
    return plain_column(
        {tpn: ordered(facts.ratings[tpn] or code.unrated or 0, descending=not code.reverse) for tpn in facts.outcomes}
    )


def exact_average_rating(facts: StandingsFacts, code: TieBreakCode) -> Column:
    """AR: the average rating of the opponents met, kept exactly, 0 without any; shown to one decimal.

    Dutch system 1992, F10; Dubov system 1997, article 9. An unrated opponent counts what the list says of him.
    """
    return column_of(
        facts.outcomes,
        opponents_ratings(facts, unrated=code.unrated),
        lambda terms: exactly(Fraction(sum([t.value for t in terms]), len(terms) or 1), decimals=1),
        keep_all,
        weights=1,
        values=1,
    )


def average_rating(terms: Sequence[Term]) -> int:
    """Article 10.1: a half is rounded up."""
    return rounded(sum([term.weight for term in terms]), len(terms))


def tournament_performance(terms: Sequence[Term]) -> int:
    """Article 10.2; the share of the points is rounded to hundredths, a half up, to be found in the table."""
    hundredths = rounded(50 * _score(terms), len(terms))
    return average_rating(terms) + difference_for(hundredths)


def perfect_performance(terms: Sequence[Term]) -> int:
    """Article 10.3, with the table's full width and no difference cut at 400."""
    ratings = [term.weight for term in terms]
    wanted = 50 * _score(terms)
    if wanted == 0:
        return min(ratings) - NO_SCORE
    low, high = min(ratings) - FULL_SCORE_FROM, max(ratings) + FULL_SCORE_FROM
    # Expected scores grow with the rating, and the two performances are never far apart: the search begins there, goes
    # as far as the missing hundredths stand for, or ever farther, and halves what is left.
    middle, step = tournament_performance(terms), 1
    while high - low > 1:
        if not low < middle < high:
            middle = (low + high) // 2
        missing = wanted - expected_hundredths(middle, ratings)
        if missing > 0:
            low, middle = middle, middle + max(step, missing * _A_HUNDREDTH // len(ratings))
        else:
            high, middle = middle, middle - max(step, -missing * _A_HUNDREDTH // len(ratings))
        step *= 2
    return high


def _score(terms: Sequence[Term]) -> int:
    return sum([term.points or 0 for term in terms])


def opponents_ratings(facts: StandingsFacts, *, unrated: int | None) -> TermsOf:
    """A player's opponents over the board with their ratings, and what he scored: 1, ½ or 0, whatever that is worth."""
    ratings = {tpn: rating or unrated or 0 for tpn, rating in facts.ratings.items()}

    scored = {facts.worth.win: 2, facts.worth.draw: 1}

    def of_player(outcomes: Sequence[Outcome]) -> Sequence[Term]:
        return [
            Term(number, opponent, ratings[opponent], ratings[opponent], Basis.OPPONENT, False, scored.get(points, 0))
            for number, opponent, points, _, is_played, *_ in outcomes
            if is_played and opponent is not None
        ]

    made = facts.once(
        ("opponents' ratings", unrated),
        lambda: {tpn: of_player(outcomes) for tpn, outcomes in facts.outcomes.items()},
    )
    return made.__getitem__


def _is_dropped(facts: StandingsFacts, code: TieBreakCode) -> bool:
    """Article 10: with unrated players these tie-breaks are left out, unless they are given a rating."""
    return code.unrated is None and not all(facts.ratings.values())


def _dropped(facts: StandingsFacts) -> Column:
    return plain_column(dict.fromkeys(facts.outcomes, NO_VALUE))


def _performances(
    facts: StandingsFacts, code: TieBreakCode, performance: Callable[[Sequence[Term]], int]
) -> Mapping[PairingNumber, int]:
    """Of everyone who has finished a game."""
    terms_of = _finished_games(facts, code)
    return facts.once(
        (performance.__name__, code.unrated),
        lambda: {tpn: performance(terms) for tpn in facts.outcomes if (terms := terms_of(tpn))},
    )


def _finished_games(facts: StandingsFacts, code: TieBreakCode) -> TermsOf:
    """The opponents' ratings without those of adjourned games, which say nothing yet."""
    ratings_of = opponents_ratings(facts, unrated=code.unrated)
    if not facts.has_adjourned_games:
        return ratings_of
    return lambda tpn: [term for term in ratings_of(tpn) if not facts.outcomes[tpn][term.round - 1].is_pending]


def _performance(facts: StandingsFacts, code: TieBreakCode, performance: Callable[[Sequence[Term]], int]) -> Column:
    if _is_dropped(facts, code):
        return _dropped(facts)
    performances = _performances(facts, code, performance)
    games = column_of((), _finished_games(facts, code), lambda terms: NO_VALUE, keep_all, weights=1, values=1)
    values = {tpn: whole(performances[tpn]) if tpn in performances else NO_VALUE for tpn in facts.outcomes}
    return Column(values=values, rows=games.rows)


def _average_of_opponents(
    facts: StandingsFacts, code: TieBreakCode, performance: Callable[[Sequence[Term]], int]
) -> Column:
    if _is_dropped(facts, code):
        return _dropped(facts)
    performances = _performances(facts, code, performance)

    def terms_of(tpn: PairingNumber) -> Sequence[Term]:
        return [
            Term(outcome.number, outcome.opponent, of_opponent, of_opponent, Basis.OPPONENT)
            for outcome in facts.outcomes[tpn]
            if outcome.is_played
            and outcome.opponent is not None
            and (of_opponent := performances.get(outcome.opponent)) is not None
        ]

    return column_of(
        facts.outcomes,
        terms_of,
        lambda terms: whole(average_rating(terms)) if terms else NO_VALUE,
        keep_all,
        weights=1,
        values=1,
    )
