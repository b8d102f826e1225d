"""The candidates of a bracket from which several players move down, with C12 and C13 asked of them all together.

Three things are asked of those who move down: that the other members can be paired without them, that those below can
be paired with them, and that they find different residents in the next bracket. Any two of the three are a matching;
for all three together no matching is known, nor any other way that is short for every event (docs/decisions/0011).
So two of them bound what all three can do, and mostly the pairing that reaches the bound keeps the third as well.
"""

from __future__ import annotations

from typing import NamedTuple

from pairing.engine.matching import Tariff, cheapest_pairs, members
from pairing.engine.rules.compatibility import Company
from pairing.engine.systems.dutch_1992.exact_line import ExactLine, Question
from pairing.engine.systems.dutch_1992.foreseen import AsNeeded, Foreseen
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

ATTEMPTS = 24
"""So often the crowded residents are made dearer before one of those who compete for them is told to stay or go."""


class Crowd(NamedTuple):
    """Members of whom no more than `room` can move down, since they can only play the same few residents."""

    members: int
    room: int


class Exact:
    """Everything asked at once."""

    def __init__(self, around: Surroundings, moved: int) -> None:
        """`moved` is the bitmask of the S1 of a heterogeneous bracket, 0 in a homogeneous one."""
        self._around = around
        self._size = around.bracket.size
        self._everyone = (1 << self._size) - 1
        self._lower, self._across = self._lower_graph()
        self._free = Prices([0] * self._size, [0] * self._size, 1)
        self._refused: set[tuple[object, ...]] = set()
        halves = Halves(moved, self._everyone & ~moved, apart=False)
        first = there_is(self._solve(self._question(WEAKEST, halves, self._everyone), self._free))
        self.left_over = self.leaving(first).bit_count()
        # Where those below need just as many, what they need bounds the candidates better than C12 does.
        needed = self.left_over == around.unpaired.needs
        self._foreseen = AsNeeded(around, look_ahead=True) if needed else Foreseen(around, self.left_over)

    def open(self, terms: Terms, halves: Halves, alive: int) -> Line | None:
        if terms.look_ahead and not self._around.landing.is_open:
            return None
        bound = self._foreseen.open(terms, halves, alive)
        if bound is None:
            return None
        question = self._question(terms, halves, alive)
        leaving = bound.leaving
        if not self.accepts(question, leaving):
            pairs = self.candidate(question, bound.least)
            if pairs is None:
                return None
            leaving = self.leaving(pairs)
        return ExactLine(self, self._around, question, leaving, bound)

    def accepts(self, question: Question, leaving: int) -> bool:
        """C12, C13: whether these may move down together."""
        return self._around.accept(leaving, look_ahead=question.look_ahead)

    def cheapest(self, terms: Terms, alive: int, prices: Prices) -> Pairs:
        """The pairs of the cheapest candidate; whoever moves down is paired with a vertex behind the members."""
        question = self._question(terms, Halves(0, self._everyone, apart=False), alive)
        bound = self._foreseen.cheapest(terms, alive, prices)
        if self.accepts(question, self.leaving(bound)):
            return bound
        return there_is(self._cheapest(question, prices))

    def candidate(self, question: Question, least: int) -> Pairs | None:
        """The candidate with the fewest clashes, which are `least` or more; None: there is none."""
        found = self.any_candidate(question, None)
        if found is None:
            return None
        while least < self.clashes(found):
            better = self.any_candidate(question, least)
            if better is not None:
                return better
            least += 1
        return found

    def any_candidate(self, question: Question, at_most: int | None) -> Pairs | None:
        """A candidate with at most so many clashes (default: with any number of them); None: there is none."""
        key = (
            tuple(question.inside),
            question.may_leave,
            question.must_leave,
            question.alive,
            at_most,
            question.look_ahead,
        )
        if key in self._refused:
            return None
        found = self._sought(question, at_most)
        if found is None:
            self._refused.add(key)
        return found

    def _sought(self, question: Question, at_most: int | None) -> Pairs | None:
        """Make crowds dearer until they have room, or the price shows that they never will; else branch."""
        weights: dict[Crowd, int] = {}
        clash_weight, limit = (0, 0) if at_most is None else (1, at_most)
        rivals = 0
        for _ in range(ATTEMPTS):
            pairs = self._solve(question, self._free._replace(beyond=clash_weight), weights)
            if pairs is None or self.leaving(pairs).bit_count() > self.left_over:
                return None
            leaving, clashes = self.leaving(pairs), self.clashes(pairs)
            spent = clash_weight * clashes + sum(
                weight * (leaving & crowd.members).bit_count() for crowd, weight in weights.items()
            )
            if spent > clash_weight * limit + sum(weight * crowd.room for crowd, weight in weights.items()):
                return None
            crowd, rivals = self._crowd(question, leaving)
            if crowd is None and (at_most is None or clashes <= limit):
                return pairs
            if crowd is not None:
                weights[crowd] = weights.get(crowd, 0) + 1
            if at_most is not None and clashes > limit:
                clash_weight += 1
        return self._branched(question, at_most, rivals, leaving)

    def _branched(self, question: Question, at_most: int | None, rivals: int, leaving: int) -> Pairs | None:
        free = (rivals or leaving) & question.may_leave & question.alive & ~question.must_leave
        if not free:
            free = question.may_leave & question.alive & ~question.must_leave
        if not free:
            return None
        vertex = free.bit_length() - 1
        return self.any_candidate(question.with_staying(vertex), at_most) or self.any_candidate(
            question.with_leaving(vertex), at_most
        )

    def _cheapest(self, question: Question, prices: Prices, below: int | None = None) -> Pairs | None:
        """The cheapest candidate, if it costs less than `below`."""
        pairs = self._solve(question, prices)
        if pairs is None or self.leaving(pairs).bit_count() > self.left_over:
            return None
        if below is not None and self._price(pairs, prices) >= below:
            return None
        crowd, rivals = self._crowd(question, self.leaving(pairs))
        if crowd is None:
            return pairs
        if self.any_candidate(question, None) is None:
            return None
        free = rivals & ~question.must_leave
        if not free:
            return None
        vertex = free.bit_length() - 1
        staying = self._cheapest(question.with_staying(vertex), prices, below)
        if staying is not None:
            below = self._price(staying, prices)
            if below == self._price(pairs, prices):
                return staying
        return self._cheapest(question.with_leaving(vertex), prices, below) or staying

    def clashes(self, pairs: Pairs) -> int:
        """How many pairs of members clash."""
        return self._price(pairs, self._free)

    def leaving(self, pairs: Pairs) -> int:
        """Bitmask of the members who move down."""
        return sum(1 << one for one, other in pairs if one < self._size <= other)

    def _price(self, pairs: Pairs, prices: Prices) -> int:
        price = 0
        for one, other in pairs:
            price += prices.beyond * self._around.clash(one, other)
            for owner, partner in ((one, other), (other, one)):
                if owner < self._size and prices.owned[owner] >> partner & 1:
                    price += prices.prices[owner]
        return price

    def _crowd(self, question: Question, leaving: int) -> tuple[Crowd | None, int]:
        """C12: those who compete with some of the leaving for too few residents, and who of the leaving they are."""
        around = self._around
        crowded = around.landing.crowded(around.contenders(leaving)) if question.look_ahead else []
        if not crowded:
            return None, 0
        places = around.company.places
        residents = 0
        for player in crowded:
            residents |= around.landing.opponents(player)
        rivals = sum(1 << places[player.tpn] for player in crowded if player.tpn in places)
        everyone = 0
        for vertex, player in enumerate(around.company.players):
            if not around.landing.opponents(player) & ~residents:
                everyone |= 1 << vertex
        moving = sum(not around.landing.opponents(player) & ~residents for player in around.landing.moving)
        return Crowd(everyone, residents.bit_count() - moving), rivals

    def _question(self, terms: Terms, halves: Halves, alive: int) -> Question:
        floats = self._around.floats
        return Question(
            inside=separated(floats.inside(terms.up), halves),
            may_leave=floats.may_leave(terms.down) & halves.s2,
            alive=alive,
            look_ahead=terms.look_ahead,
        )

    def _solve(self, question: Question, prices: Prices, weights: dict[Crowd, int] | None = None) -> Pairs | None:
        """The pairing that sends down the fewest, has the fewest clashes and the lowest price; C12 is not asked.

        Everyone of a crowd who moves down costs its weight besides.
        """
        size, lower = self._size, len(self._lower)
        count = size + lower
        extra = [0] * size
        for crowd, weight in (weights or {}).items():
            for vertex in members(crowd.members):
                extra[vertex] += weight
        crossing: dict[int, list[int]] = {}
        for vertex in members(question.may_leave & question.alive):
            mask = self._across[vertex]
            level = crossing.setdefault(extra[vertex], [0] * count)
            level[vertex] = mask
            bit = 1 << vertex
            for other in members(mask):
                level[other] |= bit
        inside = question.inside
        if question.must_leave:
            inside = [
                0 if question.must_leave >> vertex & 1 else mask & ~question.must_leave
                for vertex, mask in enumerate(inside)
            ]
        beyond = prices.beyond * (size + 1) + sum(extra) + 1
        levels = clash_levels([*inside, *self._lower], self._around, prices.beyond)
        levels += [(beyond + cost, level) for cost, level in crossing.items()]
        every_vertex = (1 << count) - 1
        zeros = [0] * lower
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
