"""The Buchholz family and Sonneborn-Berger: FIDE Handbook C.07, articles 8 and 9.1, with article 16."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from pairing.engine.snapshot import PairingNumber
from pairing.engine.standings.inputs import RoundOutcome, StandingsInputs, TieBreakBasis, dummy_opponent_score
from pairing.engine.standings.tie_break_codes import TieBreakCode, TieBreakEdition
from pairing.engine.standings.tie_break_columns import (
    NO_VALUE,
    TermsByPlayer,
    TieBreakColumn,
    TieBreakContribution,
    TieBreakValue,
    build_column,
    cuts_for_code,
    exact_value,
    make_sum_function,
    no_cuts,
)


def buchholz_score(facts: StandingsInputs, code: TieBreakCode) -> TieBreakColumn:
    """Article 8.1, BH: the sum of the opponents' scores. With `/F`, Fore Buchholz (8.3)."""
    return build_column(
        facts.outcomes_by_player,
        _opponents_scores(facts, code, fore=code.fore),
        make_sum_function(parts=2, decimals=1),
        cuts_for_code(code),
    )


def fore_buchholz_score(facts: StandingsInputs, code: TieBreakCode) -> TieBreakColumn:
    """Article 8.3, FB: Buchholz as if all games paired for the final round had been drawn."""
    return build_column(
        facts.outcomes_by_player,
        _opponents_scores(facts, code, fore=True),
        make_sum_function(parts=2, decimals=1),
        cuts_for_code(code),
    )


def average_buchholz_of_opponents(facts: StandingsInputs, code: TieBreakCode) -> TieBreakColumn:
    """Article 8.2, AOB: the average Buchholz (`/F`: Fore Buchholz) of the opponents met over the board.

    It is kept exactly, and shown with enough decimals to distinguish averages of that many games.
    """
    decimals = 2 if facts.rounds_paired < 9 else 3 if facts.rounds_paired < 27 else 4
    return build_column(
        facts.outcomes_by_player, _buchholz_of_opponents(facts, code), _average_of_halves(decimals), no_cuts
    )


def sum_of_opponents_buchholz(facts: StandingsInputs, code: TieBreakCode) -> TieBreakColumn:
    """SOB: the sum of the Buchholz scores of the opponents met. It was part of C.07 before 2023."""
    return build_column(
        facts.outcomes_by_player, _buchholz_of_opponents(facts, code), make_sum_function(parts=2, decimals=1), no_cuts
    )


def sonneborn_berger_score(facts: StandingsInputs, code: TieBreakCode) -> TieBreakColumn:
    """Article 9.1, SB: the sum of each opponent's score multiplied by the points scored against them."""
    scores_of = _opponents_scores(facts, code, fore=False)

    def terms_of(tpn: PairingNumber) -> Sequence[TieBreakContribution]:
        return [
            TieBreakContribution(number, opponent, score, score * (points or 0), basis, is_voluntary, points)
            for number, opponent, score, _, basis, is_voluntary, points in scores_of(tpn)
        ]

    return build_column(
        facts.outcomes_by_player, terms_of, make_sum_function(parts=4, decimals=2), cuts_for_code(code), values=4
    )


def _opponents_scores(facts: StandingsInputs, code: TieBreakCode, *, fore: bool) -> TermsByPlayer:
    """Return a player's opponents round by round, with the score each counts for."""
    edition, forfeits_as_played = facts.edition_for_code(code), facts.do_forfeits_count(code)
    made = facts.compute_once(
        ("opponents' scores", fore, edition, forfeits_as_played),
        lambda: _OpponentsScores(
            facts, edition, fore=fore, forfeits_as_played=forfeits_as_played
        ).terms_of_all_players(),
    )
    return made.__getitem__


class _OpponentsScores:
    """Article 16 applied to every round of everyone. In a round robin, a round without an opponent adds nothing."""

    def __init__(
        self, facts: StandingsInputs, edition: TieBreakEdition, *, fore: bool, forfeits_as_played: bool
    ) -> None:
        self.facts = facts
        self.scores = facts.scores_with_final_draws if fore else facts.adjusted_scores
        self.edition = edition
        self.forfeits_as_played = forfeits_as_played
        self.drawn_round = facts.rounds_paired if fore and facts.is_final_round_paired else None
        self.bases = {
            tpn: TieBreakBasis.OPPONENT if score == facts.points_by_player[tpn] else TieBreakBasis.ADJUSTED_OPPONENT
            for tpn, score in self.scores.items()
        }

    def terms_of_all_players(self) -> Mapping[PairingNumber, Sequence[TieBreakContribution]]:
        return {
            tpn: [
                self._term(tpn, outcome)
                for outcome in outcomes
                if outcome.opponent is not None or not self.facts.are_pairings_fixed
            ]
            for tpn, outcomes in self.facts.outcomes_by_player.items()
        }

    def _term(self, tpn: PairingNumber, outcome: RoundOutcome) -> TieBreakContribution:
        number, opponent, points, _, is_played, _, is_voluntary, _ = outcome
        if opponent is not None and (is_played or self._counts_as_game(outcome)):
            score = self.scores[opponent]
            basis = self.bases[opponent] if is_played else TieBreakBasis.SCHEDULED_OPPONENT
            return TieBreakContribution(number, opponent, score, score, basis, False, points)
        score, basis = dummy_opponent_score(
            self._own_score(tpn),
            outcome,
            None if opponent is None else self.scores[opponent],
            draws=self.facts.point_system.draw * self.facts.rounds_paired,
            edition=self.edition,
        )
        return TieBreakContribution(number, opponent, score, score, basis, is_voluntary, points)

    def _counts_as_game(self, outcome: RoundOutcome) -> bool:
        """Return True for a final-round forfeit that Fore Buchholz has drawn, or any if forfeits count as games."""
        return self.forfeits_as_played or outcome.number == self.drawn_round

    def _own_score(self, tpn: PairingNumber) -> int:
        """Return the player's points. If the final round is drawn, with the draw of their own game in it."""
        if self.drawn_round and self.facts.outcomes_by_player[tpn][-1].opponent is not None:
            return self.scores[tpn]
        return self.facts.points_by_player[tpn]


def _buchholz_of_opponents(facts: StandingsInputs, code: TieBreakCode) -> TermsByPlayer:
    """Return a function for a player's games over the board, each with the opponent's Buchholz."""
    scores_of = _opponents_scores(facts, code, fore=code.fore)
    sums = {tpn: sum([term.value for term in scores_of(tpn)]) for tpn in facts.outcomes_by_player}
    return lambda tpn: [
        TieBreakContribution(
            outcome.number, outcome.opponent, sums[outcome.opponent], sums[outcome.opponent], TieBreakBasis.OPPONENT
        )
        for outcome in facts.outcomes_by_player[tpn]
        if outcome.is_played and outcome.opponent is not None
    ]


def _average_of_halves(decimals: int) -> Callable[[Sequence[TieBreakContribution]], TieBreakValue]:
    def combine_terms(terms: Sequence[TieBreakContribution]) -> TieBreakValue:
        if not terms:
            return NO_VALUE
        return exact_value(Fraction(sum([term.value for term in terms]), 2 * len(terms)), decimals=decimals)

    return combine_terms
