"""The conversions of FIDE's rating regulations (Handbook B.02, article 8.1), in hundredths of a point."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction

from pairing.engine.snapshot import PairingNumber
from pairing.engine.standings.inputs import RoundOutcome, StandingsInputs, TieBreakBasis
from pairing.engine.standings.tie_break_codes import TieBreakCode
from pairing.engine.standings.tie_break_columns import (
    NO_VALUE,
    TermsByPlayer,
    TieBreakColumn,
    TieBreakContribution,
    build_column,
    column_without_working,
    cuts_for_code,
    exact_value,
    no_cuts,
    round_half_up,
    sort_value,
    whole_number_value,
)

_ABOVE_HALF = (
    *(0, 7, 14, 21, 29, 36, 43, 50, 57, 65),
    *(72, 80, 87, 95, 102, 110, 117, 125, 133, 141),
    *(149, 158, 166, 175, 184, 193, 202, 211, 220, 230),
    *(240, 251, 262, 273, 284, 296, 309, 322, 336, 351),
    *(366, 383, 401, 422, 444, 470, 501, 538, 589, 677),
    800,
)
"""The rating difference of 50, 51, ..., 100 hundredths (8.1.1); below half it is the same, negated."""

_FIRST_DIFFERENCES = (
    *(4, 11, 18, 26, 33, 40, 47, 54, 62, 69),
    *(77, 84, 92, 99, 107, 114, 122, 130, 138, 146),
    *(154, 163, 171, 180, 189, 198, 207, 216, 226, 236),
    *(246, 257, 268, 279, 291, 303, 316, 329, 345, 358),
    *(375, 392, 412, 433, 457, 485, 518, 560, 620, 736),
)
"""The least difference for which the stronger player is expected to score 51, 52, ..., 100 hundredths (8.1.2)."""

FULL_SCORE_DIFFERENCE = _FIRST_DIFFERENCES[-1]
"""From this difference on the stronger player is expected to win."""

_EXPECTED_ABOVE = tuple(
    50 + bisect_right(_FIRST_DIFFERENCES, difference) for difference in range(FULL_SCORE_DIFFERENCE + 1)
)
_EXPECTED = (*(100 - above for above in reversed(_EXPECTED_ABOVE[1:])), *_EXPECTED_ABOVE)
"""For every difference from minus to plus FULL_SCORE_DIFFERENCE."""


def rating_difference_for_score(hundredths: int) -> int:
    """8.1.1: return the rating difference for a score in whole per cent (0 to 100)."""
    return _ABOVE_HALF[hundredths - 50] if hundredths >= 50 else -_ABOVE_HALF[50 - hundredths]


def expected_score_in_hundredths(own: int, opponents: Iterable[int]) -> int:
    """8.1.2: return the expected score of a player with this rating against these opponents, in hundredths."""
    expected, least = _EXPECTED, own + FULL_SCORE_DIFFERENCE
    total = 0
    for rating in opponents:
        place = least - rating
        total += 100 if place > 2 * FULL_SCORE_DIFFERENCE else expected[place] if place > 0 else 0
    return total


_A_HUNDREDTH = 7
"""About this many rating points make one hundredth of the score between equal players."""

ZERO_SCORE_DEDUCTION = 800
"""A player without a point has performed this much below their weakest opponent (10.3)."""


def average_rating_of_opponents(facts: StandingsInputs, code: TieBreakCode) -> TieBreakColumn:
    """Article 10.1, ARO: the average rating of the opponents met over the board, as a whole number."""
    if _is_dropped(facts, code):
        return _dropped(facts)
    return build_column(
        facts.outcomes_by_player,
        opponent_rating_terms(facts, unrated=code.unrated),
        lambda terms: whole_number_value(average_rating(terms)) if terms else NO_VALUE,
        cuts_for_code(code),
        weights=1,
        values=1,
    )


def tournament_performance_rating(facts: StandingsInputs, code: TieBreakCode) -> TieBreakColumn:
    """Article 10.2, TPR: the average of article 10.1 plus the rating difference for the score."""
    return _performance(facts, code, performance_rating)


def perfect_tournament_performance(facts: StandingsInputs, code: TieBreakCode) -> TieBreakColumn:
    """Article 10.3, PTP: the lowest rating whose expected score against these opponents is the player's score."""
    return _performance(facts, code, perfect_performance_rating)


