"""Several floaters at once (article 10): the first set by tests 1 to 5, without trying all sets.

A maximum matching leaves one player over from each odd component it can miss (Gallai and Edmonds). Some components are
instead paired with the players outside. So each component gets either such a player or a floater of its own. The
floater gets an opponent in the next group, or none. The cheapest assignment, with tests 1 to 3 as costs, gives the best
sets. Test 5 then decides player by player: a player floats if a best set remains. An assignment is kept for each
question about the remaining sets.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import TypeAlias

from pairing.engine.matching import MaximumMatching
from pairing.engine.systems.fide_1989.article_10_tests import FloaterTests
from pairing.engine.systems.fide_1989.component_assignment import (
    UNDECIDED_CHOICE,
    ComponentAssignment,
    ComponentChoice,
    FloaterComponents,
)

FloaterPlaces: TypeAlias = tuple[int, ...]
"""Places of floaters among the group's players. An empty tuple means no such set."""


def choose_multiple_floaters(
    outlook: FloaterTests, matching: MaximumMatching, missable: Sequence[int], *, heed_colours: bool
) -> FloaterPlaces:
    """Return the set by tests 1 to 5, with test 4 if `heed_colours`. The matching is left unchanged."""
    ways = FloaterComponents(outlook, matching, missable)
    weights = {outlook.due_colour_weight(place) for place in missable}
    if not heed_colours or len(weights) == 1:
        return _Sets(ways).find_first_set()
    sets = _SetsByColour(ways, all_due=0 not in weights)
    for distance in count():
        found = sets.find_set_by_imbalance(distance)
        if found:
            return found
    raise AssertionError("some set has a balance")


class _Sets:
    """The best sets by tests 1 to 3, reduced by one decision after another."""

    def __init__(self, ways: FloaterComponents) -> None:
        self._ways = ways
        self._choices = [UNDECIDED_CHOICE] * ways.components
        self._taken: list[tuple[int, ComponentChoice]] = []
        self._kept = [ways.find_cheapest_assignment(lambda weight: 0)]

    def find_first_set(self) -> FloaterPlaces:
        """Return the first set by numbers; if there is none, an empty tuple with no decision left."""
        players, size = self._ways.players, self._ways.size
        floating: list[tuple[int, int]] = []
        turn = 0
        while len(floating) < size:
            decisions = len(self._taken)
            if self._decide(players[turn], floats=True):
                floating.append((turn, decisions))
            elif not self._decide(players[turn], floats=False):
                # No set remains, so the last chosen floater must stay.
                while True:
                    if not floating:
                        self._take_back(0)
                        return ()
                    turn, decisions = floating.pop()
                    self._take_back(decisions)
                    if self._decide(players[turn], floats=False):
                        break
            turn += 1
        return tuple(players[turn] for turn, _ in floating)

    def _decide(self, place: int, *, floats: bool) -> bool:
        """Decide about a player if a set remains; players come in the order of test 5."""
        component = self._ways.component_of[place]
        before = self._choices[component]
        if before.floater is not None:
            return not floats
        choice = ComponentChoice(before.stay, place) if floats else ComponentChoice(before.stay + 1, None)
        for number, kept in enumerate(self._kept):
            if not kept.try_set_choice(component, choice):
                self._return_to(before, component, self._kept[:number])
                return False
        if not self._may_hold():
            self._return_to(before, component, self._kept)
            return False
        self._choices[component] = choice
        self._taken.append((component, before))
        return True

    def _may_hold(self) -> bool:
        return True

    def _take_back(self, decisions: int) -> None:
        """Undo all but the first `decisions` decisions."""
        changed = dict(reversed(self._taken[decisions:]))
        del self._taken[decisions:]
        for component, before in changed.items():
            self._choices[component] = before
            self._return_to(before, component, self._kept)

    def _return_to(self, choice: ComponentChoice, component: int, kept: Sequence[ComponentAssignment]) -> None:
        for one in kept:
            one.try_set_choice(component, choice)


class _SetsByColour(_Sets):
    """Sets with the range of their colour surpluses: White-due minus Black-due among the floaters."""

    def __init__(self, ways: FloaterComponents, *, all_due: bool) -> None:
        super().__init__(ways)
        self._whites = ways.find_cheapest_assignment(lambda weight: 1 - weight)
        self._blacks = ways.find_cheapest_assignment(lambda weight: 1 + weight)
        self._kept = [self._whites, self._blacks]
        self._all_due = all_due
        if not all_due:
            self._undue = ways.find_cheapest_assignment(lambda weight: 1 - abs(weight))
            self._coloured = ways.find_cheapest_assignment(abs)
            self._kept += [self._undue, self._coloured]
        self._wanted: set[int] = set()

    def find_set_by_imbalance(self, distance: int) -> FloaterPlaces:
        """Return the first set by numbers that leaves a group with this colour imbalance."""
        surplus = self._ways.outlook.colour_surplus
        self._wanted = {surplus - distance, surplus + distance}
        return self.find_first_set() if self._may_hold() else ()

    def _may_hold(self) -> bool:
        """Return True if the range of surpluses includes a wanted one."""
        size = self._ways.size
        lowest, highest = self._blacks.total - size, size - self._whites.total
        within = {value for value in self._wanted if lowest <= value <= highest}
        undue = 0
        if not self._all_due:
            undue = self._undue.total
            if undue != size - self._coloured.total:
                return bool(within)
        # With a fixed number of players without due colour, all surpluses are odd or all are even.
        return any((size - undue - value) % 2 == 0 for value in within)
