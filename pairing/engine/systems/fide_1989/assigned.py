"""Article 10 for several floaters where opponents in the next group are too few for all (10.3, 10.4, 10.9).

A maximum matching leaves over one player of each odd component of those it can miss (Gallai and Edmonds), apart from
as many components as there are players outside to be paired with them. So each component is assigned either such a
player or a floater of its own, and the floater an opponent in the next group or none: the cheapest assignment, with
the tests as costs, gives the set.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

from pairing.engine.rules.assignment import cheapest_assignment
from pairing.engine.rules.matching import Matching, mask_of, members
from pairing.engine.systems.fide_1989.outlook import Outlook
from pairing.engine.systems.fide_1989.several import Cost, Floaters, Limits, Search

Option: TypeAlias = tuple[str, int]
"""What becomes of a component: paired `within` with a place, its floater paired `beyond` with one, or left `alone`."""


class Tests(NamedTuple):
    """What a single floater adds to tests 1 to 3; the earlier field weighs more."""

    floats: int
    moved_without_opponent: int
    moved: int
    resident_without_opponent: int
    floated_before: int


class Assigned(Search):
    """Exact by all tests, at the price of a cheapest assignment for every question."""

    def __init__(self, outlook: Outlook, matching: Matching, missable: Sequence[int]) -> None:
        super().__init__(outlook, matching, missable)
        blocking = matching.decompose().blocking
        self._components = list(_components(mask_of(missable), outlook.company.neighbours))
        self._partners: list[list[Option]] = [
            [("within", place) for place in members(_reached(component, outlook.company.neighbours) & blocking)]
            for component in self._components
        ]
        self._beyond: dict[int, list[Option]] = {
            place: [("beyond", other) for other in members(outlook.opponents_beyond(place))] for place in missable
        }

    def cheapest(self, limits: Limits, cost: Cost) -> Floaters:
        """As in `Search`, by way of the cheapest assignment of all components."""
        scale = 1 + len(self._components) * max(cost(place) for place in self.missable)
        rows: list[dict[Option, int]] = []
        senders: list[dict[Option, int]] = []
        for number, component in enumerate(self._components):
            floats = self._ways_out(number, component, limits, cost, scale)
            row = {option: price for option, (price, _) in floats.items()}
            if not limits.out.intersection(members(component)):
                row.update(dict.fromkeys(self._partners[number], 0))
            rows.append(row)
            senders.append({option: place for option, (_, place) in floats.items()})
        options = cheapest_assignment(rows)
        if options is None:
            return ()
        found = tuple(sent[option] for sent, option in zip(senders, options, strict=True) if option in sent)
        return found if len(found) == self.size and limits.out.issubset(found) else ()

    def tests(self, places: Floaters) -> tuple[int, ...]:
        return self.outlook.quality(places)[:4]

    def _ways_out(
        self, number: int, component: int, limits: Limits, cost: Cost, scale: int
    ) -> dict[Option, tuple[int, int]]:
        """The options by which someone of a component floats: the price, and who does so for it."""
        best: dict[Option, tuple[int, int]] = {}
        places = [place for place in members(component) if place not in limits.stay]
        for place in [place for place in places if place in limits.out] or places:
            alone, provided = (self._price(place, paired, scale) + cost(place) for paired in (False, True))
            offers: dict[Option, int] = {("alone", number): alone, **dict.fromkeys(self._beyond[place], provided)}
            for option, price in offers.items():
                if option not in best or price < best[option][0]:
                    best[option] = (price, place)
        return best

    def _price(self, place: int, paired: bool, scale: int) -> int:
        """A floater's part in tests 1 to 3 as one number, in which no test can outgrow the one before it."""
        moved = self.outlook.has_moved(place)
        tests = Tests(
            floats=1,
            moved_without_opponent=moved and not paired,
            moved=moved and paired,
            resident_without_opponent=not moved and not paired,
            floated_before=self.outlook.floated_before(place),
        )
        price = 0
        for test in tests:
            price = price * (len(self._components) + 1) + test
        return price * scale


def _components(within: int, neighbours: Sequence[int]) -> Iterator[int]:
    """The connected components of some players, as bitmasks."""
    left = within
    while left:
        component = fresh = left & -left
        while fresh:
            fresh = _reached(fresh, neighbours) & within & ~component
            component |= fresh
        yield component
        left &= ~component


def _reached(places: int, neighbours: Sequence[int]) -> int:
    """All who are compatible with at least one of some players."""
    reached = 0
    for place in members(places):
        reached |= neighbours[place]
    return reached
