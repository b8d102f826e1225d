"""A perfect matching of least price, for whole-number prices of any size (Edmonds' primal-dual method).

As in `weighted` all numbers are doubled, only edges without slack are matched, and blossoms with weight are matched
to the outside once. An edge costs what its level costs and, where one end *owns* it, the price of that end besides:
so all tight neighbours of a vertex are still found by a few operations on bitmasks, however many prices there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from pairing.engine.rules.matching.cardinality import Matching
from pairing.engine.rules.matching.forest import BlossomForest
from pairing.engine.rules.matching.masks import mask_of, members
from pairing.engine.rules.matching.tree import NOBODY
from pairing.engine.watching import breathe

FEW = 8
"""So many vertices are looked at one by one; more of them by groups of equal value."""


class Tariff(NamedTuple):
    """What the edges of a graph cost.

    `levels` are disjoint graphs over the same vertices, each with the cost of its edges (0 or more) before its
    neighbour masks. `owned[v]` is the bitmask of those whose edge to v costs `prices[v]` more (0 or more); no edge is
    owned by both ends.
    """

    levels: Sequence[tuple[int, Sequence[int]]]
    owned: Sequence[int]
    prices: Sequence[int]


def cheapest_pairs(tariff: Tariff, alive: int, dual: Sequence[int] | None = None) -> list[tuple[int, int]] | None:
    """Pair all vertices of `alive` at the least price; lower vertex first, ascending. None where they cannot be.

    `dual` are values to start from, one a vertex: the sum of those of both ends is at most twice the cost of any edge
    (default: all 0).
    """
    return _Search(tariff, alive, dual).run()


def cheapest_pairs_with_duals(
    tariff: Tariff, alive: int, dual: Sequence[int] | None = None
) -> tuple[list[tuple[int, int]], list[int]] | None:
    """As `cheapest_pairs`, with dual values to start from when the same is asked of dearer edges, or of fewer."""
    search = _Search(tariff, alive, dual)
    pairs = search.run()
    return None if pairs is None else (pairs, search.duals())


class _Term(NamedTuple):
    """Some edges of a vertex u whose slack is `offset` - dual[u] - value, the other end's value of the named kind."""

    offset: int
    mask: int
    less_price: bool


class _Values:
    """Some vertices grouped by their dual value, or by that less their doubled price, as long as no value changes."""

    def __init__(self, vertices: int, dual: Sequence[int], prices: Sequence[int]) -> None:
        self.vertices = vertices
        self._dual = dual
        self._prices = prices
        self._grouped: dict[bool, dict[int, int]] = {}
        self._descending: dict[bool, list[tuple[int, int]]] = {}

    def of(self, vertex: int, less_price: bool) -> int:
        return self._dual[vertex] - 2 * self._prices[vertex] if less_price else self._dual[vertex]

    def having(self, value: int, among: int, less_price: bool) -> int:
        """Bitmask of those of `among` who have a value."""
        if among.bit_count() <= FEW:
            return mask_of(vertex for vertex in members(among) if self.of(vertex, less_price) == value)
        return among & self._groups(less_price).get(value, 0)

    def greatest(self, among: int, less_price: bool, floor: int | None) -> int | None:
        """The greatest value of any of `among`; None where all are below the floor."""
        if among.bit_count() <= FEW:
            value = max(self.of(vertex, less_price) for vertex in members(among))
            return value if floor is None or value >= floor else None
        if less_price not in self._descending:
            self._descending[less_price] = sorted(self._groups(less_price).items(), reverse=True)
        for value, group in self._descending[less_price]:
            if floor is not None and value < floor:
                return None
            if among & group:
                return value
        return None

    def _groups(self, less_price: bool) -> dict[int, int]:
        if less_price not in self._grouped:
            # Done at every step for all vertices: hence not one call for each.
            vertices = list(members(self.vertices))
            if less_price:
                valued = [self._dual[vertex] - 2 * self._prices[vertex] for vertex in vertices]
            else:
                valued = [self._dual[vertex] for vertex in vertices]
            groups: dict[int, int] = {}
            for vertex, value in zip(vertices, valued, strict=True):
                groups[value] = groups.get(value, 0) | 1 << vertex
            self._grouped[less_price] = groups
        return self._grouped[less_price]


