"""Article 10 for several floaters at once: the first set by tests 2 to 5, found without trying all sets.

Any set that a maximum matching leaves over will do for test 1. Such sets are the bases of a matroid, so what a test
counts player by player is settled by taking players in order. That is tried first, as if everyone had an opponent
in the next group; it decides unless opponents there are too few, or the colours ask for a value between the extremes.
Then the set is searched for as a cheapest assignment: the matching leaves over one player of each odd component of the
players it can miss (Gallai and Edmonds), apart from as many components as there are players outside to marry them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from pairing.engine.rules.assignment import cheapest_assignment
from pairing.engine.rules.matching import Matching, mask_of, members
from pairing.engine.systems.fide_1989.outlook import Outlook

Floaters = tuple[int, ...]


def choose_several(outlook: Outlook, matching: Matching, missable: Sequence[int], *, heed_colours: bool) -> Floaters:
    """The set of floaters by all tests; `heed_colours` is test 4, dropped in maxi events (10.2)."""
    found = _by_order(outlook, matching, missable, heed_colours=heed_colours)
    return found or _Search(outlook, matching, missable).first(heed_colours=heed_colours)


def _by_order(outlook: Outlook, matching: Matching, missable: Sequence[int], *, heed_colours: bool) -> Floaters | None:
    """The set that taking players in order gives; None where order alone does not settle it."""

    def take(colour: Callable[[int], int]) -> Floaters:
        order = sorted(
            missable,
            key=lambda place: (
                outlook.has_moved(place),
                outlook.floated_before(place),
                colour(place),
                outlook.preference(place),
            ),
        )
        with matching.trial():
            return tuple(place for place in order if matching.deficiency and matching.leave_out(place))

    chosen = take(lambda place: 0)
    if heed_colours and outlook.imbalance(chosen):
        whites = take(lambda place: -outlook.colour_weight(place))
        blacks = take(outlook.colour_weight)
        if outlook.colour_surplus >= _surplus(outlook, whites):
            chosen = whites
        elif outlook.colour_surplus <= _surplus(outlook, blacks):
            chosen = blacks
        else:
            return None
    settled = outlook.nobody_beyond or len(outlook.with_opponent(chosen)) == len(chosen)
    return chosen if settled else None


def _surplus(outlook: Outlook, places: Iterable[int]) -> int:
    """White-due minus black-due among some players."""
    return sum(outlook.colour_weight(place) for place in places)


class _Limits(NamedTuple):
    """Whom a search has sent out already, and whom it has let stay."""

    out: frozenset[int]
    stay: frozenset[int]


class _Digit(NamedTuple):
    """What a single floater adds to the tests, as digits of one number; the first digit weighs most."""

    floats: int
    moved_without_opponent: int
    moved: int
    resident_without_opponent: int
    floated_before: int
    last: int


class _Search:
    """The exact search: cheapest assignments of odd components to players outside them, or to a floater each."""

    def __init__(self, outlook: Outlook, matching: Matching, missable: Sequence[int]) -> None:
        self._outlook = outlook
        self._missable = sorted(missable, key=outlook.preference)
        self._size = matching.deficiency
        self._components = list(_components(mask_of(missable), outlook.company.neighbours))
        self._blocking = matching.decompose().blocking
        self._ranks = {place: rank for rank, place in enumerate(self._missable)}

    def first(self, *, heed_colours: bool) -> Floaters:
        """The set that all tests give."""
        nothing = _Limits(frozenset(), frozenset())
        chosen = self._cheapest(nothing, self._by_number)
        if chosen is None:
            raise AssertionError("a maximum matching leaves out some set")
        if not heed_colours or not self._outlook.imbalance(chosen):
            return chosen
        tests = self._outlook.quality(chosen)[:4]
        surplus = self._outlook.colour_surplus
        for distance in range(len(self._missable) + abs(surplus) + 1):
            found = self._within(nothing, self._missable, {surplus - distance, surplus + distance}, tests)
            if found is not None:
                return found
        raise AssertionError("some distance must fit the set already known")

    def _within(
        self, limits: _Limits, rest: Sequence[int], wanted: set[int], tests: tuple[int, ...]
    ) -> Floaters | None:
        """The first set by numbers, within limits, that is as good by tests 2 and 3 and has a wanted colour surplus."""
        out, stay = limits
        if len(out) == self._size:
            return tuple(out)
        for index, place in enumerate(rest):
            if not self._may_hold(_Limits(out, stay), wanted, tests):
                return None
            further = _Limits(out | {place}, stay)
            if self._may_hold(further, wanted, tests):
                found = self._within(further, rest[index + 1 :], wanted, tests)
                if found is not None:
                    return found
            stay |= {place}
        return None

    def _may_hold(self, limits: _Limits, wanted: set[int], tests: tuple[int, ...]) -> bool:
        """Whether a set within limits passes tests 2 and 3 and the range of its colour surpluses holds a wanted one."""
        weight = self._outlook.colour_weight
        whites = self._cheapest(limits, lambda place: 1 - weight(place))
        if whites is None or self._outlook.quality(whites)[:4] != tests:
            return False
        blacks = self._cheapest(limits, lambda place: 1 + weight(place)) or whites
        lowest, highest = _surplus(self._outlook, blacks), _surplus(self._outlook, whites)
        within = {value for value in wanted if lowest <= value <= highest}
        fewest = self._cheapest(limits, lambda place: 1 - abs(weight(place))) or whites
        most = self._cheapest(limits, lambda place: abs(weight(place))) or whites
        undue = {sum(not weight(place) for place in places) for places in (fewest, most)}
        if len(undue) == 1:
            # With a fixed number of players without due colour every surplus is odd, or every one is even.
            parity = (self._size - undue.pop()) % 2
            within = {value for value in within if value % 2 == parity}
        return bool(within)

    def _by_number(self, place: int) -> int:
        """Test 5 as a cost: each player outweighs all who come after him in its order."""
        count = len(self._missable)
        return (1 << count) - (1 << (count - 1 - self._ranks[place]))

    def _cheapest(self, limits: _Limits, last: Callable[[int], int]) -> Floaters | None:
        """The best set within limits by tests 1 to 3, then by the lowest sum of `last`; None where there is none."""
        highest = max(last(place) for place in self._missable)
        rows, choosers = [], []
        for component in self._components:
            costs, by_option = self._options(component, limits, last, highest)
            rows.append(costs)
            choosers.append(by_option)
        options = cheapest_assignment(rows)
        if options is None:
            return None
        chosen = (by_option.get(option) for by_option, option in zip(choosers, options, strict=True))
        found = tuple(place for place in chosen if place is not None)
        return found if len(found) == self._size else None

    def _options(
        self, component: int, limits: _Limits, last: Callable[[int], int], highest: int
    ) -> tuple[dict[tuple[str, int], int], dict[tuple[str, int], int]]:
        """What may become of a component: the cost of each option, and the player who floats by it."""
        costs: dict[tuple[str, int], int] = {}
        floats: dict[tuple[str, int], int] = {}
        forced = [place for place in members(component) if place in limits.out]
        if not forced:
            costs = dict.fromkeys((("within", place) for place in members(self._wives(component))), 0)
        for place in forced or members(component):
            if place in limits.stay or (forced and place != forced[0]):
                continue
            alone = self._cost(place, provided=False, last=last(place), highest=highest)
            offers = [(("alone", component), alone)]
            provided = self._cost(place, provided=True, last=last(place), highest=highest)
            offers += [(("beyond", other), provided) for other in members(self._outlook.opponents_beyond(place))]
            for option, cost in offers:
                if option not in costs or cost < costs[option]:
                    costs[option], floats[option] = cost, place
        if len(forced) > 1:
            return {}, {}
        return costs, floats

    def _wives(self, component: int) -> int:
        """The players outside who may be paired with someone of a component."""
        reached = 0
        for place in members(component):
            reached |= self._outlook.company.neighbours[place]
        return reached & self._blocking

    def _cost(self, place: int, *, provided: bool, last: int, highest: int) -> int:
        """A floater's part in tests 1 to 3 and `last`, as one number in which no digit can overflow."""
        moved = self._outlook.has_moved(place)
        digits = _Digit(
            floats=1,
            moved_without_opponent=moved and not provided,
            moved=moved and provided,
            resident_without_opponent=not moved and not provided,
            floated_before=self._outlook.floated_before(place),
            last=last,
        )
        base = len(self._components) + 1
        value = 0
        for digit in digits[:-1]:
            value = value * base + digit
        return value * (base * highest + 1) + digits.last


def _components(within: int, neighbours: Sequence[int]) -> Iterator[int]:
    """The connected components of some players, as bitmasks."""
    left = within
    while left:
        component = reached = left & -left
        while reached:
            place = reached.bit_length() - 1
            reached &= ~(1 << place)
            fresh = neighbours[place] & within & ~component
            component |= fresh
            reached |= fresh
        yield component
        left &= ~component
