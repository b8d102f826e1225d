"""Article 10 for several floaters at once: the first set by tests 2 to 5, found without trying all sets.

Any set that a maximum matching leaves over will do for test 1. `InOrder` chooses as if everyone had an opponent in
the next group; where its choice finds that they have not, `Assigned` (see `assigned`) counts opponents too.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeAlias

from pairing.engine.rules.matching import Matching
from pairing.engine.systems.fide_1989.outlook import Outlook

Floaters: TypeAlias = tuple[int, ...]
"""Players of an outlook, by place. An empty tuple stands for no such set."""

Cost: TypeAlias = Callable[[int], int]
"""What it costs to send out a player; never negative."""


class Limits(NamedTuple):
    """Who must float, and who must stay."""

    out: frozenset[int]
    stay: frozenset[int]


class Search(ABC):
    """The choice by tests 4 and 5, on top of a way to find a set that is best by tests 1 to 3."""

    def __init__(self, outlook: Outlook, matching: Matching, missable: Sequence[int]) -> None:
        self.outlook = outlook
        self.matching = matching
        self.size = matching.deficiency
        self.missable = sorted(missable, key=outlook.preference)
        count = len(self.missable)
        # Each player outweighs all who come after him in the order of test 5.
        self._by_number = {place: (1 << count) - (1 << (count - 1 - rank)) for rank, place in enumerate(self.missable)}
        self._all_due = all(outlook.colour_weight(place) for place in missable)

    @abstractmethod
    def cheapest(self, limits: Limits, cost: Cost) -> Floaters:
        """A set within limits that is best by tests 1 to 3 and, among such sets, has the lowest sum of costs."""

    @abstractmethod
    def tests(self, places: Floaters) -> tuple[int, ...]:
        """Tests 2 and 3 for a set; less is better."""

    def first(self, *, heed_colours: bool) -> Floaters:
        """The set that tests 1 to 5 give; `heed_colours` is test 4."""
        nothing = Limits(frozenset(), frozenset())
        chosen = self.cheapest(nothing, self._by_number.__getitem__)
        weights = {self.outlook.colour_weight(place) for place in self.missable}
        if not heed_colours or len(weights) == 1 or not self.outlook.imbalance(chosen):
            return chosen
        whites, blacks = self._extreme(1), self._extreme(-1)
        lowest, highest = self._surplus(blacks), self._surplus(whites)
        wanted = self.outlook.colour_surplus
        if wanted >= highest:
            return whites
        if wanted <= lowest:
            return blacks
        for distance in range(highest - lowest):
            found = self._within(nothing, {wanted - distance, wanted + distance}, self.tests(chosen))
            if found:
                return found
        raise AssertionError("the set that numbers alone give has a surplus between the extremes")

    def _extreme(self, colour: int) -> Floaters:
        """The first set by numbers of those with the most players of a colour (1 white, -1 black)."""
        outranks = self.size << len(self.missable)
        weight = self.outlook.colour_weight
        return self.cheapest(
            Limits(frozenset(), frozenset()),
            lambda place: (1 - colour * weight(place)) * outranks + self._by_number[place],
        )

    def _within(self, limits: Limits, wanted: set[int], tests: tuple[int, ...]) -> Floaters:
        """The first set by numbers, within limits, that is as good by tests 2 and 3 and has a wanted colour surplus."""
        chosen = self.cheapest(limits, self._by_number.__getitem__)
        if not self._may_hold(limits, wanted, tests):
            return ()
        if self._surplus(chosen) in wanted:
            return chosen
        # The set looked for goes with this one up to some player, who floats in this one and stays in the other.
        open_places = [place for place in self.missable if place not in limits.out and place not in limits.stay]

        def as_chosen(count: int) -> Limits:
            decided = open_places[:count]
            return Limits(limits.out.union(decided).intersection(chosen), limits.stay.union(decided).difference(chosen))

        known, unknown = 0, len(open_places)
        while unknown - known > 1:
            middle = (known + unknown) // 2
            known, unknown = (middle, unknown) if self._may_hold(as_chosen(middle), wanted, tests) else (known, middle)
        for count in range(known, -1, -1):
            if open_places[count] in chosen:
                before = as_chosen(count)
                found = self._within(before._replace(stay=before.stay | {open_places[count]}), wanted, tests)
                if found:
                    return found
        return ()

    def _may_hold(self, limits: Limits, wanted: set[int], tests: tuple[int, ...]) -> bool:
        """Whether a set within limits passes tests 2 and 3 and the range of its colour surpluses holds a wanted one."""
        weight = self.outlook.colour_weight
        whites = self.cheapest(limits, lambda place: 1 - weight(place))
        if not whites or self.tests(whites) != tests:
            return False
        blacks = self.cheapest(limits, lambda place: 1 + weight(place))
        lowest, highest = self._surplus(blacks), self._surplus(whites)
        within = {value for value in wanted if lowest <= value <= highest}
        if not within or self._all_due:
            return any((self.size - value) % 2 == 0 for value in within)
        fewest = self.cheapest(limits, lambda place: 1 - abs(weight(place)))
        most = self.cheapest(limits, lambda place: abs(weight(place)))
        undue = {sum(not weight(place) for place in places) for places in (fewest, most)}
        if len(undue) > 1:
            return True
        # With a fixed number of players without due colour every surplus is odd, or every one is even.
        coloured = self.size - undue.pop()
        return any((coloured - value) % 2 == 0 for value in within)

    def _surplus(self, places: Iterable[int]) -> int:
        """White-due minus black-due among some players."""
        return sum(self.outlook.colour_weight(place) for place in places)


class InOrder(Search):
    """Sets that maximum matchings leave over are the bases of a matroid: taking players in order finds the cheapest."""

    def cheapest(self, limits: Limits, cost: Cost) -> Floaters:
        def turn(place: int) -> tuple[bool, bool, bool, int]:
            outlook = self.outlook
            return (place not in limits.out, outlook.has_moved(place), outlook.floated_before(place), cost(place))

        order = sorted((place for place in self.missable if place not in limits.stay), key=turn)
        with self.matching.trial():
            found = tuple(place for place in order if self.matching.deficiency and self.matching.leave_out(place))
        return found if len(found) == self.size and limits.out.issubset(found) else ()

    def tests(self, places: Floaters) -> tuple[int, ...]:
        outlook = self.outlook
        return (
            sum(outlook.has_moved(place) for place in places),
            sum(outlook.floated_before(place) for place in places),
        )