class _Search:
    """Tree after tree, each from one exposed vertex, until all are matched.

    The dual values change in steps whose sum is the tree's clock. For every outer vertex a time is known before
    which none of its edges to the outside, or to another outer node, becomes tight (a *bound*); and for every
    vertex that fell out of the tree with a blossom one before which no outer vertex can reach it (under `~vertex`).
    Only what comes next is worked out exactly.
    """

    def __init__(self, tariff: Tariff, alive: int, dual: Sequence[int] | None) -> None:
        count = len(tariff.owned)
        self._alive = alive
        self._prices = tariff.prices
        self._dual = [0] * count if dual is None else list(dual)
        self._terms = _terms(tariff, alive)
        self._forest = BlossomForest(count)
        self._exposed = 0
        self._time = 0
        self._bounds: dict[int, int] = {}
        self._agenda: list[tuple[int, int]] = []

    def run(self) -> list[tuple[int, int]] | None:
        forest = self._forest
        if not self._raise_values():
            return None
        values = self._values(self._alive)
        tight = [self._tight(v, values) if self._alive >> v & 1 else 0 for v in range(len(self._dual))]
        for one, other in Matching(tight, self._alive).pairs():
            forest.mate[one], forest.mate[other] = other, one
        for root in members(self._alive):
            if forest.mate[root] == NOBODY and not self._match_root(root):
                return None
        return [(v, forest.mate[v]) for v in members(self._alive) if v < forest.mate[v]]

    def _raise_values(self) -> bool:
        """Bring everyone without a tight edge to his cheapest one; return False where somebody has no edge at all.

        That is where the search would bring them too, one after the other and by many steps.
        """
        values = self._values(self._alive)
        raised = 0
        for vertex in members(self._alive):
            slack: int | None = None
            for offset, mask, less_price in self._terms[vertex]:
                for among in (mask & ~raised, mask & raised):
                    if among and slack != 0:
                        group = values if among & ~raised else self._values(among)
                        left = offset - self._dual[vertex] - (group.greatest(among, less_price, None) or 0)
                        slack = left if slack is None else min(slack, left)
            if slack is None:
                return False
            if slack:
                self._dual[vertex] += slack
                raised |= 1 << vertex
        return True

    def duals(self) -> list[int]:
        """Dual values that bear the weights of the blossoms: no edge's slack is less for that, inside them all stay."""
        dual = list(self._dual)
        for node, weight in self._forest.weight.items():
            for vertex in members(self._forest.mask(node)):
                dual[vertex] -= weight // 2
        return dual

    def _match_root(self, root: int) -> bool:
        self._time = 0
        self._bounds.clear()
        self._agenda.clear()
        self._exposed = mask_of(v for v in members(self._alive) if self._forest.mate[v] == NOBODY)
        self._forest.plant(root)
        due = list(members(self._forest.outer))
        while not self._spread(due):
            breathe()
            at_last = self._advance()
            if at_last is None:
                return False
            due = at_last
        self._tidy()
        return True

    def _values(self, vertices: int) -> _Values:
        return _Values(vertices, self._dual, self._prices)

    def _tight(self, vertex: int, values: _Values) -> int:
        """Bitmask of those to whom an edge is tight; `values` are those of all."""
        tight = 0
        for offset, mask, less_price in self._terms[vertex]:
            tight |= values.having(offset - self._dual[vertex], mask, less_price)
        return tight

    def _spread(self, due: Iterable[int]) -> bool:
        """Grow the tree along the tight edges of those who are due, and of all who join it, as far as it goes.

        Augment and return True when an exposed node is met.
        """
        forest = self._forest
        values = self._values(self._alive)
        while True:
            queue = self._outer_ends(due, values)
            # The list grows while it is read: it is the queue of the search.
            for vertex in queue:
                self._expect(vertex, self._time)
                tight = self._tight(vertex, values)
                tight &= ~(forest.inner | forest.mask(forest.top[vertex]))
                while tight:
                    met = tight.bit_length() - 1
                    node = forest.top[met]
                    if forest.is_outer.get(node, False):
                        queue += members(forest.contract(vertex, met))
                        tight &= ~forest.mask(forest.top[vertex])
                    elif self._exposed >> forest.base(node) & 1:
                        forest.rebase(node, met)
                        forest.mate[met] = vertex
                        forest.flip(vertex, met)
                        return True
                    else:
                        queue += members(forest.grow(node, (vertex, met)))
                        tight &= ~forest.mask(node)
            due = self._expand_spent()
            if not due:
                return False

    def _outer_ends(self, due: Iterable[int], values: _Values) -> list[int]:
        """The outer vertices that are due, and those with a tight edge to a vertex that fell out of the tree."""
        forest = self._forest
        ends: list[int] = []
        for key in due:
            if key >= 0:
                ends.append(key)
            elif not (forest.outer | forest.inner) >> ~key & 1:
                ends += members(self._tight(~key, values) & forest.outer)
                self._expect(key, self._time)
        return ends

    def _expand_spent(self) -> list[int]:
        """Open the inner blossoms whose weight is used up; return who is due for that."""
        forest = self._forest
        due: list[int] = []
        for node in [node for node, outer in forest.is_outer.items() if not outer and forest.weight.get(node) == 0]:
            mask = forest.mask(node)
            forest.expand_inner(node)
            due += members(mask & forest.outer)
            due += (~vertex for vertex in members(mask & ~(forest.outer | forest.inner)))
        return due

    def _expect(self, key: int, time: int) -> None:
        self._bounds[key] = time
        heappush(self._agenda, (time, key))

    def _advance(self) -> list[int] | None:
        """Change the dual values until something new is tight, and return who is due; None where nothing ever will be.

        The list may be empty: then a blossom is spent.
        """
        forest, agenda, bounds = self._forest, self._agenda, self._bounds
        inner = [forest.weight[node] for node, outer in forest.is_outer.items() if not outer and node in forest.weight]
        beyond = self._values(self._alive & ~(forest.outer | forest.inner))
        outer = self._values(forest.outer)
        wait = min(inner) // 2 if inner else None
        known: set[int] = set()
        while agenda and (wait is None or agenda[0][0] <= self._time + wait):
            time, key = agenda[0]
            if key in known and bounds[key] == time:
                break
            heappop(agenda)
            if bounds.get(key) != time:
                continue
            del bounds[key]
            own_wait = self._wait(key, beyond, outer)
            if own_wait is not None:
                wait = own_wait if wait is None else min(wait, own_wait)
                known.add(key)
                self._expect(key, self._time + own_wait)
        if wait is None:
            return None
        self._shift(wait)
        self._time += wait
        due: list[int] = []
        while agenda and agenda[0][0] <= self._time:
            time, key = heappop(agenda)
            if bounds.get(key) == time:
                del bounds[key]
                due.append(key)
        return due

    def _shift(self, step: int) -> None:
        """Change the dual values: outer vertices up, inner down, and the blossoms to suit."""
        forest = self._forest
        for vertex in members(forest.outer):
            self._dual[vertex] += step
        for vertex in members(forest.inner):
            self._dual[vertex] -= step
        for node, outer in forest.is_outer.items():
            if node in forest.weight:
                forest.weight[node] += 2 * step if outer else -2 * step

    def _tidy(self) -> None:
        """Dissolve the blossoms without weight."""
        forest = self._forest
        forest.clear()
        waiting = [node for node in {forest.top[vertex] for vertex in members(self._alive)} if node in forest.blossoms]
        while waiting:
            node = waiting.pop()
            if forest.weight[node] == 0:
                waiting += [child for child in forest.dissolve(node) if child in forest.blossoms]

    def _wait(self, key: int, beyond: _Values, outer: _Values) -> int | None:
        """How long until an edge of an outer vertex, or to one that fell out (`~vertex`), is tight; None: for ever."""
        vertex = key if key >= 0 else ~key
        value = self._dual[vertex]
        elsewhere = ~self._forest.mask(self._forest.top[vertex])
        ways = ((beyond, 1), (outer, 2)) if key >= 0 else ((outer, 1),)
        found: int | None = None
        for offset, mask, less_price in self._terms[vertex]:
            for values, shares in ways:
                wanted = mask & values.vertices & elsewhere
                if wanted:
                    floor = None if found is None else offset - value - shares * found
                    greatest = values.greatest(wanted, less_price, floor)
                    if greatest is not None:
                        found = (offset - value - greatest) // shares
        return found


def _terms(tariff: Tariff, alive: int) -> list[list[_Term]]:
    owes = [0] * len(tariff.owned)
    for owner, mask in enumerate(tariff.owned):
        for other in members(mask):
            owes[other] |= 1 << owner
    terms: list[list[_Term]] = []
    for vertex, owned in enumerate(tariff.owned):
        price = tariff.prices[vertex]
        ways: list[_Term] = []
        for cost, neighbours in tariff.levels:
            mask = neighbours[vertex] & alive
            ways.append(_Term(2 * cost, mask & ~(owned | owes[vertex]), False))
            ways.append(_Term(2 * (cost + price), mask & owned, False))
            ways.append(_Term(2 * cost, mask & owes[vertex], True))
        terms.append([term for term in ways if term.mask])
    return terms
