"""The candidates of a bracket from which several players move down, with C12 and C13 asked of them all together.

The graph holds everyone not paired yet. A pairing that sends down as few as possible is one of least cost; whether
all who move down find opponents in the next bracket is asked of it afterwards, and where they do not, one of those
who compete for too few residents stays, or else must move.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pairing.engine.rules.compatibility import Company
from pairing.engine.rules.matching import Tariff, cheapest_pairs, members
from pairing.engine.systems.dutch_1992.options import (
    WEAKEST,
    Halves,
    Line,
    Pairs,
    Prices,
    Surroundings,
    Terms,
    clash_levels,
    separated,
    there_is,
)
from pairing.engine.systems.dutch_1992.unpaired import may_rest


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Which members are to be paired or move down: the pairs they may form, and who may move."""

    inside: Sequence[int]
    may_leave: int
    alive: int
    look_ahead: bool

    def with_staying(self, vertex: int) -> Question:
        return replace(self, may_leave=self.may_leave & ~(1 << vertex))

    def with_leaving(self, vertex: int) -> Question:
        inside = [mask & ~(1 << vertex) for mask in self.inside]
        inside[vertex] = 0
        return replace(self, inside=inside)

    def without(self, *vertices: int) -> Question:
        alive = self.alive
        for vertex in vertices:
            alive &= ~(1 << vertex)
        return replace(self, alive=alive)


