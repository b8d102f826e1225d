"""The evidence of the 1992 rules, bracket by bracket, found by running the literal twin's loops."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, islice

from pairing.engine.paired_round import DecisionCause, PairingReason, ReasonFact, ReasonKind
from tests.pairing.engine.literal.dutch_1992 import TOLERANCES, Bracket, Procedure, exchanges
from tests.pairing.engine.reason_checks import RoundChecker

TOLD = 20

FOR_OTHERS = (
    DecisionCause.BLOCKS_GROUP,
    DecisionCause.LOOK_AHEAD,
    DecisionCause.MORE_FLOATS,
    DecisionCause.SAME_DUE_COLOUR,
    DecisionCause.MORE_CLASHES,
)
"""Causes of passing over that are no matter of the two alone."""

Place = tuple[object, ...]
"""Where a candidate stands: look-ahead, x, upfloats, pairs of those moved down, downfloats, exchange, the rest."""

CAUSE_AT = {
    1: (DecisionCause.MORE_CLASHES, None),
    2: (DecisionCause.MORE_FLOATS, None),
    3: (DecisionCause.BETTER_CANDIDATE, "moved_down"),
    4: (DecisionCause.FLOATED_BEFORE, None),
    5: (DecisionCause.BETTER_CANDIDATE, "exchange"),
    6: (DecisionCause.BETTER_CANDIDATE, "transposition"),
}
"""The cause by the first loop in which a candidate falls behind the one taken."""


class BracketEvidence:
    """One bracket of a paired round, according to the reasons."""

    def __init__(self, checker: RoundChecker, rules: Procedure, score: int) -> None:
        facts = checker.world.facts
        self.checker = checker
        came = [
            tpn
            for tpn, floats in checker.floats.items()
            if any(why.get_fact("to_half_points") == score for why in floats)
        ]
        present = facts.to_pair
        scores = sorted({checker.world.score[tpn] for tpn in present if checker.world.score[tpn] < score})
        self.bracket = Bracket(
            rules,
            frozenset(came),
            rules.of_score(score),
            rules.of_score(scores[-1]) if scores else frozenset(),
            frozenset(tpn for tpn in present if checker.world.score[tpn] < score),
        )
        chosen = [
            next(why for why in game.reasons if why.kind is ReasonKind.OPPONENT)
            for game in sorted(checker.made.games, key=lambda game: game.formation_number)
            if any(why.kind is ReasonKind.SCORE_GROUP and why.get_fact("half_points") == score for why in game.reasons)
        ]
        self.pairs = [why.players for why in chosen]
        self.gone = frozenset(self.bracket.members) - {tpn for pair in self.pairs for tpn in pair}
        moved = self.bracket.moved_down
        said = {why.players[0] for why in chosen if why.get_fact("step") == "moved down"}
        self.upper = [tpn for tpn in self.bracket.members if tpn in said]
        assert self.upper == self.bracket.members[: len(self.upper)], "the highest of them come first"
        assert said <= moved
        assert not said or 2 * len(moved) < len(self.bracket.members)
        self.made = self._first(self.gone)

    def check(self, why: PairingReason) -> None:
        """Why a player stayed: in which loop the first candidate with that player as floater is worse."""
        kept = why.players[0]
        first = self._first(self.gone - {self._floater(why)} | {kept})
        stated = (why.get_fact("because"), why.get_fact("rule"))
        assert self.made is not None
        if stated[0] is DecisionCause.FLOATED_BEFORE:
            back = self.checker.world.facts.round_number - why.get_fact("round")
            assert back in TOLERANCES[int(str(self.made[4]))], "no such tolerance was in force"
            assert first is not None, "C13 and the pairs come before floats"
        if stated[0] is DecisionCause.LOOK_AHEAD:
            over = self.gone - {self._floater(why)} | {kept}
            assert not self.bracket.may_leave(over, (), look_ahead=True), why
            assert self.bracket.may_leave(over, (), look_ahead=False), why
            assert self.made[0] == 0
            return
        if first is None:
            assert stated[0] in (DecisionCause.BLOCKS_REST, DecisionCause.BLOCKS_GROUP), why
            return
        assert stated[0] not in (DecisionCause.BLOCKS_GROUP, DecisionCause.BLOCKS_REST), why
        behind = next(index for index, (one, other) in enumerate(zip(first, self.made, strict=True)) if one != other)
        assert first > self.made
        assert stated == CAUSE_AT.get(behind), (why, first, self.made)
        if why.get_fact("chooser") is not None:
            assert self._changed_pair(first, behind) == tuple(
                why.get_fact(name) for name in ("chooser", "first", "then")
            ), (why, first, self.made)

    def _changed_pair(self, first: Place, behind: int) -> tuple[int, ...]:
        """The first pair that another candidate makes otherwise, and whom it gives its chooser."""
        assert self.made is not None
        ours, theirs = self.made[behind], first[behind]
        assert isinstance(ours, list)
        assert isinstance(theirs, list)
        turn = next(place for place, (one, other) in enumerate(zip(ours, theirs, strict=True)) if one != other)
        if behind == 3:
            return *self.pairs[turn], self.bracket.members[theirs[turn]]
        halves = exchanges(tuple(self._group()), len(self.pairs) - len(self.upper))
        _, lower = next(islice(halves, int(str(self.made[5])), None))
        return *self.pairs[len(self.upper) + turn], lower[theirs[turn]]

    def _floater(self, why: PairingReason) -> int:
        (floater,) = self.gone
        assert why.kind is ReasonKind.BYE_PASSED_OVER or why.players[1] == floater
        return floater

    def check_exchanges(self, tried: list[PairingReason], more: PairingReason | None, *, only_first: bool) -> None:
        """Every exchange before the chosen one, in order, with the reason why it fails.

        `only_first`: pairs of other players only say why there had to be an exchange.
        """
        assert self.made is not None
        group = self._group()
        index = int(str(self.made[5]))
        earlier = list(islice(exchanges(tuple(group), len(self.pairs) - len(self.upper)), index))
        assert len(tried) == (1 if only_first else min(TOLD, len(earlier)))
        if not only_first:
            assert (more.get_fact("count") if more else 0) == min(len(earlier), 200) - len(tried)
        top = frozenset(group[: len(self.pairs) - len(self.upper)])
        for why, (s1, s2) in zip(tried, earlier, strict=False):
            leaving = why.get_fact("leaving")
            assert set(why.players[:leaving]) == top - set(s1)
            assert set(why.players[leaving:]) == set(s1) - top
            self._check_exchange(why, s1, s2)

    def _check_exchange(self, why: PairingReason, s1: list[int], s2: list[int]) -> None:
        ahead, x, up, _, down, *_ = self.made or ()
        left = int(str(x)) - sum(self.bracket.procedure.clashes(*pair) for pair in self._moved_pairs())

        def possible(clashes: int, ups: int, downs: int, *, legal: bool = True, look_ahead: bool = True) -> bool:
            """Whether the exchange has a candidate with this tolerance."""
            for pairs in self.bracket.transpositions(s1, s2, clashes, TOLERANCES[ups]):
                over = frozenset(s2) - {tpn for pair in pairs for tpn in pair}
                if not legal or self.bracket.may_leave(over, TOLERANCES[downs], look_ahead and not ahead):
                    return True
            return False

        up, down, many = int(str(up)), int(str(down)), len(s1)
        assert not possible(left, up, down), why
        match why.get_fact("because"):
            case DecisionCause.MORE_CLASHES:
                assert not possible(left, 2, 2), "colours come before floats"
                assert possible(many, 2, 2) or len(s2) - len(s1) > 1
            case DecisionCause.MORE_FLOATS:
                assert possible(left, 2, 2) or len(s2) - len(s1) > 1
                others = "B4" if possible(many, up, down) else None
                assert why.players or why.get_fact("others_fail") == others or len(s2) - len(s1) > 1, why
                assert possible(left, up, 2) is not why.article.endswith("C10") or len(s2) - len(s1) > 1, why
            case DecisionCause.LOOK_AHEAD:
                assert not possible(many, 2, 2)
                assert possible(many, 2, 2, look_ahead=False) or len(s2) - len(s1) > 1
            case DecisionCause.BLOCKS_REST:
                assert len(s2) - len(s1) > 1, "with one left over all is known beforehand"
            case _:
                assert not possible(many, 2, 2, look_ahead=False), why

    def check_passed_over(self, why: PairingReason) -> None:
        """B4, C7: whether the others could have been paired without colours, and whose colour mattered."""
        assert self.made is not None
        ahead, _, up, _, down, *_ = self.made
        chooser, candidate = why.players
        clash = self.bracket.procedure.clashes
        opponents: dict[int, int] = dict(self.pairs)
        turn = list(opponents).index(chooser)
        assert candidate not in [tpn for pair in self.pairs[:turn] for tpn in pair]
        first = [*self.pairs[:turn], (chooser, candidate)]
        # C9 relaxes the rule for downfloats only after those moved down have opponents.
        downs = 2 if chooser in self.upper else int(str(down))
        could_be = self._can_go_on(first, int(str(up)), downs, look_ahead=not ahead)
        # If several players are left over, the engine asks for each one separately, so it may consider more possible.
        might_be = self._can_go_on(first, 2, 2, look_ahead=not ahead) or len(self.gone) > 1
        match why.get_fact("because"):
            case DecisionCause.BLOCKS_GROUP:
                assert not self._can_go_on(first, 2, 2, look_ahead=False), why
            case DecisionCause.LOOK_AHEAD:
                assert not ahead, why
                assert not self._can_go_on(first, 2, 2, look_ahead=True), why
                assert self._can_go_on(first, 2, 2, look_ahead=False) or len(self.gone) > 1, why
            case DecisionCause.MORE_FLOATS:
                assert not could_be, why
                assert self._can_go_on(first, 2, 2, look_ahead=not ahead) or len(self.gone) > 1, why
                with_upfloats = self._can_go_on(first, int(str(up)), 2, look_ahead=not ahead)
                assert with_upfloats or why.article.endswith("C10") or len(self.gone) > 1, why
            case DecisionCause.SAME_DUE_COLOUR:
                assert might_be, why
                assert clash(chooser, candidate), why
                assert not clash(chooser, opponents[chooser]), why
            case DecisionCause.MORE_CLASHES:
                assert might_be, why
                assert not clash(chooser, candidate) or clash(chooser, opponents[chooser]), why

    def _can_go_on(self, first: list[tuple[int, int]], up: int, down: int, *, look_ahead: bool) -> bool:
        """Whether a candidate, ignoring colours, begins with these pairs."""
        bracket, upward = self.bracket, TOLERANCES[up]
        if not all(bracket.pair_is_allowed(one, other, upward) for one, other in first):
            return False
        paired = {tpn for pair in first for tpn in pair}
        many = len(self.pairs)
        upper = [one for one, _ in self.pairs if one not in [chooser for chooser, _ in first]]
        moved = [one for one in upper if one in self.upper]
        in_halves = len(first) > len(self.upper)
        lower = [
            tpn
            for tpn in bracket.members
            if tpn not in paired and tpn not in (upper if in_halves else moved) and tpn not in self.upper
        ]
        for pairs in bracket.transpositions(upper if in_halves else moved, lower, many, upward):
            rest = frozenset(lower) - {tpn for pair in pairs for tpn in pair}
            for gone in [rest] if in_halves else self._some_of(rest):
                if not bracket.may_leave(gone, TOLERANCES[down], look_ahead):
                    continue
                if in_halves or bracket.fewest_clashes(rest - gone, upward) is not None:
                    return True
        return False

    def _some_of(self, rest: frozenset[int]) -> Iterator[frozenset[int]]:
        return (frozenset(some) for some in combinations(sorted(rest), len(self.gone)))

    def _moved_pairs(self) -> list[tuple[int, int]]:
        return [(a, b) if a in self.upper else (b, a) for a, b in self.pairs if {a, b} & set(self.upper)]

    def _group(self) -> list[int]:
        """The players who are split into halves: the members without the pairs of those moved down."""
        taken = {tpn for pair in self._moved_pairs() for tpn in pair}
        return [tpn for tpn in self.bracket.members if tpn not in taken]

    def _first(self, gone: frozenset[int]) -> Place | None:
        """The place of the first candidate with as many pairs that leaves exactly these over; None if there is none."""
        return min(self._places(gone), default=None)

    def _places(self, gone: frozenset[int]) -> Iterator[Place]:
        bracket, many = self.bracket, len(self.pairs)
        order = {tpn: place for place, tpn in enumerate(bracket.members)}
        moved, others = self.upper, [tpn for tpn in bracket.members if tpn not in self.upper]
        for ahead in (0, 1):
            for down, tolerance in enumerate(TOLERANCES):
                if not bracket.may_leave(gone, tolerance, not ahead):
                    continue
                for up, upward in enumerate(TOLERANCES):
                    if bracket.fewest_clashes(frozenset(bracket.members) - gone, upward) is None:
                        continue
                    for firsts in bracket.transpositions(moved, others, many, upward):
                        taken = {tpn for pair in firsts for tpn in pair}
                        if taken & gone:
                            continue
                        rest = [tpn for tpn in bracket.members if tpn not in taken]
                        spent = sum(bracket.procedure.clashes(*pair) for pair in firsts)
                        least = bracket.fewest_clashes(frozenset(rest) - gone, upward)
                        if least is None:
                            continue
                        yield from self._in_rest(
                            (ahead, spent + least, up, [order[b] for _, b in firsts], down), rest, gone, upward, least
                        )

    def _in_rest(
        self, place: Place, rest: list[int], gone: frozenset[int], upward: tuple[int, ...], least: int
    ) -> Iterator[Place]:
        """The first exchange of the remainder, and its first transposition."""
        for index, (s1, s2) in enumerate(exchanges(tuple(rest), len(self.pairs) - len(self.upper))):
            for pairs in self.bracket.transpositions(s1, s2, least, upward):
                if frozenset(s2) - {tpn for pair in pairs for tpn in pair} == gone:
                    where = {tpn: number for number, tpn in enumerate(s2)}
                    yield (*place, index, [where[b] for _, b in pairs])
                    return


def _about(reasons: Sequence[PairingReason], group: object) -> set[int]:
    """The pair, if this group formed it, and those who left the group."""
    told = {
        tpn
        for why in reasons
        if why.kind is ReasonKind.SCORE_GROUP and why.get_fact("half_points") == group
        for each in reasons
        if each.kind is ReasonKind.OPPONENT
        for tpn in each.players
    }
    told |= {
        why.players[0]
        for why in reasons
        if why.kind is ReasonKind.FLOATED and why.get_fact("from_half_points") == group
    }
    return told | {why.players[0] for why in reasons if why.kind is ReasonKind.BYE}


def _exchanges_told(
    reasons: Sequence[PairingReason],
) -> Iterator[tuple[ReasonFact, list[PairingReason], PairingReason | None]]:
    """The exchanges that a pair or bye says were tried, group by group, and the reason that counts the others."""
    tried: list[PairingReason] = []
    for why in (*reasons, None):
        told = why is not None and why.kind is ReasonKind.EXCHANGE_TRIED
        if tried and not (told and why.players):
            counted = why if why is not None and why.kind is ReasonKind.EXCHANGES_TRIED else None
            yield tried[0].get_fact("half_points"), tried, counted
            tried = []
        if told:
            tried.append(why)


def check_evidence(checker: RoundChecker) -> set[tuple[object, object]]:
    """All evidence of a round by the 1992 rules. Returns the kinds and causes."""
    rules = Procedure(checker.world.facts, number=checker.world.number)
    brackets: dict[int, BracketEvidence] = {}
    seen: set[tuple[object, object]] = set()

    def bracket_of(score: object) -> BracketEvidence:
        if score not in brackets:
            brackets[int(str(score))] = BracketEvidence(checker, rules, int(str(score)))
        return brackets[int(str(score))]

    lowest = min(checker.world.score[tpn] for tpn in checker.world.facts.to_pair)
    games = [game.reasons for game in checker.made.games]
    for reasons in (*games, *([checker.made.bye.reasons] if checker.made.bye else [])):
        at: object = lowest if any(why.kind is ReasonKind.BYE for why in reasons) else None
        for why in reasons:
            if why.kind is ReasonKind.FLOATED:
                at = why.get_fact("from_half_points")
            if why.kind is ReasonKind.STAYED or (
                why.kind is ReasonKind.BYE_PASSED_OVER
                and why.get_fact("because") is not DecisionCause.HAD_POINT_WITHOUT_PLAY
            ):
                bracket_of(lowest if why.kind is ReasonKind.BYE_PASSED_OVER else at).check(why)
                seen.add((why.get_fact("because"), why.get_fact("rule")))
            if why.kind is ReasonKind.PASSED_OVER and why.get_fact("because") in FOR_OTHERS:
                (group,) = (each.get_fact("half_points") for each in reasons if each.kind is ReasonKind.SCORE_GROUP)
                bracket_of(group).check_passed_over(why)
        for group, tried, more in _exchanges_told(reasons):
            exchanged = {
                why.players[0]
                for why in reasons
                if why.kind is ReasonKind.MOVED_TO_HALF and why.get_fact("half_points") == group
            }
            bracket_of(group).check_exchanges(tried, more, only_first=not exchanged & _about(reasons, group))
            seen |= {("exchange", why.get_fact("because")) for why in tried}
    return seen
