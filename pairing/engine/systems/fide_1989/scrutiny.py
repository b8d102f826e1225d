"""Articles 9.4, 11, 12.2, 12.7 and 13: the residents left are paired by two scrutinies.

The first takes the players in turn, each with the nearest opponent by the exchange tables; the second takes, of the
pairings with the fewest pairs of equal due colours, the first in that same order.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from itertools import accumulate, chain
from typing import NamedTuple

from pairing.engine.matching import ClashMatching, Matching, members
from pairing.engine.paired_round import Cause, Fact, Reason, ReasonKind, reason
from pairing.engine.reason_runs import Told
from pairing.engine.rules.compatibility import Company, left_apart, obstacle
from pairing.engine.rules.passed_over import FEW, tell_all
from pairing.engine.snapshot import Colour
from pairing.engine.systems.fide_1989.groups import RATING_LIMIT, Event, Group, Pair, article, barred_by

PairFirst = Callable[[int, Iterator[int]], int | None]
"""Fix the pair of a player with the first candidate that can be had, and return him."""


class Turn(NamedTuple):
    """One player's turn: whom he was given, and the candidates before that one, in order (places of a company)."""

    chooser: int
    opponent: int
    passed: tuple[int, ...]


def pair_residents(group: Group, company: Company, matching: Matching, event: Event) -> Iterator[Pair]:
    """Pair those the matching still holds, all residents, in the order in which pairs are formed."""
    line = list(members(matching.alive))
    if not group.side.pairs_down:
        line.reverse()
    allowed = company.neighbours
    first_opponents: dict[int, int] | None = None
    if event.maxi:
        first_opponents = first_scrutiny(line, matching)
        allowed = _near_first_opponents(line, company, first_opponents)
    clashes = ClashMatching(allowed, company.due(Colour.WHITE), company.due(Colour.BLACK), matching.alive)
    scrutiny = _Scrutiny(group, company, clashes, matching, event, first_opponents)
    for turn in take_turns(line, clashes.pair_first):
        yield scrutiny.pair(turn)


def first_scrutiny(line: Sequence[int], matching: Matching) -> dict[int, int]:
    """11.1 to 11.3: everyone's opponent if colours were not looked at. The matching is left as it was."""
    opponents: dict[int, int] = {}
    with matching.trial():
        for turn in take_turns(line, matching.pair_first):
            opponents[turn.chooser], opponents[turn.opponent] = turn.opponent, turn.chooser
    return opponents


def take_turns(line: Sequence[int], pair_first: PairFirst) -> Iterator[Turn]:
    """9.4, 11.2, 11.3: the first of the line not yet paired takes his opponent, then the next, to the end.

    With k players left his candidates are the other half from its top, then his own half from its bottom. A
    line from the largest number to the smallest gives the mirror image (11.1 b).
    """
    left = list(line)
    while left:
        chooser = left.pop(0)
        half = len(left) // 2
        tried: list[int] = []

        def candidates(half: int = half, tried: list[int] = tried) -> Iterator[int]:
            for index in chain(range(half, len(left)), range(half - 1, -1, -1)):
                tried.append(index)
                yield left[index]

        pair_first(chooser, candidates())
        *passed, chosen = tried
        turn = Turn(chooser, left[chosen], tuple(left[index] for index in passed))
        left.pop(chosen)
        yield turn


def _near_first_opponents(line: Sequence[int], company: Company, first_opponents: dict[int, int]) -> list[int]:
    """12.7: the compatibility graph without pairs that take someone too far from the opponent of the first scrutiny."""
    ratings = [player.rating for player in company.players]
    near_mine = _window(line, lambda place: ratings[place])
    near_his = _window(line, lambda place: ratings[first_opponents[place]])
    allowed = [0] * len(ratings)
    for place in line:
        # He must be near my first opponent, and I near his.
        allowed[place] = (
            company.neighbours[place] & near_mine(ratings[first_opponents[place]]) & near_his(ratings[place])
        )
    return allowed


def _window(line: Sequence[int], value: Callable[[int], int]) -> Callable[[int], int]:
    """A function that gives, for any rating, the bitmask of those of the line whose value is within the limit of it."""
    ordered = sorted(line, key=value)
    values = [value(place) for place in ordered]
    up_to = [0, *accumulate((1 << place for place in ordered), int.__or__)]

    def near(rating: int) -> int:
        return up_to[bisect_right(values, rating + RATING_LIMIT)] & ~up_to[bisect_left(values, rating - RATING_LIMIT)]

    return near


