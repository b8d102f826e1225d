"""The criterion in every reason of `dutch-2026`, found anew with the literal transcription.

What would have been without an exchange, with another floater or with another opponent is the best of all such
candidates. The criterion that decided is the first, in the order of the rules, that this one meets less well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from typing import NamedTuple

from pairing.engine.paired_round import DecisionCause, PairedRound, PairingReason, ReasonKind
from tests.pairing.engine.literal import dutch_2026
from tests.pairing.engine.literal.dutch_2026_exchanges import exchanges
from tests.pairing.engine.reason_checks import OBSTACLES, RoundChecker, all_reasons

FIELDS = ("C10", "C11", "C12", "C13", "C14", "C15", "C16", "C17", "C18", "C19", "C20", "C21")
IN_ORDER = ("4.2", "4.3", "4.4")
"""Where all criteria are kept: what comes first."""
CAUSES = {
    "C4": (DecisionCause.BLOCKS_REST, DecisionCause.BLOCKS_GROUP),
    "C5": (DecisionCause.HIGHER_BYE,),
    "C6": (DecisionCause.BLOCKS_GROUP, DecisionCause.NO_OPPONENT, DecisionCause.ODD_GROUP),
    "C8": (DecisionCause.LOOK_AHEAD,),
}
"""The causes that may cite these criteria; the other criteria cite themselves."""
KEPT_CAUSES = CAUSES | {
    "None": (DecisionCause.BETTER_CANDIDATE,),
    "C12": (DecisionCause.MORE_CLASHES,),
    "C14": (DecisionCause.FLOATED_BEFORE,),
    "C16": (DecisionCause.FLOATED_BEFORE,),
}
Pair = tuple[int, int]
Set = frozenset[int]


class Candidates(NamedTuple):
    """The best of some candidates: the first criterion that it meets less well than the pairing made (None: no one).

    `others`: the first criteria on which the other candidates fail, if earlier than that one.
    """

    fails: str | None
    others: frozenset[str] = frozenset()


class ToldBracket:
    """A bracket of the transcription, its pairs and its downfloaters."""

    def __init__(self, bracket: dutch_2026.Bracket, pairs: list[Pair], downfloaters: Set) -> None:
        self.bracket, self.pairs, self.downfloaters = bracket, pairs, downfloaters
        self.members = bracket.mdps | bracket.residents
        self.next_bracket = cache(bracket.next_bracket)
        self.made = self._of_leavers(downfloaters)

    @property
    def is_lowest(self) -> bool:
        return self.bracket.following is None

    def with_pairs(self, made: list[Pair], one: int, other: int) -> str | None:
        """The criterion that these pairs and this one would have cost, for every choice of players who leave."""
        pairs = [*made, self.bracket.ordered(one, other)]
        left = self.members - {tpn for pair in pairs for tpn in pair}
        if (criterion := self._completed(left)) is not None:
            return criterion
        found = []
        for leaving in map(frozenset, combinations(sorted(left), len(self.downfloaters))):
            best = self.bracket.best(left - leaving)
            if best is not None and self._completed(leaving) is None:
                found.append(self._worse(leaving, self._with(best, pairs)))
        return min(found)[1] if found else "C6"

    def with_leaver(self, leaver: int) -> str | None:
        """What it would have cost if this player had left alone."""
        alone = frozenset((leaver,))
        best = self.bracket.best(self.members - alone)
        if best is None:
            return "C4" if self.is_lowest else "C6"
        return self._completed(alone) or self._worse(alone, best)[1]

    def with_halves(self, upper: Sequence[int], lower: Sequence[int], first: list[Pair], limbo: Set) -> Candidates:
        """What all pairings of these halves would have cost, after the pairs of moved-down players."""
        found = []
        for pairs in self._transpositions(list(upper), list(lower)):
            leaving = limbo | frozenset(lower) - {tpn for pair in pairs for tpn in pair}
            quality = self._with(dutch_2026.NOTHING, [*first, *pairs])
            failed = self._completed(leaving)
            found.append(((-1, failed) if failed else (0, ""), self._worse(leaving, quality)))
        if not found:
            return Candidates("C6")
        legal = [worse for (at, _), worse in found if at == 0]
        if not legal:
            return Candidates(max(failed for (_, failed), _ in found))
        best = min(legal)
        order = (*("C7", "C8", "C9"), *FIELDS)
        firsts = {self._first(quality) for quality, _ in legal}
        return Candidates(best[1], frozenset(f for f in firsts if f and order.index(f) < order.index(best[1] or "C21")))

    def least_leavers(self) -> str | None:
        """Why no fewer players left: C4 or C5; None if C6 wanted as many."""
        for size in range(len(self.downfloaters) - 2, -1, -2):
            for leaving in map(frozenset, combinations(sorted(self.members), size)):
                if self.bracket.best(self.members - leaving) is not None:
                    return "C5" if self._could_with_any_bye(len(self.downfloaters)) else "C4"
        return None

    def _could_with_any_bye(self, less_than: int) -> bool:
        return any(
            self.bracket.bye_score(leaving) is not None and self.bracket.best(self.members - leaving) is not None
            for size in range(less_than - 2, -1, -2)
            for leaving in map(frozenset, combinations(sorted(self.members), size))
        )

    def _completed(self, leaving: Set) -> str | None:
        """C4 and C5: whether those below and these can be paired, and the bye is as low as possible."""
        score = self.bracket.bye_score(leaving)
        if score is None:
            return "C4"
        return "C5" if score != self.bracket.bye_score(self.downfloaters) else None

    def _with(self, quality: dutch_2026.Quality, pairs: Sequence[Pair]) -> dutch_2026.Quality:
        for pair in pairs:
            quality = dutch_2026.added(quality, self.bracket.of_pair(*self.bracket.ordered(*pair)))
        return quality

    def _of_leavers(self, leaving: Set) -> tuple[object, ...]:
        bracket = self.bracket
        alone = len(leaving) == 1 and not bracket.bye_is_below(leaving)
        unplayed = sum(map(bracket.procedure.unplayed, leaving)) if alone else 0
        return bracket.scores(leaving), self.next_bracket(leaving), unplayed

    def _worse(self, leaving: Set, quality: dutch_2026.Quality) -> tuple[tuple[object, ...], str | None]:
        """The whole value of a candidate with as many leavers, and the first criterion it meets less well."""
        value = (*self._of_leavers(leaving), *dutch_2026.added(quality, self.bracket.of_downfloaters(leaving)))
        return value, self._first(value)

    def _first(self, value: tuple[object, ...]) -> str | None:
        wanted = zip(("C7", "C8", "C9", *FIELDS), value, (*self.made, *self.bracket.target), strict=True)
        return next((name for name, had, best in wanted if had != best), None)

    def _transpositions(self, upper: list[int], lower: list[int]) -> Iterator[list[Pair]]:
        if not upper:
            yield []
            return
        for other in lower:
            if self.bracket.may_be_pair(upper[0], other):
                for pairs in self._transpositions(upper[1:], [tpn for tpn in lower if tpn != other]):
                    yield [(upper[0], other), *pairs]


class _Criteria:
    """All reasons of a round that name a criterion."""

    def __init__(self, checker: RoundChecker) -> None:
        self.checker = checker
        self.named: set[str] = set()
        rules = dutch_2026.Procedure(checker.world.facts)
        self.brackets = [ToldBracket(*each) for each in rules.brackets()]

    def check(self) -> set[str]:
        made = self.checker.made
        for told in self.brackets:
            for before, reasons in turns(told, made):
                paired_before = {tpn for pair in before for tpn in pair}
                for why in reasons:
                    if why.kind is ReasonKind.PASSED_OVER and why.players[0] not in paired_before:
                        self._agree(why, told.with_pairs(before, *why.players))
            for why in all_reasons(made):
                self._check_leaving(told, why)
            for reasons in (*(game.reasons for game in made.games), made.bye.reasons if made.bye else ()):
                self._check_exchanges(told, [why for why in reasons if self._is_about(told, why)])
        return self.named

    def _is_about(self, told: ToldBracket, why: PairingReason) -> bool:
        return why.kind is ReasonKind.EXCHANGE_TRIED and why.get_fact("half_points") == told.bracket.resident_score

    def _check_leaving(self, told: ToldBracket, why: PairingReason) -> None:
        """Why a player left, or did not leave instead of another."""
        score = told.bracket.resident_score
        if why.kind is ReasonKind.FLOATED and why.get_fact("from_half_points") == score:
            player = why.players[0]
            others = told.members - {player}
            if not any(told.bracket.may_be_pair(*told.bracket.ordered(player, other)) for other in others):
                expected = "C1" if others else "C6"
                procedure = told.bracket.procedure
                if any(
                    not procedure.facts.met(player, other)
                    and not procedure.facts.forbidden(player, other)
                    and not procedure.may_meet(player, other)
                    for other in others
                ):
                    expected = "C3"
            else:
                expected = told.least_leavers() or "C6"
            self._agree(why, expected)
        if len(told.downfloaters) != 1:
            return
        (gone,) = told.downfloaters
        stayed = why.kind is ReasonKind.STAYED and why.players[1] == gone
        bye = why.kind is ReasonKind.BYE_PASSED_OVER and told.is_lowest
        if (stayed or bye) and why.players[0] in told.members and not why.article.endswith(" C2"):
            self._agree(why, told.with_leaver(why.players[0]))
        if self._is_about(told, why) or (why.kind is ReasonKind.PASSED_OVER and {*why.players} <= told.members):
            kept = why.get_fact("kept")
            causes = str(why.get_fact("kept_because")).split(",")
            for tpn, cause in zip(kept if isinstance(kept, tuple) else (), causes, strict=False):
                if cause != DecisionCause.HAD_POINT_WITHOUT_PLAY:
                    fails = told.with_leaver(tpn)
                    assert DecisionCause(cause) in KEPT_CAUSES.get(str(fails), ()), (why, tpn, cause, fails)

    def _check_exchanges(self, told: ToldBracket, tried: list[PairingReason]) -> None:
        """Every exchange before the one made: the best pairing of its halves."""
        if not tried:
            return
        first = [pair for pair in told.pairs if set(pair) & told.bracket.mdps]
        taken = {tpn for pair in first for tpn in pair}
        remainder = told.bracket.procedure.in_order(told.bracket.residents - taken)
        count = len(told.pairs) - len(first)
        earlier = zip(tried, exchanges(len(remainder), count), strict=False)
        for why, halves in earlier:
            upper, lower = ([remainder[place - 1] for place in half] for half in halves)
            leaving = why.get_fact("leaving")
            top = frozenset(remainder[:count])
            assert {*why.players[:leaving]} == top - {*upper}, why
            assert {*why.players[leaving:]} == {*upper} - top, why
            found = told.with_halves(upper, lower, first, told.downfloaters & told.bracket.mdps)
            self._agree(why, found.fails)
            if not leaving:
                others = why.get_fact("others_fail")
                stated = frozenset(str(others).split(",")) if others else frozenset()
                # Who may leave is told apart.
                assert stated == found.others - {"C7", "C8", "C9"}, (why, found)

    def _agree(self, why: PairingReason, fails: str | None) -> None:
        number = why.article.split()[1]
        cause = why.get_fact("because")
        if cause in OBSTACLES and why.kind is ReasonKind.PASSED_OVER:
            return
        assert (None if number in IN_ORDER else number) == fails, f"{why}: fails {fails}"
        assert cause in CAUSES.get(number, (cause,)), why
        self.named.add(number)


def turns(told: ToldBracket, made: PairedRound) -> Iterator[tuple[list[Pair], Sequence[PairingReason]]]:
    """The pairs before each turn, and the reasons for it: players moved down first, then S1 in order."""
    chosen = {}
    for game in made.games:
        why = next(why for why in game.reasons if why.kind is ReasonKind.OPPONENT)
        chosen[why.players[0]] = (why.players[1], game.reasons)
    pairs: list[Pair] = []
    for chooser in sorted((tpn for tpn in chosen if tpn in told.members), key=told.bracket.numbers.__getitem__):
        opponent, reasons = chosen[chooser]
        if opponent in told.members:
            yield list(pairs), reasons
            pairs.append(told.bracket.ordered(chooser, opponent))


def check_criteria(checker: RoundChecker) -> set[str]:
    """Check every criterion that a round's reasons name. Return these."""
    return _Criteria(checker).check()
