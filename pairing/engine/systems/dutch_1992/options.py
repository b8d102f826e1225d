"""What the loops of C ask about a bracket: whether a candidate is left, and how few of its pairs clash.

A bracket with so many players left over is a graph: its members, and further vertices for those who move down, so
that the candidates are its perfect matchings. Vertices are the members in A2 order, the further ones behind them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import NamedTuple, Protocol, TypeAlias, TypeVar

from pairing.engine.rules.field import Contender
from pairing.engine.rules.matching import ClashMatching, Matching, Tariff, cheapest_pairs, mask_of, members
from pairing.engine.snapshot import Colour
from pairing.engine.systems.dutch_1992.brackets import Bracket
from pairing.engine.systems.dutch_1992.floats import NEITHER, FloatRules, Tolerance
from pairing.engine.systems.dutch_1992.landing import Landing
from pairing.engine.systems.dutch_1992.unpaired import Unpaired

Pairs: TypeAlias = list[tuple[int, int]]

Found = TypeVar("Found")


class Terms(NamedTuple):
    """What is in force: the look-ahead of C12, and B5 and B6 for upfloats (C10) and downfloats (C9)."""

    look_ahead: bool
    up: Tolerance
    down: Tolerance


WEAKEST = Terms(look_ahead=False, up=NEITHER, down=NEITHER)


class Halves(NamedTuple):
    """S1 and S2 as bitmasks: all of S1 play someone of S2. `apart`: and those of S2 do not play each other."""

    s1: int
    s2: int
    apart: bool


class Prices(NamedTuple):
    """What the exchanges cost (see `exchanges`): `owned` and `prices` of a Tariff, and more than all of them cost."""

    owned: Sequence[int]
    prices: Sequence[int]
    beyond: int


class Line(Protocol):
    """The candidates left while players are paired one after the other."""

    @property
    def least(self) -> int:
        """The fewest clashing pairs among the players not in a fixed pair."""

    def pair_first(self, vertex: int, candidates: Iterator[int]) -> int | None:
        """Fix the pair of a player with the first candidate that keeps `least`, and return him."""

    def fits_but_for_colours(self, vertex: int, candidate: int) -> bool:
        """Whether a candidate passed over for the latest pair would do if clashes did not count."""


class Options(Protocol):
    """The candidates of a bracket with `left_over` players moved down, C1's not counted."""

    left_over: int

    def open(self, terms: Terms, halves: Halves, alive: int) -> Line | None:
        """The candidates on these terms for the members of `alive`; None where there are none."""

    def cheapest(self, terms: Terms, alive: int, prices: Prices) -> Pairs:
        """The candidate with the fewest clashes and, of those, the lowest price, as pairs of vertices."""


class Surroundings:
    """A bracket, and what its candidates are asked about: floats, the next bracket, all who are not paired yet."""

    def __init__(self, bracket: Bracket, unpaired: Unpaired) -> None:
        """The members of the bracket are taken out of `unpaired`."""
        self.bracket = bracket
        self.company = bracket.company
        self.unpaired = unpaired
        self.floats = FloatRules(bracket.company)
        self.landing = Landing(bracket.following or (), bracket.without_opponent)
        self.white = bracket.company.due(Colour.WHITE)
        self.black = bracket.company.due(Colour.BLACK)

    def contenders(self, vertices: int) -> list[Contender]:
        return [self.company.players[vertex] for vertex in members(vertices)]

    def accept(self, leaving: int, *, look_ahead: bool) -> bool:
        """C12, C13: whether these may move down, C1's players with them."""
        players = self.contenders(leaving)
        return self.unpaired.accepts(players) and not (look_ahead and self.landing.crowded(players))

    def clash(self, one: int, other: int) -> bool:
        """B4: whether both are due the same colour; never so for a vertex that is no member."""
        return bool((self.white >> one & self.white >> other | self.black >> one & self.black >> other) & 1)

    @cached_property
    def takers(self) -> tuple[int, int]:
        """Those any one of whom could move down alone: by C13, and by C12."""
        return self.unpaired.takers_of_one(self.company), self.landing.takers_of_one(self.company)

    @cached_property
    def fewest_left_over(self) -> int:
        """How many members cannot be paired in the bracket, whatever else is asked."""
        return Matching(self.company.neighbours).deficiency

    def can_hold(self, moved: int) -> bool:
        """Whether the first members, so many, all find different opponents among the others."""
        s1 = (1 << moved) - 1
        halves = Halves(s1, ((1 << self.bracket.size) - 1) & ~s1, apart=True)
        return Matching(separated(self.company.neighbours, halves)).deficiency == self.bracket.size - 2 * moved

    def clash_duals(self, alive: int, count: int, cost: int) -> list[int]:
        """Values for `cheapest_pairs` to start from: a colour due to more than half of them must clash."""
        for due in (self.white & alive, self.black & alive):
            if 2 * due.bit_count() > alive.bit_count():
                return [cost if due >> vertex & 1 else -cost for vertex in range(count)]
        return [0] * count


