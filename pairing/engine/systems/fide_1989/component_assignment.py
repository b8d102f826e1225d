"""The components that a matching can miss, as an assignment with tests of article 10 as costs.

Either a component is paired *within* the group, with a player outside the component, or one of its players floats. A
floater is paired *beyond*, with a player of the next group, or is *alone* there. These are the seats, in this order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from pairing.engine.matching import MaximumMatching, bitmask_members, bitmask_of
from pairing.engine.rules.min_cost_assignment import MinCostAssignment, RowCosts
from pairing.engine.systems.fide_1989.article_10_tests import FloaterTests


class FloaterTestCosts(NamedTuple):
    """What one floater adds to tests 1 to 3; earlier fields weigh more."""

    floats: int
    moved_without_opponent: int
    moved_with_opponent: int
    resident_without_opponent: int
    floated_before: int


class ComponentChoice(NamedTuple):
    """The decision for a component: how many of its players, in the order of test 5, stay, and who floats."""

    stay: int
    floater: int | None


UNDECIDED_CHOICE = ComponentChoice(0, None)
"""No decision yet."""


class FloaterComponents:
    """A group with `size` floaters, at most one from each of its `components`, in the order of test 5."""

    def __init__(self, outlook: FloaterTests, matching: MaximumMatching, missable: Sequence[int]) -> None:
        self.outlook = outlook
        self.size = matching.deficiency
        self.players = sorted(missable, key=outlook.float_order_key)
        neighbours = outlook.company.neighbour_masks
        blocking = matching.decompose_gallai_edmonds().blocking
        masks = list(_components(bitmask_of(missable), neighbours))
        self.components = len(masks)
        self.component_of = {place: number for number, mask in enumerate(masks) for place in bitmask_members(mask)}
        self._within = [_reached(mask, neighbours) & blocking for mask in masks]
        self._members: list[list[int]] = [[] for _ in masks]
        for place in self.players:
            self._members[self.component_of[place]].append(place)

    def find_cheapest_assignment(self, cost: Callable[[int], int]) -> ComponentAssignment:
        """Find the cheapest assignment by tests 1 to 3, then by a cost (0 to 2) of the colour weight."""
        scale = 1 + 2 * self.components
        by_choice = [
            self._offers(component, {place: cost(self.outlook.due_colour_weight(place)) for place in places}, scale)
            for component, places in enumerate(self._members)
        ]
        seats = self._first_alone + self.components
        return ComponentAssignment(by_choice, seats, scale)

    @property
    def _first_alone(self) -> int:
        return len(self.outlook.company.players) + self.outlook.next_group_size

    def _offers(self, component: int, costs: dict[int, int], scale: int) -> dict[ComponentChoice, RowCosts]:
        """Return the seats and prices for every choice of a component."""
        offers: dict[ComponentChoice, RowCosts] = {}
        open_to_all = {0: self._within[component]}
        places = self._members[component]
        offers[ComponentChoice(len(places), None)] = tuple(open_to_all.items())
        for stay in range(len(places) - 1, -1, -1):
            place = places[stay]
            own = tuple(self._ways_of(place, costs[place], scale))
            offers[ComponentChoice(stay, place)] = own
            for price, seats in own:
                open_to_all[price] = open_to_all.get(price, 0) | seats
            offers[ComponentChoice(stay, None)] = tuple(open_to_all.items())
        return offers

    def _ways_of(self, place: int, cost: int, scale: int) -> Iterator[tuple[int, int]]:
        """Yield the prices at which a player floats, with the seats for each."""
        beyond = self.outlook.opponents_in_next_group(place)
        if beyond:
            yield self._price(place, paired=True) * scale + cost, beyond << len(self.outlook.company.players)
        yield self._price(place, paired=False) * scale + cost, 1 << self._first_alone + self.component_of[place]

    def _price(self, place: int, *, paired: bool) -> int:
        """Return a floater's share of tests 1 to 3 as one number, in which no test can outweigh an earlier one."""
        moved = self.outlook.is_incoming_floater(place)
        tests = FloaterTestCosts(
            floats=1,
            moved_without_opponent=moved and not paired,
            moved_with_opponent=moved and paired,
            resident_without_opponent=not moved and not paired,
            floated_before=self.outlook.has_floated_last_round(place),
        )
        price = 0
        for test in tests:
            price = price * (self.components + 1) + test
        return price


class ComponentAssignment:
    """A cheapest assignment of the components, restricted by choices; nothing is chosen at first."""

    def __init__(self, by_choice: Sequence[dict[ComponentChoice, RowCosts]], seats: int, scale: int) -> None:
        self._by_choice = by_choice
        self._scale = scale
        self._assignment = MinCostAssignment([offers[UNDECIDED_CHOICE] for offers in by_choice], seats)
        self._chosen = [UNDECIDED_CHOICE] * len(by_choice)
        self._best, self.total = divmod(self._assignment.total_cost, scale)

    def try_set_choice(self, component: int, choice: ComponentChoice) -> bool:
        """Set a component's choice, unless it makes tests 1 to 3 worse; `total` is the remaining cost."""
        offers = self._by_choice[component]
        if not self._assignment.replace_row_costs(component, offers[choice]):
            return False
        tests, total = divmod(self._assignment.total_cost, self._scale)
        if tests > self._best:
            self._assignment.replace_row_costs(component, offers[self._chosen[component]])
            return False
        self._chosen[component], self.total = choice, total
        return True


def _components(within: int, neighbours: Sequence[int]) -> Iterator[int]:
    """Yield the connected components of some players, as bitmasks."""
    left = within
    while left:
        component = fresh = left & -left
        while fresh:
            fresh = _reached(fresh, neighbours) & within & ~component
            component |= fresh
        yield component
        left &= ~component


def _reached(places: int, neighbours: Sequence[int]) -> int:
    """Bitmask of all players compatible with at least one of these."""
    reached = 0
    for place in bitmask_members(places):
        reached |= neighbours[place]
    return reached
