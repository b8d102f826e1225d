"""What shows that a candidate of a bracket is the first: why not another left over, why not an earlier exchange."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import combinations, count, islice
from typing import NamedTuple

from pairing.engine.matching import mask_of, members
from pairing.engine.paired_round import Cause, Reason, ReasonKind, reason
from pairing.engine.rules.exchanges import Exchange
from pairing.engine.systems.dutch_1992.brackets import article
from pairing.engine.systems.dutch_1992.candidates import Candidate
from pairing.engine.systems.dutch_1992.floats import NEITHER
from pairing.engine.systems.dutch_1992.foreseen import Foreseen, ForeseenLine
from pairing.engine.systems.dutch_1992.options import WEAKEST, Halves, Surroundings, Terms

TOLD = 20
"""So many earlier exchanges are told one by one; of more only the number is."""

COUNTED = 200
"""Counting stops where nobody would read on."""

NAMED = 12
"""So many of those in want below are named."""


class Verdict(NamedTuple):
    """The rule by which a candidate comes later or fails, and what `better_candidate` adds to it."""

    number: str
    cause: Cause
    rule: str | None = None


class Evidence:
    """A bracket and its first candidate, asked about those that would stand before it."""

    def __init__(self, around: Surroundings, candidate: Candidate) -> None:
        self._around = around
        self._candidate = candidate
        self._everyone = (1 << around.bracket.size) - 1
        self._options = Foreseen(around, candidate.leaving.bit_count())
        self._first = [turn for turn in candidate.turns if turn.moved_down]
        self._clashes = sum(around.clash(turn.chooser, turn.opponent) for turn in candidate.turns)

    # -- Another one left over -------------------------------------------------------------------------------------

    def why_not(self, vertex: int) -> Verdict:
        """What keeps one player from being the only one left over whom floats, C12 and C13 would let leave."""
        return next(verdict for possible, verdict in self._left_over if not possible >> vertex & 1)

    @cached_property
    def _left_over(self) -> list[tuple[int, Verdict]]:
        """Loop by loop: who could be left over still, and what is said of those who could not."""
        terms = self._candidate.terms
        halves = Halves(
            (1 << len(self._first)) - 1, self._everyone >> len(self._first) << len(self._first), apart=False
        )
        any_float = self._line(terms._replace(up=NEITHER), halves)
        found = [
            (any_float.partners_in_any_colour(self._leaver), Verdict("C6", Cause.BLOCKS_GROUP)),
            (any_float.partners(self._leaver, self._clashes), Verdict("B4", Cause.MORE_CLASHES)),
            (
                self._line(terms, halves).partners(self._leaver, self._clashes),
                Verdict("C10", Cause.MORE_FLOATS),
            ),
        ]
        group = self._group
        left = self._clashes - sum(self._around.clash(turn.chooser, turn.opponent) for turn in self._first)
        whole = self._line(terms, Halves(0, self._everyone, apart=False), mask_of(group))
        moved_down = Verdict("D1", Cause.BETTER_CANDIDATE, "moved_down")
        found.append((whole.partners(self._leaver, left), moved_down))
        s1 = self._upper(self._candidate.exchange)
        halved = self._line(terms, Halves(s1, mask_of(group) & ~s1, apart=True), mask_of(group))
        later_exchange = Verdict("D2", Cause.BETTER_CANDIDATE, "exchange")
        found.append((halved.partners(self._leaver, left), later_exchange))
        found.append((0, Verdict("D1", Cause.BETTER_CANDIDATE, "transposition")))
        return found

    @property
    def _leaver(self) -> int:
        """The vertex that stands for leaving the bracket."""
        return self._around.bracket.size

    def _line(self, terms: Terms, halves: Halves, alive: int | None = None) -> ForeseenLine:
        line = self._options.open(terms, halves, self._everyone if alive is None else alive)
        if not isinstance(line, ForeseenLine):
            raise AssertionError("the candidate itself is left on these terms")
        return line

    # -- Earlier exchanges -----------------------------------------------------------------------------------------

    def tried(self) -> Iterator[Reason]:
        """D2: what every exchange before the one made failed on, none at all first."""
        exchange = self._candidate.exchange
        if not exchange.leaving:
            return
        earlier = self._earlier(exchange)
        for one in islice(earlier, TOLD):
            verdict = self._why_not_exchanged(one)
            players = [self._around.company.players[vertex].tpn for vertex in (*one.leaving, *one.entering)]
            size = len(one.leaving)
            yield reason(
                article(verdict.number), ReasonKind.EXCHANGE_TRIED, *players, because=verdict.cause, leaving=size
            )
        more = sum(1 for _ in islice(earlier, COUNTED - TOLD))
        if more:
            all_counted = more < COUNTED - TOLD
            yield reason(article("D2"), ReasonKind.EXCHANGES_TRIED, count=more, at_least=not all_counted)

    def _why_not_exchanged(self, exchange: Exchange) -> Verdict:
        """The strictest of the demands that it cannot meet: colours, floats, those below, the pairs themselves."""
        around, terms = self._around, self._candidate.terms
        s1 = self._upper(exchange)
        halves = Halves(s1, mask_of(self._group) & ~s1, apart=True)

        def possible(terms: Terms) -> bool:
            return self._options.open(terms, halves, mask_of(self._group)) is not None

        if possible(terms):
            left = self._clashes - sum(around.clash(turn.chooser, turn.opponent) for turn in self._first)
            least = self._line(terms, halves, mask_of(self._group)).least
            return Verdict("B4", Cause.MORE_CLASHES) if least > left else Verdict("C13", Cause.BLOCKS_REST)
        if possible(terms._replace(up=NEITHER)):
            return Verdict("C10", Cause.MORE_FLOATS)
        if possible(terms._replace(up=NEITHER, down=NEITHER)):
            return Verdict("C9", Cause.MORE_FLOATS)
        if possible(WEAKEST):
            return Verdict("C12", Cause.LOOK_AHEAD)
        return Verdict("C8", Cause.BLOCKS_GROUP)

    def _earlier(self, made: Exchange) -> Iterator[Exchange]:
        yield Exchange((), ())
        group, pairs = self._group, self._pairs
        upper, lower = group[:pairs], group[pairs:]
        for size in count(1):
            for leaving, entering in _in_table(len(upper), len(lower), size):
                one = Exchange(
                    tuple(sorted(upper[place] for place in leaving)), tuple(sorted(lower[place] for place in entering))
                )
                if one == made:
                    return
                yield one

    @cached_property
    def _group(self) -> list[int]:
        """The members that are split into halves: all, or those whom the players moved down leave."""
        gone = mask_of(vertex for turn in self._first for vertex in turn[:2])
        return list(members(self._everyone & ~gone))

    @property
    def _pairs(self) -> int:
        return len(self._candidate.turns) - len(self._first)

    def _upper(self, exchange: Exchange) -> int:
        """S1 after an exchange."""
        return mask_of(self._group[: self._pairs]) & ~mask_of(exchange.leaving) | mask_of(exchange.entering)


def in_want(around: Surroundings) -> Reason | None:
    """C13: those below who have too few opponents among themselves, while the bracket is taken out."""
    lacking = around.unpaired.needs
    if not lacking or around.bracket.following is None:
        return None
    players, with_bye = around.unpaired.in_want()
    return reason(
        article("C13"),
        ReasonKind.IN_WANT,
        *(player.tpn for player in players[:NAMED]),
        half_points=around.bracket.score,
        count=lacking,
        of=len(players),
        bye=with_bye,
    )


def _in_table(upper: int, lower: int, size: int) -> Iterator[tuple[Sequence[int], Sequence[int]]]:
    """The exchanges of so many players in the order of D2, as places in S1 and in S2, each from 0."""
    if size == 1:
        # The nearer the two, the earlier; of equal distances the lowest of S1 first. Few are ever asked for.
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
