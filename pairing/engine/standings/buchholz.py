"""The Buchholz family and Sonneborn-Berger: FIDE Handbook C.07, articles 8 and 9.1, with article 16."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from pairing.engine.snapshot import PairingNumber
from pairing.engine.standings.codes import Edition, TieBreakCode
from pairing.engine.standings.columns import (
    NO_VALUE,
    Column,
    Term,
    TermsOf,
    TieBreakValue,
    column_of,
    cuts_of,
    exactly,
    keep_all,
    total,
)
from pairing.engine.standings.facts import StandingsFacts
from pairing.engine.standings.outcomes import Outcome
from pairing.engine.standings.unplayed import Basis, dummy_score


def buchholz(facts: StandingsFacts, code: TieBreakCode) -> Column:
    """Article 8.1, BH: the sum of the opponents' scores; with `/F` that of article 8.3."""
    return column_of(
        facts.outcomes, _opponents_scores(facts, code, fore=code.fore), total(parts=2, decimals=1), cuts_of(code)
    )


def fore_buchholz(facts: StandingsFacts, code: TieBreakCode) -> Column:
    """Article 8.3, FB: Buchholz as if all games paired for the final round had been drawn."""
    return column_of(
        facts.outcomes, _opponents_scores(facts, code, fore=True), total(parts=2, decimals=1), cuts_of(code)
    )


def average_of_opponents_buchholz(facts: StandingsFacts, code: TieBreakCode) -> Column:
    """Article 8.2, AOB: the average Buchholz (`/F`: Fore Buchholz) of the opponents met over the board.

    Kept exactly; shown to as many decimals as tell averages of so many games apart.
    """
    decimals = 2 if facts.rounds < 9 else 3 if facts.rounds < 27 else 4
    return column_of(facts.outcomes, _buchholz_of_opponents(facts, code), _average_of_halves(decimals), keep_all)


def sum_of_buchholz(facts: StandingsFacts, code: TieBreakCode) -> Column:
    """SOB: the sum of the Buchholz of the opponents met; in editions of C.07 before 2023, no longer in force."""
    return column_of(facts.outcomes, _buchholz_of_opponents(facts, code), total(parts=2, decimals=1), keep_all)


def sonneborn_berger(facts: StandingsFacts, code: TieBreakCode) -> Column:
    """Article 9.1, SB: each opponent's score multiplied by the points scored against him."""
    scores_of = _opponents_scores(facts, code, fore=False)

    def terms_of(tpn: PairingNumber) -> Sequence[Term]:
        return [
            Term(number, opponent, score, score * (points or 0), basis, is_voluntary, points)
            for number, opponent, score, _, basis, is_voluntary, points in scores_of(tpn)
        ]

    return column_of(facts.outcomes, terms_of, total(parts=4, decimals=2), cuts_of(code), values=4)


def _opponents_scores(facts: StandingsFacts, code: TieBreakCode, *, fore: bool) -> TermsOf:
    """A player's opponents round by round, with the score each counts for."""
    edition, forfeits_as_played = facts.edition_for(code), code.forfeits_as_played
    made = facts.once(
        ("opponents' scores", fore, edition, forfeits_as_played),
        lambda: _OpponentsScores(facts, edition, fore=fore, forfeits_as_played=forfeits_as_played).of_everyone(),
    )
    return made.__getitem__


class _OpponentsScores:
    """Article 16 applied to every round of everyone."""

    def __init__(self, facts: StandingsFacts, edition: Edition, *, fore: bool, forfeits_as_played: bool) -> None:
        self.facts = facts
        self.scores = facts.fore_scores if fore else facts.adjusted_scores
        self.edition = edition
        self.forfeits_as_played = forfeits_as_played
        self.drawn_round = facts.rounds if fore and facts.is_final_round_paired else None
        self.bases = {
            tpn: Basis.OPPONENT if score == facts.points[tpn] else Basis.ADJUSTED_OPPONENT
            for tpn, score in self.scores.items()
        }

    def of_everyone(self) -> Mapping[PairingNumber, Sequence[Term]]:
        return {
            tpn: [self._term(tpn, outcome) for outcome in outcomes] for tpn, outcomes in self.facts.outcomes.items()
        }

    def _term(self, tpn: PairingNumber, outcome: Outcome) -> Term:
        number, opponent, points, _, is_played, _, is_voluntary, _ = outcome
        if opponent is not None and (is_played or self._counts_as_game(outcome)):
            score = self.scores[opponent]
            basis = self.bases[opponent] if is_played else Basis.SCHEDULED_OPPONENT
            return Term(number, opponent, score, score, basis, False, points)
        score, basis = dummy_score(
            self._own_score(tpn),
            outcome,
            None if opponent is None else self.scores[opponent],
            draws=self.facts.worth.draw * self.facts.rounds,
            edition=self.edition,
        )
        return Term(number, opponent, score, score, basis, is_voluntary, points)

    def _counts_as_game(self, outcome: Outcome) -> bool:
        """A forfeit of the final round that Fore Buchholz has drawn, or any where they count as games."""
        return self.forfeits_as_played or outcome.number == self.drawn_round

    def _own_score(self, tpn: PairingNumber) -> int:
        """The player's points; where the final round is drawn, with the draw of his own game in it."""
        if self.drawn_round and self.facts.outcomes[tpn][-1].opponent is not None:
            return self.scores[tpn]
        return self.facts.points[tpn]


def _buchholz_of_opponents(facts: StandingsFacts, code: TieBreakCode) -> TermsOf:
    """For every game over the board, the opponent's Buchholz."""
    scores_of = _opponents_scores(facts, code, fore=code.fore)
    sums = {tpn: sum([term.value for term in scores_of(tpn)]) for tpn in facts.outcomes}
    return lambda tpn: [
        Term(outcome.number, outcome.opponent, sums[outcome.opponent], sums[outcome.opponent], Basis.OPPONENT)
        for outcome in facts.outcomes[tpn]
        if outcome.is_played and outcome.opponent is not None
    ]


def _average_of_halves(decimals: int) -> Callable[[Sequence[Term]], TieBreakValue]:
    def fold(terms: Sequence[Term]) -> TieBreakValue:
        if not terms:
            return NO_VALUE
        return exactly(Fraction(sum([term.value for term in terms]), 2 * len(terms)), decimals=decimals)

    return fold
