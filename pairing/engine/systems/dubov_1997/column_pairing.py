"""Pairing of the two columns from the top, with as few pairs inside a column as possible (6.2 and 6.3)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice

from pairing.engine.matching import MaximumMatching, MinConflictMatching, bitmask_members, bitmask_of
from pairing.engine.paired_round import DecisionCause, PairingReason, ReasonFact, ReasonKind, make_reason
from pairing.engine.rule_interpretations import ARO_TIE_ORDER, format_interpretation
from pairing.engine.rules.compatibility import CompatibilityGraph, leftover_pair_facts
from pairing.engine.systems.dubov_1997.colour_columns import ColourColumns
from pairing.engine.systems.dubov_1997.opponent_ratings import average_rating_facts
from pairing.engine.systems.dubov_1997.procedure_state import (
    DubovEvent,
    Pair,
    ScoreGroupInProgress,
    article_reference,
    explain_passed_over,
)


def pair_colour_columns(columns: ColourColumns, group: ScoreGroupInProgress, event: DubovEvent) -> Iterator[Pair]:
    """Pair White-due players in turn with the first possible opponent, then the remaining Black-due ones (6.2, 6.3)."""
    rows = _Rows(columns, group, event)
    whites, blacks = list(columns.whites), list(columns.blacks)
    while whites:
        chooser = whites.pop(0)
        yield rows.pair_chooser(chooser, blacks, whites)
    while blacks:
        chooser = blacks.pop(0)
        yield rows.pair_chooser(chooser, blacks, [])


class _Rows:
    """Builds pairs with reasons from the turns of the columns."""

    def __init__(self, columns: ColourColumns, group: ScoreGroupInProgress, event: DubovEvent) -> None:
        self._columns = columns
        self._group = group
        self._event = event
        # The remaining players get their own numbers, which keeps bitmasks short.
        places = [*bitmask_members(group.matching.alive)]
        self._numbers = {place: number for number, place in enumerate(places)}
        self._company = CompatibilityGraph([event.entrants[place].contender for place in places])
        whites, blacks = (
            bitmask_of(self._numbers[place] for place in line) for line in (columns.whites, columns.blacks)
        )
        self._clashes = MinConflictMatching(self._company.neighbour_masks, whites, blacks)
        # Compatibility only, updated only when a refusal needs an explanation.
        self._matching: MaximumMatching = group.matching
        self._to_set_aside: list[tuple[int, int]] = []

    def pair_chooser(self, chooser: int, first: list[int], then: list[int]) -> Pair:
        """Pair a player with the first of two lists who leaves the rest pairable with the fewest clashes (6.3).

        The opponent is removed from their list.
        """
        tried = 0

        def candidates() -> Iterator[int]:
            nonlocal tried
            for candidate in chain(first, then):
                tried += 1
                yield self._numbers[candidate]

        self._clashes.fix_first_possible_pair(self._numbers[chooser], candidates())
        passed = [*islice(chain(first, then), tried - 1)]
        line, index = (first, tried - 1) if tried <= len(first) else (then, tried - 1 - len(first))
        opponent = line.pop(index)
        over = self._passed_over(chooser, passed)
        self._to_set_aside.append((chooser, opponent))
        one, other = self._event.entrants[chooser], self._event.entrants[opponent]
        so_read = bool(self._columns.interpretation_dependent & {chooser, opponent})
        why = make_reason(
            article_reference("6.3" if over or line is then else "6.2"),
            ReasonKind.OPPONENT,
            one.tpn,
            other.tpn,
            step="correction" if over or line is then else "first try",
            place=tried,
            rating=other.rating,
            **average_rating_facts(one.average),
            **(
                {"reading": format_interpretation(ARO_TIE_ORDER, self._event.interpretations[ARO_TIE_ORDER])}
                if so_read
                else {}
            ),
        )
        notes = self._columns.notes
        return Pair(chooser, opponent, self._group, (*notes.get(chooser, ()), *notes.get(opponent, ()), why, *over))

    def _passed_over(self, chooser: int, passed: list[int]) -> tuple[PairingReason, ...]:
        entrants = self._event.entrants
        compatible = self._company.neighbour_masks[self._numbers[chooser]]
        leave_a_rest = 0
        if any(compatible >> self._numbers[candidate] & 1 for candidate in passed):
            leave_a_rest = self._partners(chooser)

        def told(candidate: int) -> PairingReason:
            one, other = entrants[chooser], entrants[candidate]
            if leave_a_rest >> candidate & 1:
                return explain_passed_over(one, other, "6.3", DecisionCause.MORE_CLASHES)
            return explain_passed_over(
                one, other, "6.3", DecisionCause.BLOCKS_GROUP, **self._last_two(chooser, candidate)
            )

        return tuple(told(candidate) for candidate in passed)

    def _last_two(self, chooser: int, candidate: int) -> dict[str, ReasonFact]:
        """Return the last two players who would be left with each other, if four are left."""
        left = [*bitmask_members(self._matching.alive & ~(1 << chooser | 1 << candidate))]
        if self._to_set_aside or len(left) != 2:
            return {}
        return leftover_pair_facts(*(self._event.entrants[one].contender for one in left))

    def _partners(self, chooser: int) -> int:
        """Bitmask of the chooser's possible partners if colours are ignored."""
        for one, other in self._to_set_aside:
            self._matching.remove_vertices(one, other)
        self._to_set_aside.clear()
        return self._matching.possible_partners(chooser)
