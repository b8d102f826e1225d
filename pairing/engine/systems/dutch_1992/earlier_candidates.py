"""The candidates of a bracket that come before the one taken, and the first rule on which each falls behind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import count, islice
from typing import NamedTuple

from pairing.engine.matching import bitmask_members, bitmask_of
from pairing.engine.paired_round import (
    DecisionCause,
    PairingReason,
    ReasonFact,
    ReasonKind,
    make_reason,
    with_facts,
)
from pairing.engine.rules.exchanges import (
    MAX_COUNTED_EXCHANGES,
    MAX_LISTED_EXCHANGES,
    PlayerExchange,
    earlier_exchanges,
)
from pairing.engine.rules.players import FloatDirection
from pairing.engine.rules.shared_facts import (
    MAX_LISTED_HALF,
    KeptPlayer,
    earlier_float_facts,
    half_facts,
    kept_facts,
)
from pairing.engine.snapshot import PairingNumber
from pairing.engine.systems.dutch_1992.brackets import article_reference
from pairing.engine.systems.dutch_1992.candidate_search import (
    UNRESTRICTED_FLOATS,
    WEAKEST_CRITERIA,
    ActiveCriteria,
    BracketContext,
    SubgroupMasks,
    find_barring_float,
)
from pairing.engine.systems.dutch_1992.candidates import BracketCandidate, S1PlayerChoice
from pairing.engine.systems.dutch_1992.completion_criterion import explain_bye_refusal
from pairing.engine.systems.dutch_1992.lookahead_search import LookaheadCandidateSearch, MinConflictCandidates


def kept_back_facts(
    around: BracketContext, candidate: BracketCandidate, vertices: Iterable[int]
) -> dict[str, ReasonFact]:
    """Return which of some players could not be left over, and why: the bye, floats, lower players."""
    if not candidate.leaving:
        return {}
    kept: list[KeptPlayer] = []
    completed, landed = around.possible_single_downfloaters
    is_single = candidate.leaving.bit_count() == 1
    for vertex in vertices:
        player = around.company.players[vertex]
        back = find_barring_float(player, FloatDirection.DOWN, candidate.terms.down)
        if around.bracket.next_group_residents is None and explain_bye_refusal(player) is not None:
            kept.append(KeptPlayer(player.tpn, DecisionCause.HAD_POINT_WITHOUT_PLAY))
        elif back is not None:
            kept.append(KeptPlayer(player.tpn, DecisionCause.FLOATED_BEFORE, len(player.floats) + 1 - back))
        elif is_single and not completed >> vertex & 1:
            kept.append(KeptPlayer(player.tpn, DecisionCause.BLOCKS_REST))
        elif is_single and candidate.terms.look_ahead and not landed >> vertex & 1:
            kept.append(KeptPlayer(player.tpn, DecisionCause.LOOK_AHEAD))
    return kept_facts(kept)


class CandidateRejection(NamedTuple):
    """The rule that puts a candidate later or rules it out, with details for `better_candidate`.

    `others`: an earlier rule on which other candidates with the same halves fall behind.
    """

    number: str
    cause: DecisionCause
    rule: str | None = None
    others: str | None = None


class EarlierCandidates:
    """A bracket and its first candidate, for checking the candidates that would come before it."""

    def __init__(self, around: BracketContext, candidate: BracketCandidate) -> None:
        self._around = around
        self._candidate = candidate
        self._everyone = (1 << around.bracket.size) - 1
        self._options = LookaheadCandidateSearch(around, candidate.leaving.bit_count())
        self._first = [turn for turn in candidate.turns if turn.is_moved_down]
        self._clashes = sum(around.is_colour_conflict(turn.chooser, turn.opponent) for turn in candidate.turns)
        self._left_over: list[tuple[int, CandidateRejection]] = []
        self._each_left_over = self._go_loop_by_loop()

    # -- Another one left over -------------------------------------------------------------------------------------

    def find_leftover_rejection(self, vertex: int) -> CandidateRejection:
        """Return why a player cannot be the only one left over, although floats, C12 and C13 allow it."""
        for place in count():
            if place == len(self._left_over):
                self._left_over.append(next(self._each_left_over))
            possible, verdict = self._left_over[place]
            if not possible >> vertex & 1:
                return verdict
        raise AssertionError("the last verdict applies to all")

    def find_changed_turn(self, vertex: int, rule: str | None) -> dict[str, ReasonFact]:
        """Return the first pair that would have been different if this player had been the only one left over."""
        players = self._around.company.players
        if rule not in ("moved_down", "transposition") or len(players) > 2 * MAX_LISTED_HALF:
            return {}
        line = self._line(self._candidate.terms, self._moved_down_halves) if rule == "moved_down" else self._halved_line
        line.fix_first_possible_pair(self._leaver, iter([vertex]))
        turns = [turn for turn in self._candidate.turns if turn.is_moved_down is (rule == "moved_down")]
        choosers = bitmask_of(turn.chooser for turn in turns)
        s2 = [
            one
            for one in (range(len(players)) if rule == "moved_down" else self._group)
            if not choosers >> one & 1 and one != vertex
        ]
        for turn in turns:
            then = line.fix_first_possible_pair(turn.chooser, iter(s2))
            if then != turn.opponent:
                chooser, first = players[turn.chooser].tpn, players[turn.opponent].tpn
                return {} if then is None else {"chooser": chooser, "first": first, "then": players[then].tpn}
            s2.remove(then)
        return {}

    @property
    def _moved_down_halves(self) -> SubgroupMasks:
        moved = len(self._first)
        return SubgroupMasks((1 << moved) - 1, self._everyone >> moved << moved, is_s2_separated=False)

    @property
    def _halved_line(self) -> MinConflictCandidates:
        """The candidates of the group with these halves."""
        s1 = self._upper(self._candidate.exchange)
        halves = SubgroupMasks(s1, bitmask_of(self._group) & ~s1, is_s2_separated=True)
        return self._line(self._candidate.terms, halves, bitmask_of(self._group))

    def _go_loop_by_loop(self) -> Iterator[tuple[int, CandidateRejection]]:
        """Yield, loop by loop, who could still be left over, and why the others could not."""
        # Floats of those left over only count after the pairs of moved-down players.
        strict = self._candidate.terms
        terms = strict._replace(down=UNRESTRICTED_FLOATS)
        halves, group = self._moved_down_halves, self._group
        weakest = self._line(WEAKEST_CRITERIA, halves)
        yield weakest.partners_ignoring_colours(self._leaver), CandidateRejection("C6", DecisionCause.BLOCKS_GROUP)
        any_float = weakest
        if terms.look_ahead:
            any_float = self._line(terms._replace(up=UNRESTRICTED_FLOATS), halves)
            landing = CandidateRejection("C12", DecisionCause.LOOK_AHEAD)
            yield any_float.partners_ignoring_colours(self._leaver), landing
        clashes = CandidateRejection("B4", DecisionCause.MORE_CLASHES)
        yield any_float.possible_partners(self._leaver, self._clashes), clashes
        if terms.up != UNRESTRICTED_FLOATS:
            upfloats = CandidateRejection("C10", DecisionCause.MORE_FLOATS)
            yield self._line(terms, halves).possible_partners(self._leaver, self._clashes), upfloats
        left = self._clashes - sum(self._around.is_colour_conflict(turn.chooser, turn.opponent) for turn in self._first)
        everyone = SubgroupMasks(0, self._everyone, is_s2_separated=False)
        moved_down = CandidateRejection("D1", DecisionCause.BETTER_CANDIDATE, "moved_down")
        whole = self._line(terms, everyone, bitmask_of(group))
        yield whole.possible_partners(self._leaver, left), moved_down
        if strict != terms:
            downfloats = CandidateRejection("B5", DecisionCause.FLOATED_BEFORE)
            whole = self._line(strict, everyone, bitmask_of(group))
            yield whole.possible_partners(self._leaver, left), downfloats
        later_exchange = CandidateRejection("D2", DecisionCause.BETTER_CANDIDATE, "exchange")
        yield self._halved_line.possible_partners(self._leaver, left), later_exchange
        yield 0, CandidateRejection("D1", DecisionCause.BETTER_CANDIDATE, "transposition")

    @property
    def _leaver(self) -> int:
        """The vertex for leaving the bracket."""
        return self._around.bracket.size

    def _line(self, terms: ActiveCriteria, halves: SubgroupMasks, alive: int | None = None) -> MinConflictCandidates:
        line = self._options.find_candidates(terms, halves, self._everyone if alive is None else alive)
        if not isinstance(line, MinConflictCandidates):
            raise AssertionError("the candidate itself is left on these terms")
        return line

    def find_pair_rejection(self, turn: S1PlayerChoice, vertex: int) -> CandidateRejection:
        """Return the first loop in which the best candidate with this pair, and those made before it, falls behind."""
        turns = self._candidate.turns
        pairs = [*(each[:2] for each in turns[: turns.index(turn)]), (turn.chooser, vertex)]
        gone = bitmask_of(one for pair in pairs for one in pair)
        made = sum(self._around.is_colour_conflict(*pair) for pair in pairs)
        halves, alive = self._moved_down_halves, self._everyone & ~gone
        if not turn.is_moved_down:
            s1 = self._upper(self._candidate.exchange)
            halves = SubgroupMasks(s1, bitmask_of(self._group) & ~s1, is_s2_separated=True)
        halves = halves._replace(s1=halves.s1 & ~gone, s2=halves.s2 & ~gone)

        def fewest_clashes(terms: ActiveCriteria) -> int | None:
            found = self._options.find_candidates(terms, halves, alive)
            return found.min_conflicts + made if isinstance(found, MinConflictCandidates) else None

        terms = self._candidate.terms
        free = terms._replace(up=UNRESTRICTED_FLOATS, down=UNRESTRICTED_FLOATS)
        least = fewest_clashes(free)
        if least is None:
            if terms.look_ahead and fewest_clashes(WEAKEST_CRITERIA) is not None:
                return CandidateRejection("C12", DecisionCause.LOOK_AHEAD)
            return CandidateRejection("C7", DecisionCause.BLOCKS_GROUP)
        if least > self._clashes:
            return CandidateRejection("B4", DecisionCause.MORE_CLASHES)
        any_down = fewest_clashes(free._replace(up=terms.up))
        number = "C10" if any_down is None or any_down > self._clashes else "C9"
        return CandidateRejection(number, DecisionCause.MORE_FLOATS)

    # -- Earlier exchanges -----------------------------------------------------------------------------------------

    def explain_earlier_exchanges(self) -> Iterator[PairingReason]:
        """Explain why each earlier exchange failed (D2), starting with no exchange."""
        exchange = self._candidate.exchange
        if not exchange.leaving:
            return
        earlier = earlier_exchanges(self._group, self._pairs, exchange)
        for one in islice(earlier, MAX_LISTED_EXCHANGES):
            verdict = self._why_not_exchanged(one)
            players = [self._around.company.players[vertex].tpn for vertex in (*one.leaving, *one.entering)]
            size = len(one.leaving)
            why = make_reason(
                article_reference(verdict.number),
                ReasonKind.EXCHANGE_TRIED,
                *players,
                because=verdict.cause,
                leaving=size,
                half_points=self._around.bracket.score,
            )
            halves = (
                {}
                if size
                else half_facts(self._numbers, self._pairs)
                | kept_back_facts(self._around, self._candidate, self._group)
            )
            if verdict.others and not size:
                halves = {**halves, "others_fail": verdict.others}
            yield with_facts(why, **halves, **self.numbers_behind(verdict.number, verdict.cause, of_halves=True))
        more = sum(1 for _ in islice(earlier, MAX_COUNTED_EXCHANGES - MAX_LISTED_EXCHANGES))
        if more:
            all_counted = more < MAX_COUNTED_EXCHANGES - MAX_LISTED_EXCHANGES
            yield make_reason(article_reference("D2"), ReasonKind.EXCHANGES_TRIED, count=more, at_least=not all_counted)

    def _why_not_exchanged(self, exchange: PlayerExchange) -> CandidateRejection:
        """Return the first rule on which the best candidate with these halves falls behind."""
        around, terms = self._around, self._candidate.terms
        s1 = self._upper(exchange)
        halves = SubgroupMasks(s1, bitmask_of(self._group) & ~s1, is_s2_separated=True)

        def fewest_clashes(terms: ActiveCriteria) -> int | None:
            found = self._options.find_candidates(terms, halves, bitmask_of(self._group))
            return found.min_conflicts if isinstance(found, MinConflictCandidates) else None

        # The loops in their order: look-ahead, colours, upfloats, downfloats. The first is outermost.
        free = terms._replace(up=UNRESTRICTED_FLOATS, down=UNRESTRICTED_FLOATS)
        left = self._clashes - sum(around.is_colour_conflict(turn.chooser, turn.opponent) for turn in self._first)
        least = fewest_clashes(free)
        if least is None:
            if terms.look_ahead and fewest_clashes(WEAKEST_CRITERIA) is not None:
                return CandidateRejection("C12", DecisionCause.LOOK_AHEAD)
            return CandidateRejection("C8", DecisionCause.BLOCKS_GROUP)
        if least > left:
            return CandidateRejection("B4", DecisionCause.MORE_CLASHES)
        if terms == free or ((strict := fewest_clashes(terms)) is not None and strict <= left):
            return CandidateRejection("C13", DecisionCause.BLOCKS_REST)
        others = None if strict is None else "B4"
        any_down = fewest_clashes(free._replace(up=terms.up))
        number = "C10" if any_down is None or any_down > left else "C9"
        return CandidateRejection(number, DecisionCause.MORE_FLOATS, others=others)

    def numbers_behind(self, number: str, cause: DecisionCause, *, of_halves: bool) -> dict[str, ReasonFact]:
        """Return the facts behind a verdict: the number of clashes in the pairing, or who floated before.

        `of_halves` leaves out the pairs of moved-down players.
        """
        if cause is DecisionCause.MORE_CLASHES:
            last = [turn for turn in self._candidate.turns if not (of_halves and turn.is_moved_down)]
            clashes = sum(self._around.is_colour_conflict(turn.chooser, turn.opponent) for turn in last)
            return {"clashes": clashes, "of": len(last)}
        if cause is DecisionCause.MORE_FLOATS:
            terms, players = self._candidate.terms, self._around.company.players
            direction, tolerance = (
                (FloatDirection.UP, terms.up) if number == "C10" else (FloatDirection.DOWN, terms.down)
            )
            group = [players[vertex] for vertex in (self._group if of_halves else range(len(players)))]
            barred = [player for player in group if find_barring_float(player, direction, tolerance) is not None]
            return earlier_float_facts(barred, direction, (1, 2))
        return {}

    @property
    def _numbers(self) -> list[PairingNumber]:
        return [self._around.company.players[vertex].tpn for vertex in self._group]

    @cached_property
    def _group(self) -> list[int]:
        """The members to be split into halves: all, or those left by the moved-down players."""
        gone = bitmask_of(vertex for turn in self._first for vertex in turn[:2])
        return list(bitmask_members(self._everyone & ~gone))

    @property
    def _pairs(self) -> int:
        return len(self._candidate.turns) - len(self._first)

    def _upper(self, exchange: PlayerExchange) -> int:
        """Return S1 after an exchange."""
        return bitmask_of(self._group[: self._pairs]) & ~bitmask_of(exchange.leaving) | bitmask_of(exchange.entering)