class Foreseen:
    """The candidates as far as a few vertices can show them.

    Exact with at most one player left over, whose possible names the matching of all others gives at once. With
    more of them C13 is not looked at: then the first candidate is to be checked, and nothing stands before it.
    """

    def __init__(self, around: Surroundings, left_over: int) -> None:
        self.left_over = left_over
        self._around = around
        self._size = around.bracket.size

    def open(self, terms: Terms, halves: Halves, alive: int) -> Line | None:
        graph = self._graph(terms, halves)
        return None if graph is None else _open(graph, self._around, alive, self._size)

    def cheapest(self, terms: Terms, alive: int, prices: Prices) -> Pairs:
        graph = there_is(self._graph(terms, Halves(0, (1 << self._size) - 1, apart=False)))
        every_vertex = (1 << len(graph)) - 1
        alive |= every_vertex >> self._size << self._size
        levels = clash_levels(graph, self._around, prices.beyond)
        zeros = [0] * (len(graph) - self._size)
        owned = [mask & every_vertex for mask in prices.owned]
        tariff = Tariff(levels, [*owned, *zeros], [*prices.prices, *zeros])
        return there_is(cheapest_pairs(tariff, alive, self._around.clash_duals(alive, len(graph), prices.beyond)))

    def _graph(self, terms: Terms, halves: Halves) -> list[int] | None:
        further = self._further(terms)
        if further is None:
            return None
        graph = [*separated(self._around.floats.inside(terms.up), halves), *further]
        return attach(graph, self._size, halves.s2)

    def _further(self, terms: Terms) -> list[int] | None:
        """The vertices for those who move down; None where they cannot."""
        around = self._around
        if not self.left_over:
            stays = not around.unpaired.needs and (around.landing.is_open or not terms.look_ahead)
            return [] if stays else None
        may_leave = around.floats.may_leave(terms.down)
        if self.left_over == 1:
            completed, landed = around.takers
            leaver = completed & may_leave & (landed if terms.look_ahead else completed)
            return [leaver] if leaver else None
        if terms.look_ahead:
            return landing_places(around, may_leave, self.left_over)
        return [may_leave] * self.left_over


def there_is(found: Found | None) -> Found:
    """What an earlier question has shown to exist."""
    if found is None:
        raise AssertionError("a candidate is lost between two questions")
    return found


def landing_places(around: Surroundings, may_leave: int, left_over: int) -> list[int] | None:
    """C12 for several players: the residents they and C1's players take, and a stand-in for each not taken."""
    landing, size = around.landing, around.bracket.size
    wanted = left_over + len(landing.moving)
    if landing.size < wanted:
        return None
    # A player with as many opponents as there are players to be placed will find one in any case.
    opponents = {
        vertex: list(islice(members(landing.opponents(around.company.players[vertex])), wanted))
        for vertex in members(may_leave)
    }
    moving = [list(islice(members(landing.opponents(player)), wanted)) for player in landing.moving]
    residents = sorted({one for ways in (*opponents.values(), *moving) for one in ways})
    spare = len(residents) - wanted
    if spare < 0:
        return None
    places = {resident: size + len(moving) + place for place, resident in enumerate(residents)}
    graph = [mask_of(places[resident] for resident in ways) for ways in moving]
    graph += [0] * len(residents) + [mask_of(places.values())] * spare
    first_spare = size + len(moving) + len(residents)
    for resident, place in places.items():
        takers = [vertex for vertex, ways in opponents.items() if resident in ways]
        takers += [size + number for number, ways in enumerate(moving) if resident in ways]
        graph[place - size] = mask_of([*takers, *range(first_spare, first_spare + spare)])
    return graph


def separated(inside: Sequence[int], halves: Halves) -> list[int]:
    """The pairs of members that the halves allow."""
    for_s2 = halves.s1 if halves.apart else halves.s1 | halves.s2
    return [
        mask & (halves.s2 if halves.s1 >> vertex & 1 else for_s2 if halves.s2 >> vertex & 1 else 0)
        for vertex, mask in enumerate(inside)
    ]


def attach(graph: list[int], size: int, s2: int) -> list[int]:
    """Let the further vertices, which name their neighbours, meet members of S2 only, and be met by them."""
    everyone = (1 << size) - 1
    for vertex in range(size, len(graph)):
        graph[vertex] &= ~everyone | s2
        for member in members(graph[vertex] & everyone):
            graph[member] |= 1 << vertex
    return graph


def clash_levels(graph: Sequence[int], around: Surroundings, cost: int) -> list[tuple[int, list[int]]]:
    """The pairs that clash, at a cost, and those that do not."""
    clashing = [
        mask & (around.white if around.white >> vertex & 1 else around.black if around.black >> vertex & 1 else 0)
        for vertex, mask in enumerate(graph)
    ]
    return [(0, [mask & ~costly for mask, costly in zip(graph, clashing, strict=True)]), (cost, clashing)]


def _open(graph: Sequence[int], around: Surroundings, alive: int, size: int) -> ForeseenLine | None:
    alive |= ((1 << (len(graph) - size)) - 1) << size
    if not all(graph[vertex] & alive for vertex in members(alive)):
        return None
    try:
        clashes = ClashMatching(graph, around.white, around.black, alive)
    except ValueError:
        return None
    return ForeseenLine(graph, clashes)


class ForeseenLine:
    """A matching with the fewest clashes, repaired as pairs are fixed."""

    def __init__(self, graph: Sequence[int], clashes: ClashMatching) -> None:
        self._graph = graph
        self._clashes = clashes
        self._all = clashes.alive
        self._fixed: list[tuple[int, int]] = []
        # Asked, and brought up to date, only to explain a refusal.
        self._any_colour: Matching | None = None
        self._dropped = 0

    @property
    def least(self) -> int:
        return self._clashes.least

    def pair_first(self, vertex: int, candidates: Iterator[int]) -> int | None:
        found = self._clashes.pair_first(vertex, candidates)
        if found is not None:
            self._fixed.append((vertex, found))
        return found

    def fits_but_for_colours(self, vertex: int, candidate: int) -> bool:
        if self._any_colour is None:
            self._any_colour = Matching(self._graph, self._all)
        earlier = self._fixed[:-1]
        for pair in earlier[self._dropped :]:
            self._any_colour.set_aside(*pair)
        self._dropped = len(earlier)
        return self._any_colour.can_pair(vertex, candidate)
