"""Articles 6.2 and 6.3: the two columns are paired from the top, with as few pairs inside a column as can be."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice

from pairing.engine.matching import ClashMatching, Matching, mask_of, members
from pairing.engine.paired_round import Cause, Fact, Reason, ReasonKind, reason
from pairing.engine.readings import ROWS, stated
from pairing.engine.rules.compatibility import Company, left_apart
from pairing.engine.systems.dubov_1997.averages import average_facts
from pairing.engine.systems.dubov_1997.columns import Columns
from pairing.engine.systems.dubov_1997.groups import Event, Group, Pair, article, passed_over


def pair_columns(columns: Columns, group: Group, event: Event) -> Iterator[Pair]:
    """6.2, 6.3: each white in turn takes the first he can; blacks left over at the end pair the same way."""
    rows = _Rows(columns, group, event)
    whites, blacks = list(columns.whites), list(columns.blacks)
    while whites:
        chooser = whites.pop(0)
        yield rows.pair(chooser, blacks, whites)
    while blacks:
        chooser = blacks.pop(0)
        yield rows.pair(chooser, blacks, [])


class _Rows:
    """Turns the turns of the columns into pairs with their reasons."""

    def __init__(self, columns: Columns, group: Group, event: Event) -> None:
        self._columns = columns
        self._group = group
        self._event = event
        # Those left of the group under numbers of their own: a bitmask of them is shorter than one of all.
        places = [*members(group.matching.alive)]
        self._numbers = {place: number for number, place in enumerate(places)}
        self._company = Company([event.entrants[place].contender for place in places])
        whites, blacks = (mask_of(self._numbers[place] for place in line) for line in (columns.whites, columns.blacks))
        self._clashes = ClashMatching(self._company.neighbours, whites, blacks)
        # Compatibility alone: asked, and brought up to date, only to explain a refusal.
        self._matching: Matching = group.matching
        self._to_set_aside: list[tuple[int, int]] = []

    def pair(self, chooser: int, first: list[int], then: list[int]) -> Pair:
        """6.3: the first of two lists, from their tops, with whom the rest can be paired with the least clashes.

        He leaves his list.
        """
        tried = 0

        def candidates() -> Iterator[int]:
            nonlocal tried
            for candidate in chain(first, then):
                tried += 1
                yield self._numbers[candidate]

        self._clashes.pair_first(self._numbers[chooser], candidates())
        passed = [*islice(chain(first, then), tried - 1)]
        line, index = (first, tried - 1) if tried <= len(first) else (then, tried - 1 - len(first))
        opponent = line.pop(index)
        over = self._passed_over(chooser, passed)
        self._to_set_aside.append((chooser, opponent))
        one, other = self._event.entrants[chooser], self._event.entrants[opponent]
        so_read = bool(self._columns.otherwise & {chooser, opponent})
        why = reason(
            article("6.3" if over or line is then else "6.2"),
            ReasonKind.OPPONENT,
            one.tpn,
            other.tpn,
            step="correction" if over or line is then else "first try",
            place=tried,
            rating=other.rating,
            **average_facts(one.average),
            **({"reading": stated(ROWS, self._event.readings[ROWS])} if so_read else {}),
        )
        notes = self._columns.notes
        return Pair(chooser, opponent, self._group, (*notes.get(chooser, ()), *notes.get(opponent, ()), why, *over))

    def _passed_over(self, chooser: int, passed: list[int]) -> tuple[Reason, ...]:
        entrants = self._event.entrants
        compatible = self._company.neighbours[self._numbers[chooser]]
        leave_a_rest = 0
        if any(compatible >> self._numbers[candidate] & 1 for candidate in passed):
            leave_a_rest = self._partners(chooser)

        def told(candidate: int) -> Reason:
            one, other = entrants[chooser], entrants[candidate]
            if leave_a_rest >> candidate & 1:
                return passed_over(one, other, "6.3", Cause.MORE_CLASHES)
            return passed_over(one, other, "6.3", Cause.BLOCKS_GROUP, **self._last_two(chooser, candidate))

        return tuple(told(candidate) for candidate in passed)

    def _last_two(self, chooser: int, candidate: int) -> dict[str, Fact]:
        """Who would have been left with whom, where four are left in all."""
        left = [*members(self._matching.alive & ~(1 << chooser | 1 << candidate))]
        if self._to_set_aside or len(left) != 2:
            return {}
        return left_apart(*(self._event.entrants[one].contender for one in left))

    def _partners(self, chooser: int) -> int:
        """With whom he could be paired if colours did not count."""
        for one, other in self._to_set_aside:
            self._matching.set_aside(one, other)
        self._to_set_aside.clear()
        return self._matching.partners(chooser)
