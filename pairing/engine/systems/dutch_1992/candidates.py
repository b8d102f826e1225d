"""The first acceptable candidate of a bracket (C2 to C14), loop by loop.

No loop is run. We search for the value it would stop at. With the numbers of pairs fixed, C11 stops at the fewest
clashing pairs of any candidate, as A8 begins no higher. From then on every candidate has that many. Each further loop
takes the first value that keeps it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from pairing.engine.matching import bitmask_members, bitmask_of
from pairing.engine.rules.exchanges import PlayerExchange, exchange_costs, find_exchange
from pairing.engine.rules.rejected_candidates import (
    MAX_LATER_CANDIDATES,
    LaterCandidates,
    take_later_candidates,
)
from pairing.engine.systems.dutch_1992.candidate_search import (
    FLOAT_TOLERANCES,
    STRICT_FLOAT_TOLERANCE,
    UNRESTRICTED_FLOATS,
    WEAKEST_CRITERIA,
    ActiveCriteria,
    BracketContext,
    CandidateSearch,
    RemainingCandidates,
    SubgroupMasks,
    ensure_found,
)
from pairing.engine.systems.dutch_1992.exact_search import ExactCandidateSearch
from pairing.engine.systems.dutch_1992.lookahead_search import CompletionCandidateSearch, LookaheadCandidateSearch


class S1PlayerChoice(NamedTuple):
    """A player in S1, their opponent, and the players in S2 who were skipped. `later` come after the opponent.

    `any_colour` are those passed over who leave everyone pairable if clashes are ignored. `is_moved_down` is True for
    pairs of moved-down players, made before the remainder.
    """

    chooser: int
    opponent: int
    passed: tuple[int, ...]
    any_colour: frozenset[int]
    is_moved_down: bool
    later: LaterCandidates


class BracketCandidate(NamedTuple):
    """The pairing of a bracket: pairs in the order they were made, and the criteria in force."""

    turns: tuple[S1PlayerChoice, ...]
    leaving: int
    terms: ActiveCriteria
    exchange: PlayerExchange


def find_first_candidate(around: BracketContext) -> BracketCandidate:
    """Find the first candidate, with as many moved-down players in S1 and as many pairs as possible (C3, C14).

    With none in S1, all members form one group.
    """
    moved = around.bracket.moved_down_count if around.bracket.is_heterogeneous else 0
    # Nearly always all of them are in S1 and at most one player is left over.
    candidate = _all_but_one(around, moved)
    if candidate is None and moved:
        moved = around.unpaired.max_floaters_in_s1(around.company.players, moved)
        candidate = _all_but_one(around, moved)
    return candidate or _several_left_over(around, moved)


def _all_but_one(around: BracketContext, moved: int) -> BracketCandidate | None:
    """Find the first candidate that leaves nobody over, or one player in an odd bracket."""
    if around.unpaired.min_returning_players > 1:
        return None
    return find_candidate_with_fixed_counts(LookaheadCandidateSearch(around, around.bracket.size % 2), around, moved)


def _several_left_over(around: BracketContext, moved: int) -> BracketCandidate:
    """Form as many pairs as possible when at least two players are left over (C14)."""
    fewest = around.bracket.size % 2 + 2 if around.unpaired.min_returning_players <= 1 else 0
    left_over = max(fewest, around.unpaired.min_returning_players, around.min_left_over)
    candidate = find_candidate_with_fixed_counts(LookaheadCandidateSearch(around, left_over), around, moved)
    if candidate is not None and _passes(candidate, around):
        return candidate
    if candidate is not None and left_over == around.unpaired.min_returning_players:
        candidate = find_candidate_with_fixed_counts(
            CompletionCandidateSearch(around, look_ahead=candidate.terms.look_ahead), around, moved
        )
        if candidate is not None and _passes(candidate, around):
            return candidate
    return ensure_found(find_candidate_with_fixed_counts(ExactCandidateSearch(around, (1 << moved) - 1), around, moved))


def _passes(candidate: BracketCandidate, around: BracketContext) -> bool:
    """Check C12 and C13 for all who leave together."""
    return around.can_leave_together(candidate.leaving, look_ahead=candidate.terms.look_ahead)


def find_candidate_with_fixed_counts(
    options: CandidateSearch, around: BracketContext, moved: int
) -> BracketCandidate | None:
    """Apply C6 to C11 with the numbers of pairs fixed. Return None if no candidate has these numbers."""
    everyone = (1 << around.bracket.size) - 1
    halves = SubgroupMasks((1 << moved) - 1, everyone >> moved << moved, is_s2_separated=False)
    pairs = (around.bracket.size - options.left_over) // 2
    found = _terms_and_clashes(options, halves, around.bracket.min_colour_conflicts(pairs))
    if found is None:
        return None
    terms, x = found
    turns: list[S1PlayerChoice] = []
    if moved:
        line = ensure_found(options.find_candidates(terms, halves, everyone))
        turns += _take_turns(line, range(moved), halves.s2, moved_down=True)
    x -= sum(around.is_colour_conflict(turn.chooser, turn.opponent) for turn in turns)
    group = [*bitmask_members(everyone & ~bitmask_of(vertex for turn in turns for vertex in turn[:2]))]
    line, terms, exchange, s1 = _split(options, terms, group, pairs - moved, x, everyone)
    s2 = bitmask_of(group) & ~bitmask_of(s1)
    turns += _take_turns(line, s1, s2, moved_down=False)
    leaving = everyone & ~bitmask_of(vertex for turn in turns for vertex in turn[:2])
    return BracketCandidate(tuple(turns), leaving, terms, exchange)


def _terms_and_clashes(
    options: CandidateSearch, halves: SubgroupMasks, least_x: int
) -> tuple[ActiveCriteria, int] | None:
    """Find if the look-ahead can be kept (C12), then x (C11), then the tolerance for upfloats (C10)."""
    everyone = halves.s1 | halves.s2

    def min_conflicts_for(terms: ActiveCriteria) -> int | None:
        line = options.find_candidates(terms, halves, everyone)
        return None if line is None else line.min_conflicts

    terms = ActiveCriteria(look_ahead=True, up=STRICT_FLOAT_TOLERANCE, down=UNRESTRICTED_FLOATS)
    if min_conflicts_for(terms) == least_x:
        return terms, least_x
    terms = WEAKEST_CRITERIA._replace(look_ahead=True)
    x = min_conflicts_for(terms)
    if x is None:
        terms = WEAKEST_CRITERIA
        x = min_conflicts_for(terms)
    if x is None:
        return None
    up = next(up for up in FLOAT_TOLERANCES if min_conflicts_for(terms._replace(up=up)) == x)
    return terms._replace(up=up), x


def _split(
    options: CandidateSearch, terms: ActiveCriteria, group: Sequence[int], pairs: int, x: int, everyone: int
) -> tuple[RemainingCandidates, ActiveCriteria, PlayerExchange, Sequence[int]]:
    """Find the tolerance for downfloats (C9), then the exchange (C8). Return the candidates left, and S1."""
    alive = bitmask_of(group)
    whole = SubgroupMasks(0, everyone, is_s2_separated=False)
    for down in FLOAT_TOLERANCES:
        terms = terms._replace(down=down)
        exchange = PlayerExchange((), ())
        line = _halved(options, terms, alive, group[:pairs])
        if line is not None and line.min_conflicts == x:
            return line, terms, exchange, group[:pairs]
        line = options.find_candidates(terms, whole, alive)
        if line is not None and line.min_conflicts == x:
            exchange = find_first_exchange(options, terms, group, pairs, everyone.bit_length())
            s1 = sorted({*group[:pairs], *exchange.entering} - {*exchange.leaving})
            return ensure_found(_halved(options, terms, alive, s1)), terms, exchange, s1
    raise AssertionError("the players moved down were paired so that the rest can be")


def _halved(
    options: CandidateSearch, terms: ActiveCriteria, alive: int, s1: Sequence[int]
) -> RemainingCandidates | None:
    """Return the candidates of a group with a given S1."""
    upper = bitmask_of(s1)
    return options.find_candidates(terms, SubgroupMasks(upper, alive & ~upper, is_s2_separated=True), alive)


def _take_turns(line: RemainingCandidates, s1: Iterable[int], s2: int, *, moved_down: bool) -> Iterator[S1PlayerChoice]:
    """Give each of S1 in turn the first of S2 that keeps the others as well paired (C7, D1)."""
    left = list(bitmask_members(s2))
    for chooser in s1:
        tried: list[int] = []

        def candidates(tried: list[int] = tried) -> Iterator[int]:
            for vertex in left:
                tried.append(vertex)
                yield vertex

        line.fix_first_possible_pair(chooser, candidates())
        *passed, opponent = tried
        rest = left[len(tried) : len(tried) + MAX_LATER_CANDIDATES]
        later = take_later_candidates(rest, len(left) - len(tried))
        left.remove(opponent)
        any_colour = line.rejected_only_for_colours(chooser, passed)
        yield S1PlayerChoice(chooser, opponent, tuple(passed), any_colour, moved_down, later)


def find_first_exchange(
    options: CandidateSearch, terms: ActiveCriteria, group: Sequence[int], pairs: int, size: int
) -> PlayerExchange:
    """Find the first exchange of D2 in a group whose first `pairs` players are S1.

    `group` holds vertices in A2 order; `size` is the number of all members of the bracket.
    """
    prices = exchange_costs(group, pairs, size)
    return find_exchange(options.find_cheapest_candidate(terms, bitmask_of(group), prices), group, pairs)