def average_performance_of_opponents(facts: StandingsInputs, code: TieBreakCode) -> TieBreakColumn:
    """Article 10.4, APRO: the average of article 10.2 over the opponents met over the board, rounded."""
    return _average_of_opponents(facts, code, performance_rating)


def average_perfect_performance_of_opponents(facts: StandingsInputs, code: TieBreakCode) -> TieBreakColumn:
    """Article 10.5, APPO: the average of article 10.3 over the opponents met over the board, rounded."""
    return _average_of_opponents(facts, code, perfect_performance_rating)


def player_rating(facts: StandingsInputs, code: TieBreakCode) -> TieBreakColumn:
    """Article 10.6, RTNG: the higher rating first, or the lower with `/R`."""
    if _is_dropped(facts, code):
        return _dropped(facts)
    return column_without_working(
        {
            tpn: sort_value(facts.ratings_by_player[tpn] or code.unrated or 0, descending=not code.reverse)
            for tpn in facts.outcomes_by_player
        }
    )


def exact_average_rating(facts: StandingsInputs, code: TieBreakCode) -> TieBreakColumn:
    """AR: the average rating of the opponents met, kept exact, or 0 if there are none. Shown to one decimal place.

    Dutch system 1992, F10; Dubov system 1997, article 9. An unrated opponent counts with the rating in the list.
    """
    return build_column(
        facts.outcomes_by_player,
        opponent_rating_terms(facts, unrated=code.unrated),
        lambda terms: exact_value(Fraction(sum([t.value for t in terms]), len(terms) or 1), decimals=1),
        no_cuts,
        weights=1,
        values=1,
    )


def average_rating(terms: Sequence[TieBreakContribution]) -> int:
    """Return the average in article 10.1, with halves rounded up."""
    return round_half_up(sum([term.weight for term in terms]), len(terms))


def performance_rating(terms: Sequence[TieBreakContribution]) -> int:
    """Article 10.2. The share of the points is rounded to hundredths (halves up) and looked up in the table."""
    hundredths = round_half_up(50 * _score(terms), len(terms))
    return average_rating(terms) + rating_difference_for_score(hundredths)