class _Scrutiny:
    """Turns the turns of the second scrutiny into pairs with their reasons."""

    def __init__(
        self,
        group: Group,
        company: Company,
        clashes: ClashMatching,
        matching: Matching,
        event: Event,
        first_opponents: dict[int, int] | None,
    ) -> None:
        self._group = group
        self._company = company
        self._clashes = clashes
        self._event = event
        self._first_opponents = first_opponents
        self._ratings = [player.rating for player in company.players] if event.maxi else []
        # Compatibility without colours: asked, and brought up to date, only to explain a refusal.
        self._matching = matching
        self._to_set_aside: list[Turn] = []

    def pair(self, turn: Turn) -> Pair:
        players = self._company.players
        chooser, opponent = players[turn.chooser], players[turn.opponent]
        over = self._all_passed_over(turn)
        self._to_set_aside.append(turn)
        place = len(turn.passed) + 1
        why = reason(
            article(self._step(over)),
            ReasonKind.OPPONENT,
            chooser.tpn,
            opponent.tpn,
            step="scrutiny",
            place=place,
            order="down" if self._group.side.pairs_down else "up",
        )
        return Pair(chooser, opponent, self._group, (why, *over))

    def _step(self, over: tuple[Told, ...]) -> str:
        """The article that gave the opponent: the halves, the exchanges of 11, or those for the colours' sake."""
        if not over:
            return "9.4"
        if any(note.fact("because") in _FOR_COLOURS for note in over):
            return "12.2"
        return "11.2" if self._group.side.pairs_down else "11.1 b"

    def _all_passed_over(self, turn: Turn) -> tuple[Told, ...]:
        """Why not any of those before the opponent: mostly for the colour that the chooser is due, too."""
        if len(turn.passed) <= FEW:
            return tuple([self._passed_over(turn, candidate) for candidate in turn.passed])
        players, due = self._company.players, self._company.players[turn.chooser].due_colour
        return tell_all(
            self._company,
            turn.chooser,
            turn.passed,
            partial(self._passed_over, turn),
            alike=() if due is players[turn.opponent].due_colour else self._company.due_to.get(due, ()),
            single=self._too_far(turn),
        )

    def _too_far(self, turn: Turn) -> Collection[int]:
        """12.7: those passed over whom only ratings kept apart, and others who are far as well."""
        if self._first_opponents is None:
            return ()
        # As `_rating_gap`, for thousands at once.
        ratings, first = self._ratings, self._first_opponents
        mine, of_mine = ratings[turn.chooser], ratings[first[turn.chooser]]
        return {
            candidate
            for candidate in turn.passed
            if abs(ratings[candidate] - of_mine) > RATING_LIMIT or abs(mine - ratings[first[candidate]]) > RATING_LIMIT
        }

    def _passed_over(self, turn: Turn, candidate: int) -> Reason:
        chooser = turn.chooser
        one, other, opponent = (self._company.players[place] for place in (chooser, candidate, turn.opponent))

        def because(number: str, cause: Cause, **facts: Fact) -> Reason:
            return reason(article(number), ReasonKind.PASSED_OVER, one.tpn, other.tpn, because=cause, **facts)

        if between := obstacle(one, other, any_colour=self._event.any_colour):
            return because(barred_by(between.cause), between.cause, **between.facts)
        if (gap := self._rating_gap(chooser, candidate)) > RATING_LIMIT:
            return because("12.7", Cause.RATING_GAP, gap=gap)
        # Where the opponent is due it as well, the colour of the one passed over is not what speaks against him.
        if one.due_colour is not None and other.due_colour is one.due_colour is not opponent.due_colour:
            return because("12.2", Cause.SAME_DUE_COLOUR, colour=one.due_colour.value)
        if self._rest_could_be_paired(chooser, candidate):
            return because("12.2", Cause.MORE_CLASHES)
        return because("11.4", Cause.BLOCKS_GROUP, **self._last_two(chooser, candidate))

    def _last_two(self, chooser: int, candidate: int) -> dict[str, Fact]:
        """Who would have been left with whom, where four are left in all."""
        left = [*members(self._matching.alive & ~(1 << chooser | 1 << candidate))]
        if len(left) != 2:
            return {}
        return left_apart(*(self._company.players[one] for one in left), any_colour=self._event.any_colour)

    def _rating_gap(self, chooser: int, candidate: int) -> int:
        """12.7: how far the exchange would take one of the two from the opponent of the first scrutiny."""
        if self._first_opponents is None:
            return 0
        ratings, first = self._ratings, self._first_opponents
        of_mine, of_his = ratings[first[chooser]], ratings[first[candidate]]
        return max(abs(ratings[candidate] - of_mine), abs(ratings[chooser] - of_his))

    def _rest_could_be_paired(self, chooser: int, candidate: int) -> bool:
        for turn in self._to_set_aside:
            self._matching.set_aside(turn.chooser, turn.opponent)
        self._to_set_aside.clear()
        return self._matching.can_pair(chooser, candidate)


_FOR_COLOURS = (Cause.SAME_DUE_COLOUR, Cause.MORE_CLASHES, Cause.RATING_GAP)
