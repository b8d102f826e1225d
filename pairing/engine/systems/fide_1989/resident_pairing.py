"""Pairing of the remaining residents by two scrutinies (9.4, 11, 12.2, 12.7 and 13).

The first takes each player in turn with the first possible opponent by the exchange tables. The second takes the
pairings with the fewest pairs of equal due colours, and of those the first in the same order.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from itertools import accumulate, chain, islice
from typing import NamedTuple

from pairing.engine.matching import MaximumMatching, MinConflictMatching, bitmask_members, bitmask_of
from pairing.engine.paired_round import (
    DecisionCause,
    PairingReason,
    ReasonEntry,
    ReasonFact,
    ReasonKind,
    make_reason,
    make_single_reason,
)
from pairing.engine.rules.compatibility import (
    CompatibilityGraph,
    find_pairing_obstacle,
    leftover_pair_facts,
    no_legal_round_error,
)
from pairing.engine.rules.players import PairingPlayer
from pairing.engine.rules.rejected_candidates import (
    MAX_LATER_CANDIDATES,
    MAX_SINGLE_REASONS,
    LaterCandidates,
    candidate_facts,
    candidates_near_opponent,
    collect_rejection_reasons,
    take_later_candidates,
)
from pairing.engine.rules.shared_facts import shortage_facts
from pairing.engine.snapshot import Colour
from pairing.engine.systems.fide_1989.procedure_state import (
    MAX_RATING_GAP,
    Fide1989Event,
    Floater,
    MedianSide,
    Pair,
    ScoreBracket,
    article_reference,
    barring_article,
)

FixFirstPossiblePair = Callable[[int, Iterator[int]], int | None]
"""Pairs a player with the first possible candidate and returns that candidate."""


class OpponentChoice(NamedTuple):
    """One player's turn: their opponent, and the candidates skipped before that opponent, in order.

    `later` are the candidates after the opponent.
    """

    chooser: int
    opponent: int
    passed: tuple[int, ...]
    later: LaterCandidates


def pair_residents(
    group: ScoreBracket, company: CompatibilityGraph, matching: MaximumMatching, event: Fide1989Event
) -> Iterator[Pair]:
    """Pair all residents left in the matching, in the order in which pairs are formed."""
    line = list(bitmask_members(matching.alive))
    if not group.side.is_paired_downwards:
        line.reverse()
    allowed = company.neighbour_masks
    first_opponents: dict[int, int] | None = None
    if event.is_maxi:
        first_opponents = first_scrutiny_opponents(line, matching)
        allowed = _near_first_opponents(line, company, first_opponents)
    clashes = MinConflictMatching(
        allowed, company.due_colour_mask(Colour.WHITE), company.due_colour_mask(Colour.BLACK), matching.alive
    )
    scrutiny = _Scrutiny(group, line, company, clashes, matching, event, first_opponents)
    for turn in run_scrutiny(line, clashes.fix_first_possible_pair):
        yield scrutiny.build_pair(turn)


def first_scrutiny_opponents(line: Sequence[int], matching: MaximumMatching) -> dict[int, int]:
    """Return everyone's opponent if colours are ignored (11.1 to 11.3). The matching is left unchanged."""
    opponents: dict[int, int] = {}
    with matching.rollback_on_exit():
        for turn in run_scrutiny(line, matching.fix_first_possible_pair):
            opponents[turn.chooser], opponents[turn.opponent] = turn.opponent, turn.chooser
    return opponents


def run_scrutiny(line: Sequence[int], pair_first: FixFirstPossiblePair) -> Iterator[OpponentChoice]:
    """Give each unpaired player in `line` an opponent, in turn (9.4, 11.2, 11.3).

    The candidates are the other half from its top, then their own half from its bottom. A line from the largest number
    to the smallest gives the mirror image (11.1 b).
    """
    left = list(line)
    while left:
        chooser = left.pop(0)
        half = len(left) // 2
        tried: list[int] = []

        order = (range(half, len(left)), range(half - 1, -1, -1))

        def candidates(order: Sequence[range] = order, tried: list[int] = tried) -> Iterator[int]:
            for index in chain(*order):
                tried.append(index)
                yield left[index]

        pair_first(chooser, candidates())
        *passed, chosen = tried
        rest = (left[index] for index in islice(chain(*order), len(tried), len(tried) + MAX_LATER_CANDIDATES))
        later = take_later_candidates(rest, len(left) - len(tried))
        turn = OpponentChoice(chooser, left[chosen], tuple(left[index] for index in passed), later)
        left.pop(chosen)
        yield turn


def _near_first_opponents(
    line: Sequence[int], company: CompatibilityGraph, first_opponents: dict[int, int]
) -> list[int]:
    """Return the compatibility graph without pairs too far in rating from the first scrutiny's opponents (12.7)."""
    ratings = [player.rating for player in company.players]
    near_mine = _window(line, lambda place: ratings[place])
    near_his = _window(line, lambda place: ratings[first_opponents[place]])
    allowed = [0] * len(ratings)
    for place in line:
        # The rating limit applies to both players' first opponents.
        allowed[place] = (
            company.neighbour_masks[place] & near_mine(ratings[first_opponents[place]]) & near_his(ratings[place])
        )
    return allowed