class Exact:
    """Everything asked at once."""

    def __init__(self, around: Surroundings, moved: int) -> None:
        """`moved` is the bitmask of the S1 of a heterogeneous bracket, 0 in a homogeneous one."""
        self._around = around
        self._size = around.bracket.size
        self._everyone = (1 << self._size) - 1
        self._lower, self._across = self._lower_graph()
        self._free = Prices([0] * self._size, [0] * self._size, 1)
        halves = Halves(moved, self._everyone & ~moved, apart=False)
        first = there_is(self._solve(self._question(WEAKEST, halves, self._everyone), self._free))
        self.left_over = self._leaving(first).bit_count()

    def open(self, terms: Terms, halves: Halves, alive: int) -> Line | None:
        if terms.look_ahead and not self._around.landing.is_open:
            return None
        question = self._question(terms, halves, alive)
        pairs = self.candidate(question)
        return None if pairs is None else ExactLine(self, question, pairs)

    def cheapest(self, terms: Terms, alive: int, prices: Prices) -> Pairs:
        question = self._question(terms, Halves(0, self._everyone, apart=False), alive)
        return there_is(self.candidate(question, prices))

    def candidate(self, question: Question, prices: Prices | None = None) -> Pairs | None:
        """The cheapest pairing that sends down no more than it must and passes C12 where asked; None: there is none."""
        prices = prices or self._free
        pairs = self._solve(question, prices)
        if pairs is None or self._leaving(pairs).bit_count() > self.left_over:
            return None
        rivals = self._rivals(pairs) if question.look_ahead else []
        if not rivals:
            return pairs
        rival = next((vertex for vertex in rivals if question.inside[vertex] & question.alive), None)
        if rival is None:
            return None
        staying = self.candidate(question.with_staying(rival), prices)
        if staying is not None and self._price(staying, prices) == self._price(pairs, prices):
            return staying
        leaving = self.candidate(question.with_leaving(rival), prices)
        found = [each for each in (staying, leaving) if each is not None]
        return min(found, key=lambda each: self._price(each, prices), default=None)

    def clashes(self, pairs: Pairs) -> int:
        """How many pairs of members clash."""
        return self._price(pairs, self._free)

    def _price(self, pairs: Pairs, prices: Prices) -> int:
        price = 0
        for one, other in pairs:
            price += prices.beyond * self._around.clash(one, other)
            for owner, partner in ((one, other), (other, one)):
                if owner < self._size and prices.owned[owner] >> partner & 1:
                    price += prices.prices[owner]
        return price

    def _leaving(self, pairs: Pairs) -> int:
        """Bitmask of the members who move down."""
        return sum(1 << one for one, other in pairs if one < self._size <= other)

    def _rivals(self, pairs: Pairs) -> list[int]:
        """Some who move down and compete for too few residents of the next bracket; nobody where all find one."""
        places = self._around.company.places
        crowded = self._around.landing.crowded(self._around.contenders(self._leaving(pairs)))
        return [places[one.tpn] for one in crowded if one.tpn in places]

    def _question(self, terms: Terms, halves: Halves, alive: int) -> Question:
        floats = self._around.floats
        return Question(
            inside=separated(floats.inside(terms.up), halves),
            may_leave=floats.may_leave(terms.down) & halves.s2,
            alive=alive,
            look_ahead=terms.look_ahead,
        )

    def _solve(self, question: Question, prices: Prices) -> Pairs | None:
        """The pairing that sends down the fewest, has the fewest clashes and the lowest price; C12 is not asked."""
        count = self._size + len(self._lower)
        crossing = [mask if question.may_leave >> vertex & 1 else 0 for vertex, mask in enumerate(self._across)]
        crossing += [0] * len(self._lower)
        for vertex in range(self._size):
            for other in members(crossing[vertex]):
                crossing[other] |= 1 << vertex
        levels: list[tuple[int, Sequence[int]]] = [
            *clash_levels([*question.inside, *self._lower], self._around, prices.beyond),
            (prices.beyond * (self._size + 1), crossing),
        ]
        every_vertex = (1 << count) - 1
        zeros = [0] * len(self._lower)
        owned = [mask & every_vertex for mask in prices.owned]
        tariff = Tariff(levels, [*owned, *zeros], [*prices.prices, *zeros])
        return cheapest_pairs(tariff, question.alive | every_vertex & ~self._everyone)

    def _lower_graph(self) -> tuple[list[int], list[int]]:
        """The compatibility of those not in the bracket, the bye the last of them, and of the members with them."""
        size, unpaired = self._size, self._around.unpaired
        company = Company(unpaired.players())
        lower = [mask << size for mask in company.neighbours]
        across = [company.compatible_with(player) << size for player in self._around.company.players]
        if unpaired.bye is not None:
            bye = 1 << (size + len(lower))
            across = [
                mask | (bye if may_rest(player) else 0)
                for mask, player in zip(across, self._around.company.players, strict=True)
            ]
            resting = 0
            for place, player in enumerate(company.players):
                if may_rest(player):
                    lower[place] |= bye
                    resting |= 1 << (size + place)
            lower.append(resting)
        return lower, across


class ExactLine:
    """Candidates narrowed pair by pair, each time by a new search where the present one does not serve."""

    def __init__(self, exact: Exact, question: Question, pairs: Pairs) -> None:
        self._exact = exact
        self._question = question
        self._pairs = pairs
        self._fitting: dict[tuple[int, int], bool] = {}

    @property
    def least(self) -> int:
        return self._exact.clashes(self._pairs)

    def pair_first(self, vertex: int, candidates: Iterator[int]) -> int | None:
        possible = self._question.inside[vertex] & self._question.alive
        for candidate in candidates:
            if not possible >> candidate & 1:
                continue
            fixed = (min(vertex, candidate), max(vertex, candidate))
            question = self._question.without(vertex, candidate)
            if fixed in self._pairs:
                pairs: Pairs | None = [pair for pair in self._pairs if pair != fixed]
            else:
                pairs = self._exact.candidate(question)
            if pairs is not None and self._exact.clashes([fixed, *pairs]) == self.least:
                self._question, self._pairs = question, pairs
                return candidate
            self._fitting[vertex, candidate] = pairs is not None
        return None

    def fits_but_for_colours(self, vertex: int, candidate: int) -> bool:
        return self._fitting.get((vertex, candidate), False)