def perfect_performance_rating(terms: Sequence[TieBreakContribution]) -> int:
    """Article 10.3, using the whole table. Differences above 400 are not capped."""
    ratings = [term.weight for term in terms]
    wanted = 50 * _score(terms)
    if wanted == 0:
        return min(ratings) - ZERO_SCORE_DEDUCTION
    low, high = min(ratings) - FULL_SCORE_DIFFERENCE, max(ratings) + FULL_SCORE_DIFFERENCE
    # Expected scores grow with the rating. The search begins at the other performance, which is never far off. It moves
    # by the missing hundredths, or in growing steps, and then halves the interval.
    middle, step = performance_rating(terms), 1
    while high - low > 1:
        if not low < middle < high:
            middle = (low + high) // 2
        missing = wanted - expected_score_in_hundredths(middle, ratings)
        if missing > 0:
            low, middle = middle, middle + max(step, missing * _A_HUNDREDTH // len(ratings))
        else:
            high, middle = middle, middle - max(step, -missing * _A_HUNDREDTH // len(ratings))
        step *= 2
    return high


def _score(terms: Sequence[TieBreakContribution]) -> int:
    return sum([term.points or 0 for term in terms])


def opponent_rating_terms(facts: StandingsInputs, *, unrated: int | None) -> TermsByPlayer:
    """Return a function that gives the ratings of a player's opponents over the board, and the results.

    The result is 1, ½ or 0, whatever points the event gives.
    """
    ratings = {tpn: rating or unrated or 0 for tpn, rating in facts.ratings_by_player.items()}

    scored = {facts.point_system.win: 2, facts.point_system.draw: 1}

    def terms_of_player(outcomes: Sequence[RoundOutcome]) -> Sequence[TieBreakContribution]:
        return [
            TieBreakContribution(
                number,
                opponent,
                ratings[opponent],
                ratings[opponent],
                TieBreakBasis.OPPONENT,
                False,
                scored.get(points, 0),
            )
            for number, opponent, points, _, is_played, *_ in outcomes
            if is_played and opponent is not None
        ]

    made = facts.compute_once(
        ("opponents' ratings", unrated),
        lambda: {tpn: terms_of_player(outcomes) for tpn, outcomes in facts.outcomes_by_player.items()},
    )
    return made.__getitem__


def _is_dropped(facts: StandingsInputs, code: TieBreakCode) -> bool:
    """Return True if unrated players exclude this tie-break: article 10, unless they are given a rating."""
    return code.unrated is None and not all(facts.ratings_by_player.values())


def _dropped(facts: StandingsInputs) -> TieBreakColumn:
    return column_without_working(dict.fromkeys(facts.outcomes_by_player, NO_VALUE))


def _performances(
    facts: StandingsInputs, code: TieBreakCode, performance: Callable[[Sequence[TieBreakContribution]], int]
) -> Mapping[PairingNumber, int]:
    """Return the performance of everyone who has finished a game."""
    terms_of = _finished_games(facts, code)
    return facts.compute_once(
        (performance.__name__, code.unrated),
        lambda: {tpn: performance(terms) for tpn in facts.outcomes_by_player if (terms := terms_of(tpn))},
    )


def _finished_games(facts: StandingsInputs, code: TieBreakCode) -> TermsByPlayer:
    """Return the opponents' ratings without those of adjourned games, which have no result yet."""
    ratings_of = opponent_rating_terms(facts, unrated=code.unrated)
    if not facts.has_adjourned_games:
        return ratings_of
    return lambda tpn: [
        term for term in ratings_of(tpn) if not facts.outcomes_by_player[tpn][term.round - 1].is_pending
    ]


def _performance(
    facts: StandingsInputs, code: TieBreakCode, performance: Callable[[Sequence[TieBreakContribution]], int]
) -> TieBreakColumn:
    if _is_dropped(facts, code):
        return _dropped(facts)
    performances = _performances(facts, code, performance)
    games = build_column((), _finished_games(facts, code), lambda terms: NO_VALUE, no_cuts, weights=1, values=1)
    values = {
        tpn: whole_number_value(performances[tpn]) if tpn in performances else NO_VALUE
        for tpn in facts.outcomes_by_player
    }
    return TieBreakColumn(values=values, working_rows=games.working_rows)


def _average_of_opponents(
    facts: StandingsInputs, code: TieBreakCode, performance: Callable[[Sequence[TieBreakContribution]], int]
) -> TieBreakColumn:
    if _is_dropped(facts, code):
        return _dropped(facts)
    performances = _performances(facts, code, performance)

    def terms_of(tpn: PairingNumber) -> Sequence[TieBreakContribution]:
        return [
            TieBreakContribution(outcome.number, outcome.opponent, of_opponent, of_opponent, TieBreakBasis.OPPONENT)
            for outcome in facts.outcomes_by_player[tpn]
            if outcome.is_played
            and outcome.opponent is not None
            and (of_opponent := performances.get(outcome.opponent)) is not None
        ]

    return build_column(
        facts.outcomes_by_player,
        terms_of,
        lambda terms: whole_number_value(average_rating(terms)) if terms else NO_VALUE,
        no_cuts,
        weights=1,
        values=1,
    )
