"""Find why a candidate is the first: why nobody else is left over, and why no earlier exchange works."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import combinations, count, islice
from typing import NamedTuple

from pairing.engine.matching import bitmask_members, bitmask_of
from pairing.engine.paired_round import DecisionCause, PairingReason, ReasonKind, make_reason
from pairing.engine.rules.exchanges import PlayerExchange
from pairing.engine.systems.dutch_1992.brackets import article_reference
from pairing.engine.systems.dutch_1992.candidate_search import (
    WEAKEST_CRITERIA,
    ActiveCriteria,
    BracketContext,
    SubgroupMasks,
)
from pairing.engine.systems.dutch_1992.candidates import BracketCandidate
from pairing.engine.systems.dutch_1992.float_rules import UNRESTRICTED_FLOATS
from pairing.engine.systems.dutch_1992.lookahead_search import LookaheadCandidateSearch, MinConflictCandidates

MAX_LISTED_EXCHANGES = 20
"""Up to this many earlier exchanges are listed; the others are only counted."""

MAX_COUNTED_EXCHANGES = 200
"""Counting stops where nobody would read on."""

MAX_NAMED_PLAYERS = 12
"""Name at most this many players who lack opponents below."""


class CandidateRejection(NamedTuple):
    """The rule by which a candidate comes later or fails, with the details for `better_candidate`."""

    number: str
    cause: DecisionCause
    rule: str | None = None


class EarlierCandidates:
    """A bracket and its first candidate, to check those that would come before it."""

    def __init__(self, around: BracketContext, candidate: BracketCandidate) -> None:
        self._around = around
        self._candidate = candidate
        self._everyone = (1 << around.bracket.size) - 1
        self._options = LookaheadCandidateSearch(around, candidate.leaving.bit_count())
        self._first = [turn for turn in candidate.turns if turn.is_moved_down]
        self._clashes = sum(around.is_colour_conflict(turn.chooser, turn.opponent) for turn in candidate.turns)

    # -- Another one left over -------------------------------------------------------------------------------------

    def find_leftover_rejection(self, vertex: int) -> CandidateRejection:
        """Return what stops a player from being the only one left over, if floats, C12 and C13 allow it."""
        return next(verdict for possible, verdict in self._left_over if not possible >> vertex & 1)

    @cached_property
    def _left_over(self) -> list[tuple[int, CandidateRejection]]:
        """Go loop by loop: return who could still be left over, and why the others could not."""
        terms = self._candidate.terms
        halves = SubgroupMasks(
            (1 << len(self._first)) - 1, self._everyone >> len(self._first) << len(self._first), is_s2_separated=False
        )
        any_float = self._line(terms._replace(up=UNRESTRICTED_FLOATS), halves)
        found = [
            (any_float.partners_ignoring_colours(self._leaver), CandidateRejection("C6", DecisionCause.BLOCKS_GROUP)),
            (
                any_float.possible_partners(self._leaver, self._clashes),
                CandidateRejection("B4", DecisionCause.MORE_CLASHES),
            ),
            (
                self._line(terms, halves).possible_partners(self._leaver, self._clashes),
                CandidateRejection("C10", DecisionCause.MORE_FLOATS),
            ),
        ]
        group = self._group
        left = self._clashes - sum(self._around.is_colour_conflict(turn.chooser, turn.opponent) for turn in self._first)
        whole = self._line(terms, SubgroupMasks(0, self._everyone, is_s2_separated=False), bitmask_of(group))
        moved_down = CandidateRejection("D1", DecisionCause.BETTER_CANDIDATE, "moved_down")
        found.append((whole.possible_partners(self._leaver, left), moved_down))
        s1 = self._upper(self._candidate.exchange)
        halved = self._line(terms, SubgroupMasks(s1, bitmask_of(group) & ~s1, is_s2_separated=True), bitmask_of(group))
        later_exchange = CandidateRejection("D2", DecisionCause.BETTER_CANDIDATE, "exchange")
        found.append((halved.possible_partners(self._leaver, left), later_exchange))
        found.append((0, CandidateRejection("D1", DecisionCause.BETTER_CANDIDATE, "transposition")))
        return found

    @property
    def _leaver(self) -> int:
        """The vertex for leaving the bracket."""
        return self._around.bracket.size

    def _line(self, terms: ActiveCriteria, halves: SubgroupMasks, alive: int | None = None) -> MinConflictCandidates:
        line = self._options.find_candidates(terms, halves, self._everyone if alive is None else alive)
        if not isinstance(line, MinConflictCandidates):
            raise AssertionError("the candidate itself is left on these terms")
        return line

    # -- Earlier exchanges -----------------------------------------------------------------------------------------

    def explain_earlier_exchanges(self) -> Iterator[PairingReason]:
        """Explain what each earlier exchange failed on (D2), starting with no exchange."""
        exchange = self._candidate.exchange
        if not exchange.leaving:
            return
        earlier = self._earlier(exchange)
        for one in islice(earlier, MAX_LISTED_EXCHANGES):
            verdict = self._why_not_exchanged(one)
            players = [self._around.company.players[vertex].tpn for vertex in (*one.leaving, *one.entering)]
            size = len(one.leaving)
            yield make_reason(
                article_reference(verdict.number),
                ReasonKind.EXCHANGE_TRIED,
                *players,
                because=verdict.cause,
                leaving=size,
            )
        more = sum(1 for _ in islice(earlier, MAX_COUNTED_EXCHANGES - MAX_LISTED_EXCHANGES))
        if more:
            all_counted = more < MAX_COUNTED_EXCHANGES - MAX_LISTED_EXCHANGES
            yield make_reason(article_reference("D2"), ReasonKind.EXCHANGES_TRIED, count=more, at_least=not all_counted)

    def _why_not_exchanged(self, exchange: PlayerExchange) -> CandidateRejection:
        """Return the strictest demand it cannot meet: colours, floats, lower players, the pairs themselves."""
        around, terms = self._around, self._candidate.terms
        s1 = self._upper(exchange)
        halves = SubgroupMasks(s1, bitmask_of(self._group) & ~s1, is_s2_separated=True)

        def possible(terms: ActiveCriteria) -> bool:
            return self._options.find_candidates(terms, halves, bitmask_of(self._group)) is not None

        if possible(terms):
            left = self._clashes - sum(around.is_colour_conflict(turn.chooser, turn.opponent) for turn in self._first)
            least = self._line(terms, halves, bitmask_of(self._group)).min_conflicts
            return (
                CandidateRejection("B4", DecisionCause.MORE_CLASHES)
                if least > left
                else CandidateRejection("C13", DecisionCause.BLOCKS_REST)
            )
        if possible(terms._replace(up=UNRESTRICTED_FLOATS)):
            return CandidateRejection("C10", DecisionCause.MORE_FLOATS)
        if possible(terms._replace(up=UNRESTRICTED_FLOATS, down=UNRESTRICTED_FLOATS)):
            return CandidateRejection("C9", DecisionCause.MORE_FLOATS)
        if possible(WEAKEST_CRITERIA):
            return CandidateRejection("C12", DecisionCause.LOOK_AHEAD)
        return CandidateRejection("C8", DecisionCause.BLOCKS_GROUP)

    def _earlier(self, made: PlayerExchange) -> Iterator[PlayerExchange]:
        yield PlayerExchange((), ())
        group, pairs = self._group, self._pairs
        upper, lower = group[:pairs], group[pairs:]
        for size in count(1):
            for leaving, entering in _in_table(len(upper), len(lower), size):
                one = PlayerExchange(
                    tuple(sorted(upper[place] for place in leaving)), tuple(sorted(lower[place] for place in entering))
                )
                if one == made:
                    return
                yield one

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


def explain_lack_of_opponents(around: BracketContext) -> PairingReason | None:
    """Explain which lower players have too few opponents among themselves without the bracket (C13)."""
    lacking = around.unpaired.min_returning_players
    if not lacking or around.bracket.next_group_residents is None:
        return None
    players, with_bye = around.unpaired.players_lacking_opponents()
    return make_reason(
        article_reference("C13"),
        ReasonKind.LACK_OPPONENTS,
        *(player.tpn for player in players[:MAX_NAMED_PLAYERS]),
        half_points=around.bracket.score,
        count=lacking,
        of=len(players),
        bye=with_bye,
    )


def _in_table(upper: int, lower: int, size: int) -> Iterator[tuple[Sequence[int], Sequence[int]]]:
    """Yield exchanges of a given size in the order of D2, as places in S1 and S2, from 0."""
    if size == 1:
        # Smaller distances come first, then the lowest of S1. Few are ever needed.
        for distance in range(1, upper + lower):
            for into in range(min(distance, lower) - 1, -1, -1):
                out = upper + into - distance
                if out >= 0:
                    yield (out,), (into,)
        return

    def place(exchange: tuple[Sequence[int], Sequence[int]]) -> tuple[int, list[int], Sequence[int]]:
        out, into = exchange
        return sum(into) + size * upper - sum(out), sorted(-one for one in out), into

    every = [(out, into) for out in combinations(range(upper), size) for into in combinations(range(lower), size)]
    yield from sorted(every, key=place)
