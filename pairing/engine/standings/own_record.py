"""Tie-breaks by a player's own results or data: FIDE Handbook C.07, article 7."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pairing.engine.snapshot import HalfPoints, PairingNumber
from pairing.engine.standings.codes import TieBreakCode
from pairing.engine.standings.columns import (
    Column,
    Term,
    TermsOf,
    column_of,
    cuts_of,
    halves,
    keep_all,
    ordered,
    plain_column,
    total,
    whole,
)
from pairing.engine.standings.facts import StandingsFacts
from pairing.engine.standings.outcomes import Outcome
from pairing.engine.standings.unplayed import Basis


def points(facts: StandingsFacts, code: TieBreakCode) -> Column:
    """PTS: real points of games, forfeits and byes, never fictitious ones."""
    return plain_column({tpn: halves(half_points) for tpn, half_points in facts.points.items()})


def number_of_wins(facts: StandingsFacts, code: TieBreakCode) -> Column:
    """Article 7.1, WIN: rounds that brought the points of a win, played or not."""
    return _count(facts, lambda outcome: outcome.points == facts.worth.win)


def games_won(facts: StandingsFacts, code: TieBreakCode) -> Column:
    """Article 7.2, WON: games won over the board."""
    return _count(facts, lambda outcome: outcome.is_played and outcome.points == facts.worth.win)


def games_with_black(facts: StandingsFacts, code: TieBreakCode) -> Column:
    """Article 7.3, BPG: games played over the board with Black."""
    return _count(facts, lambda outcome: outcome.is_played and outcome.is_black)


def games_won_with_black(facts: StandingsFacts, code: TieBreakCode) -> Column:
    """Article 7.4, BWG: games won over the board with Black."""
    return _count(facts, lambda outcome: outcome.is_played and outcome.is_black and outcome.points == facts.worth.win)


def progressive_scores(facts: StandingsFacts, code: TieBreakCode) -> Column:
    """Article 7.5, PS: the sum of the scores after each round; a cut drops the scores after the first rounds (14.1)."""
    return column_of(facts.outcomes, running_scores(facts), total(parts=2, decimals=1), cuts_of(code), weights=1)


def rounds_elected_to_play(facts: StandingsFacts, code: TieBreakCode) -> Column:
    """Article 7.6, REP: the rounds less half-point and zero-point byes and lost forfeits."""
    return _count(facts, lambda outcome: not outcome.is_voluntary)


def standard_points(facts: StandingsFacts, code: TieBreakCode) -> Column:
    """Article 7.7, STD: 1 for more points than the opponent, ½ for as many; unplayed: than a draw brings."""

    def terms_of(tpn: PairingNumber) -> Sequence[Term]:
        return [
            Term(outcome.number, outcome.opponent, 0, gained, Basis.OWN, points=outcome.points)
            for outcome in facts.outcomes[tpn]
            if (gained := _standard(facts, outcome))
        ]

    return column_of(facts.outcomes, terms_of, total(parts=2, decimals=1), keep_all)


def pairing_number(facts: StandingsFacts, code: TieBreakCode) -> Column:
    """Article 7.8, TPN: the smaller number first, or the greater (`/R`)."""
    return plain_column({tpn: ordered(tpn, descending=code.reverse) for tpn in facts.outcomes})


def running_scores(facts: StandingsFacts) -> TermsOf:
    """A player's score after each round; the round is its weight, so that cuts drop the first."""
    return lambda tpn: [
        Term(number, outcome.opponent, number, running, Basis.OWN, points=outcome.points)
        for number, (running, outcome) in enumerate(
            zip(facts.running_points[tpn], facts.outcomes[tpn], strict=True), start=1
        )
    ]


def _count(facts: StandingsFacts, counts: Callable[[Outcome], bool]) -> Column:
    """How many rounds are such."""

    def terms_of(tpn: PairingNumber) -> Sequence[Term]:
        return [
            Term(outcome.number, outcome.opponent, 0, 1, Basis.OWN, points=outcome.points)
            for outcome in facts.outcomes[tpn]
            if counts(outcome)
        ]

    return column_of(facts.outcomes, terms_of, lambda counted: whole(len(counted)), keep_all, values=1)


def _standard(facts: StandingsFacts, outcome: Outcome) -> HalfPoints:
    if outcome.is_pending:
        return 0
    against = facts.worth.draw
    if outcome.is_played and outcome.opponent is not None:
        against = facts.outcomes[outcome.opponent][outcome.number - 1].points
    return 2 if outcome.points > against else 1 if outcome.points == against else 0
