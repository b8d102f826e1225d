"""Tie-breaks by a player's own results or data: FIDE Handbook C.07, article 7."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pairing.engine.snapshot import HalfPoints, PairingNumber
from pairing.engine.standings.direct_encounter import TiedGroups
from pairing.engine.standings.inputs import RoundOutcome, StandingsInputs, TieBreakBasis
from pairing.engine.standings.tie_break_codes import TieBreakCode
from pairing.engine.standings.tie_break_columns import (
    NO_VALUE,
    CutReason,
    KeptAndCutTerms,
    TermsByPlayer,
    TieBreakColumn,
    TieBreakContribution,
    build_column,
    column_without_working,
    cuts_for_code,
    half_points_value,
    make_sum_function,
    no_cuts,
    sort_value,
    whole_number_value,
)


def points_scored(facts: StandingsInputs, code: TieBreakCode) -> TieBreakColumn:
    """PTS: real points from games, forfeits and byes, never fictitious ones."""
    return column_without_working(
        {tpn: half_points_value(half_points) for tpn, half_points in facts.points_by_player.items()}
    )


def number_of_wins(facts: StandingsInputs, code: TieBreakCode) -> TieBreakColumn:
    """Article 7.1, WIN: rounds that gave the points for a win, played or not."""
    return _count(facts, lambda outcome: outcome.points == facts.point_system.win)


def games_won(facts: StandingsInputs, code: TieBreakCode) -> TieBreakColumn:
    """Article 7.2, WON: games won over the board."""
    return _count(facts, lambda outcome: outcome.is_played and outcome.points == facts.point_system.win)


def games_played_with_black(facts: StandingsInputs, code: TieBreakCode) -> TieBreakColumn:
    """Article 7.3, BPG: games played over the board with Black."""
    return _count(facts, lambda outcome: outcome.is_played and outcome.is_black)


def games_won_with_black(facts: StandingsInputs, code: TieBreakCode) -> TieBreakColumn:
    """Article 7.4, BWG: games won over the board with Black."""
    return _count(
        facts, lambda outcome: outcome.is_played and outcome.is_black and outcome.points == facts.point_system.win
    )


def progressive_scores(facts: StandingsInputs, code: TieBreakCode) -> TieBreakColumn:
    """Article 7.5, PS: the sum of the scores after each round. Cuts drop the first rounds' scores (14.1)."""
    return build_column(
        facts.outcomes_by_player,
        scores_after_each_round(facts),
        make_sum_function(parts=2, decimals=1),
        cuts_for_code(code),
        weights=1,
    )


def rounds_elected_to_play(facts: StandingsInputs, code: TieBreakCode) -> TieBreakColumn:
    """Article 7.6, REP: the rounds less half-point and zero-point byes and forfeit losses."""
    return _count(facts, lambda outcome: not outcome.is_voluntary)


def standard_points(facts: StandingsInputs, code: TieBreakCode) -> TieBreakColumn:
    """Article 7.7, STD: 1 for outscoring the opponent, ½ for equal points. Unplayed games are compared with a draw."""

    def terms_of(tpn: PairingNumber) -> Sequence[TieBreakContribution]:
        return [
            TieBreakContribution(outcome.number, outcome.opponent, 0, gained, TieBreakBasis.OWN, points=outcome.points)
            for outcome in facts.outcomes_by_player[tpn]
            if (gained := _standard(facts, outcome))
        ]

    return build_column(facts.outcomes_by_player, terms_of, make_sum_function(parts=2, decimals=1), no_cuts)


def pairing_number(facts: StandingsInputs, code: TieBreakCode) -> TieBreakColumn:
    """Article 7.8, TPN: the smaller number first, or the larger with `/R`."""
    return column_without_working({tpn: sort_value(tpn, descending=code.reverse) for tpn in facts.outcomes_by_player})


def scores_after_each_round(facts: StandingsInputs) -> TermsByPlayer:
    """Return a function that gives a player's scores after each round, weighted so that cuts drop the first ones."""
    return lambda tpn: [
        TieBreakContribution(number, outcome.opponent, number, running, TieBreakBasis.OWN, points=outcome.points)
        for number, (running, outcome) in enumerate(
            zip(facts.points_after_each_round[tpn], facts.outcomes_by_player[tpn], strict=True), start=1
        )
    ]


def _count(facts: StandingsInputs, counts: Callable[[RoundOutcome], bool]) -> TieBreakColumn:
    """Return a column with the number of rounds that count."""

    def terms_of(tpn: PairingNumber) -> Sequence[TieBreakContribution]:
        return [
            TieBreakContribution(outcome.number, outcome.opponent, 0, 1, TieBreakBasis.OWN, points=outcome.points)
            for outcome in facts.outcomes_by_player[tpn]
            if counts(outcome)
        ]

    return build_column(
        facts.outcomes_by_player, terms_of, lambda counted: whole_number_value(len(counted)), no_cuts, values=1
    )


def _standard(facts: StandingsInputs, outcome: RoundOutcome) -> HalfPoints:
    if outcome.is_pending:
        return 0
    against = facts.point_system.draw
    if outcome.is_played and outcome.opponent is not None:
        against = facts.outcomes_by_player[outcome.opponent][outcome.number - 1].points
    return 2 if outcome.points > against else 1 if outcome.points == against else 0


def koya_score(facts: StandingsInputs, code: TieBreakCode) -> TieBreakColumn:
    """Article 9.2, KS: points against opponents with at least half of the possible points.

    The limit is moved by half points (14.5), that is, by the points of a draw. It is meant for round robins; a forfeit
    counts against its opponent. In a round robin nobody can score in a round in which they rest.
    """
    moved = 2 * facts.point_system.draw * code.limit

    def twice_limit(opponent: PairingNumber) -> int:
        games = facts.rounds_paired
        if facts.are_pairings_fixed:
            games = sum(outcome.opponent is not None for outcome in facts.outcomes_by_player[opponent])
        return facts.point_system.win * games + moved

    def terms_of(tpn: PairingNumber) -> Sequence[TieBreakContribution]:
        return [
            TieBreakContribution(
                number, opponent, facts.points_by_player[opponent], points, TieBreakBasis.OPPONENT, points=points
            )
            for number, opponent, points, *_ in facts.outcomes_by_player[tpn]
            if opponent is not None
        ]

    def split_by_score_limit(of_player: Sequence[TieBreakContribution]) -> KeptAndCutTerms:
        below = [
            term for term in of_player if term.opponent is not None and 2 * term.weight < twice_limit(term.opponent)
        ]
        kept = [term for term in of_player if term not in below]
        return kept, [(term, CutReason.BELOW_LIMIT) for term in below]

    return build_column(
        facts.outcomes_by_player, terms_of, make_sum_function(parts=2, decimals=1), split_by_score_limit
    )


def drawn_lot_number(facts: StandingsInputs, code: TieBreakCode, groups: TiedGroups) -> TieBreakColumn:
    """LOT: the smaller number comes first. Lots are drawn once, outside this module.

    Only players still tied have a value; those among them without a lot stay tied, behind the others.
    """
    values = dict.fromkeys(facts.outcomes_by_player, NO_VALUE)
    for group in groups:
        if len(group) > 1:
            values |= {tpn: sort_value(facts.lots[tpn], descending=False) for tpn in group if tpn in facts.lots}
    return column_without_working(values)