def _window(line: Sequence[int], value: Callable[[int], int]) -> Callable[[int], int]:
    """Return a function from a rating to a bitmask of the line's players whose value is within the limit."""
    ordered = sorted(line, key=value)
    values = [value(place) for place in ordered]
    up_to = [0, *accumulate((1 << place for place in ordered), int.__or__)]

    def mask_within_rating_gap(rating: int) -> int:
        return (
            up_to[bisect_right(values, rating + MAX_RATING_GAP)] & ~up_to[bisect_left(values, rating - MAX_RATING_GAP)]
        )

    return mask_within_rating_gap


class _Scrutiny:
    """Builds pairs with reasons from the turns of the second scrutiny."""

    def __init__(
        self,
        group: ScoreBracket,
        line: Sequence[int],
        company: CompatibilityGraph,
        clashes: MinConflictMatching,
        matching: MaximumMatching,
        event: Fide1989Event,
        first_opponents: dict[int, int] | None,
    ) -> None:
        self._group = group
        self._company = company
        self._clashes = clashes
        self._event = event
        self._opposite = dict(zip(line, line[len(line) // 2 :], strict=False))
        self._first_opponents = first_opponents
        self._ratings = [player.rating for player in company.players] if event.is_maxi else []
        # Compatibility without colours, updated only when a refusal needs an explanation.
        self._matching = matching
        self._to_set_aside: list[OpponentChoice] = []

    def build_pair(self, turn: OpponentChoice) -> Pair:
        players = self._company.players
        chooser, opponent = players[turn.chooser], players[turn.opponent]
        over = self._all_passed_over(turn)
        self._to_set_aside.append(turn)
        place = len(turn.passed) + 1
        listed = [players[one].tpn for one in candidates_near_opponent(turn.passed, turn.opponent, turn.later)]
        why = make_single_reason(
            article_reference(self._step(over, turn)),
            ReasonKind.OPPONENT,
            chooser.tpn,
            opponent.tpn,
            step="scrutiny",
            place=place,
            order="down" if self._group.side.is_paired_downwards else "up",
            **candidate_facts(listed, turn.later),
        )
        return Pair(chooser, opponent, self._group, (why, *over))

    def _step(self, over: tuple[ReasonEntry, ...], turn: OpponentChoice) -> str:
        """Return the article that gave the opponent: the halves, the exchanges of 11, or the colours."""
        if not over and turn.opponent == self._opposite.get(turn.chooser):
            return "9.4"
        causes = {note.get_fact("because") for note in over}
        if not causes.isdisjoint(_FOR_COLOURS):
            return "12.2"
        if DecisionCause.RATING_GAP in causes:
            return "12.7"
        return "11.2" if self._group.side.is_paired_downwards else "11.1 b"

    def _all_passed_over(self, turn: OpponentChoice) -> tuple[ReasonEntry, ...]:
        """Explain why each earlier candidate was passed over, mostly for the same due colour."""
        if len(turn.passed) <= MAX_SINGLE_REASONS:
            return tuple([self._passed_over(turn, candidate) for candidate in turn.passed])
        players, due = self._company.players, self._company.players[turn.chooser].due_colour
        return collect_rejection_reasons(
            self._company,
            turn.chooser,
            turn.passed,
            partial(self._passed_over, turn),
            alike=() if due is players[turn.opponent].due_colour else self._company.vertices_by_due_colour.get(due, ()),
            single=self._too_far(turn),
        )

    def _too_far(self, turn: OpponentChoice) -> Collection[int]:
        """Return the candidates passed over who are beyond the rating limit (12.7)."""
        if self._first_opponents is None:
            return ()
        # Same test as `_rating_gap`, fast enough for thousands.
        ratings, first = self._ratings, self._first_opponents
        mine, of_mine = ratings[turn.chooser], ratings[first[turn.chooser]]
        return {
            candidate
            for candidate in turn.passed
            if abs(ratings[candidate] - of_mine) > MAX_RATING_GAP
            or abs(mine - ratings[first[candidate]]) > MAX_RATING_GAP
        }

    def _passed_over(self, turn: OpponentChoice, candidate: int) -> PairingReason:
        chooser = turn.chooser
        one, other, opponent = (self._company.players[place] for place in (chooser, candidate, turn.opponent))

        def make_rejection_reason(number: str, cause: DecisionCause, **facts: ReasonFact) -> PairingReason:
            return make_reason(
                article_reference(number), ReasonKind.PASSED_OVER, one.tpn, other.tpn, because=cause, **facts
            )

        if between := find_pairing_obstacle(one, other, any_colour=self._event.any_colour):
            return make_rejection_reason(barring_article(between.cause), between.cause, **between.facts)
        gap = self._rating_gap(chooser, candidate)
        if gap and self._rest_could_be_paired(chooser, candidate):
            return make_rejection_reason("12.7", DecisionCause.RATING_GAP, **gap)
        # If the opponent is due it too, the colour is not the reason.
        if one.due_colour is not None and other.due_colour is one.due_colour is not opponent.due_colour:
            return make_rejection_reason("12.2", DecisionCause.SAME_DUE_COLOUR, colour=one.due_colour.value)
        if not gap and self._rest_could_be_paired(chooser, candidate):
            limit: dict[str, ReasonFact] = {"limit": MAX_RATING_GAP} if self._event.is_maxi else {}
            return make_rejection_reason("12.2", DecisionCause.MORE_CLASHES, **limit)
        return make_rejection_reason("11.4", DecisionCause.BLOCKS_GROUP, **self._last_two(chooser, candidate))

    def _last_two(self, chooser: int, candidate: int) -> dict[str, ReasonFact]:
        """Return the last two players who would be left with each other, if four are left."""
        left = [*bitmask_members(self._matching.alive & ~(1 << chooser | 1 << candidate))]
        if len(left) != 2:
            return {}
        return leftover_pair_facts(*(self._company.players[one] for one in left), any_colour=self._event.any_colour)

    def _rating_gap(self, chooser: int, candidate: int) -> dict[str, ReasonFact]:
        """Return who is too far in rating from the other's opponent of the first scrutiny (12.7). Empty if nobody."""
        if self._first_opponents is None:
            return {}
        ratings, first = self._ratings, self._first_opponents
        for one, other in ((candidate, first[chooser]), (chooser, first[candidate])):
            if (gap := abs(ratings[one] - ratings[other])) > MAX_RATING_GAP:
                players = self._company.players
                return {
                    "gap": gap,
                    "far": (players[one].tpn, players[other].tpn),
                    "far_ratings": (ratings[one], ratings[other]),
                }
        return {}

    def _rest_could_be_paired(self, chooser: int, candidate: int) -> bool:
        for turn in self._to_set_aside:
            self._matching.remove_vertices(turn.chooser, turn.opponent)
        self._to_set_aside.clear()
        return self._matching.can_pair(chooser, candidate)


_FOR_COLOURS = (DecisionCause.SAME_DUE_COLOUR, DecisionCause.MORE_CLASHES)


class WidenedMedian(NamedTuple):
    """The median group with everyone who joined it, and the remaining pairs above and below it."""

    group: ScoreBracket
    above: list[Pair]
    below: list[Pair]


def widen_median_group(
    group: ScoreBracket, above: Sequence[Pair], below: Sequence[Pair], event: Fide1989Event
) -> WidenedMedian:
    """Split pairs, the last formed first, until the blocked median group can be paired.

    `above` and `below` are each side's pairs in the order they were formed. Raises PairingImpossible if all players
    together cannot be paired.
    """
    widened = WidenedMedian(group, list(above), list(below))
    outside = [player for pair in (*above, *below) for player in (pair.chooser, pair.opponent)]
    everyone = CompatibilityGraph((*group.all_players(), *outside), any_colour=event.any_colour)
    matching = MaximumMatching(everyone.complement_graph, bitmask_of(range(len(everyone.players) - len(outside))))
    incoming = list(group.incoming)
    while matching.deficiency:
        if not widened.above and not widened.below:
            raise no_legal_round_error(everyone, article_reference("2"))
        for floater in _split(widened, incoming, group, shortage_facts(everyone, matching)):
            incoming.append(floater)
            matching.add_vertex(everyone.places[floater.player.tpn])
    return widened._replace(group=group.with_incoming_floaters(incoming))


def _split(
    widened: WidenedMedian, incoming: Sequence[Floater], median: ScoreBracket, blocked: dict[str, ReasonFact]
) -> tuple[Floater, Floater]:
    """Split the last pair on the side that sent fewer floaters, or above if neither did."""
    from_above = sum(floater.origin is MedianSide.ABOVE for floater in incoming)
    from_below = len(incoming) - from_above
    below_gives = (from_above > from_below and widened.below) or not widened.above
    pair = widened.below.pop() if below_gives else widened.above.pop()

    def make_floater(player: PairingPlayer, partner: PairingPlayer) -> Floater:
        why = make_reason(
            article_reference("9.6"),
            ReasonKind.FLOATED,
            player.tpn,
            from_half_points=pair.group.score,
            to_half_points=median.score,
            direction="down" if pair.group.side.is_paired_downwards else "up",
            because=DecisionCause.BLOCKED_MEDIAN,
            split=partner.tpn,
            from_above=from_above,
            from_below=from_below,
            **blocked,
        )
        return Floater(player, pair.group.side, (*pair.group.float_reasons(player), why))

    return make_floater(pair.chooser, pair.opponent), make_floater(pair.opponent, pair.chooser)
