"""The dual values of a search, grouped so that all vertices with a value are found as one bitmask."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pairing.engine.matching.bitmasks import bitmask_members, bitmask_of
from pairing.engine.matching.blossom_forest import BlossomForest

MAX_SCANNED_VERTICES = 8
"""Up to this many vertices are checked one by one; more of them by groups of equal value."""


class SlackTerm(NamedTuple):
    """Some edges of a vertex u with slack `offset` - dual[u] - value.

    The value is the other end's: its dual value, less twice its price if `is_price_subtracted`.
    """

    offset: int
    mask: int
    is_price_subtracted: bool


class _Shelf:
    """Some vertices grouped by value."""

    def __init__(self) -> None:
        self._groups: dict[int, int] = {}
        self._ascending: list[int] = []

    def add_vertex(self, value: int, bit: int) -> None:
        known = self._groups.get(value)
        if known is None:
            insort(self._ascending, value)
            known = 0
        self._groups[value] = known | bit

    def remove_vertex(self, value: int, bit: int) -> None:
        left = self._groups[value] ^ bit
        if left:
            self._groups[value] = left
        else:
            del self._groups[value]
            del self._ascending[bisect_left(self._ascending, value)]

    def vertices_with_value(self, value: int) -> int:
        return self._groups.get(value, 0)

    def greatest_value(self, among: int, floor: int | None) -> int | None:
        """Return the largest value in `among`, or None if all are below `floor`."""
        groups = self._groups
        for value in reversed(self._ascending):
            if floor is not None and value < floor:
                return None
            if among & groups[value]:
                return value
        return None


class DualValues:
    """The dual values of all vertices over time: outer ones rise, inner ones fall.

    `relabel_vertices` sets which are outer and inner. Values less twice the price of each vertex are grouped too, once
    they are needed (`less_price`).
    """

    def __init__(self, vertices: int, dual: Sequence[int], prices: Sequence[int]) -> None:
        """Group the vertices of a bitmask. None is outer or inner yet."""
        self.vertices = vertices
        self.time = 0
        self.outer = self.inner = 0
        # The value at time 0, as if the vertex had always moved at its present pace.
        self._at_first = list(dual)
        self._pace = [0] * len(dual)
        self._prices = prices
        # By pace: vertices at rest (0), outer ones (1), and inner ones (-1).
        self._shelves: dict[bool, tuple[_Shelf, _Shelf, _Shelf]] = {}
        self._stand_on(less_price=False)

    def dual_value(self, vertex: int) -> int:
        """Return the value of a vertex."""
        return self._at_first[vertex] + self._pace[vertex] * self.time

    def raise_dual_value(self, vertex: int, step: int) -> None:
        """Change the value of a vertex that is neither outer nor inner."""
        self._move(vertex, 0, step)

    def relabel_vertices(self, outer: int, inner: int) -> None:
        """Set the outer and inner vertices."""
        for vertex in bitmask_members((outer ^ self.outer) | (inner ^ self.inner)):
            bit = 1 << vertex
            self._move(vertex, 1 if outer & bit else -1 if inner & bit else 0, 0)
        self.outer, self.inner = outer, inner

    def vertices_with_value(self, value: int, among: int, less_price: bool) -> int:
        """Return the bitmask of the vertices in `among` with this value."""
        if among.bit_count() <= MAX_SCANNED_VERTICES:
            return bitmask_of(vertex for vertex in bitmask_members(among) if self._valued(vertex, less_price) == value)
        self._stand_on(less_price)
        at_rest, outer, inner = self._shelves[less_price]
        return (
            at_rest.vertices_with_value(value)
            | outer.vertices_with_value(value - self.time)
            | inner.vertices_with_value(value + self.time)
        ) & among

    def greatest_value(self, among: int, pace: int, less_price: bool, floor: int | None) -> int | None:
        """Return the largest value in `among` (outer with pace 1, at rest with 0), or None if all are below `floor`."""
        if among.bit_count() <= MAX_SCANNED_VERTICES:
            value = max(self._valued(vertex, less_price) for vertex in bitmask_members(among))
            return value if floor is None or value >= floor else None
        self._stand_on(less_price)
        moved = pace * self.time
        found = self._shelves[less_price][pace].greatest_value(among, None if floor is None else floor - moved)
        return None if found is None else found + moved

    def _valued(self, vertex: int, less_price: bool) -> int:
        return self.dual_value(vertex) - 2 * self._prices[vertex] if less_price else self.dual_value(vertex)

    def _stand_on(self, less_price: bool) -> None:
        if less_price in self._shelves:
            return
        self._shelves[less_price] = (_Shelf(), _Shelf(), _Shelf())
        for vertex in bitmask_members(self.vertices):
            less = 2 * self._prices[vertex] if less_price else 0
            self._shelves[less_price][self._pace[vertex]].add_vertex(self._at_first[vertex] - less, 1 << vertex)

    def _move(self, vertex: int, pace: int, step: int) -> None:
        old, former = self._at_first[vertex], self._pace[vertex]
        new = old + (former - pace) * self.time + step
        self._at_first[vertex], self._pace[vertex] = new, pace
        for less_price, shelves in self._shelves.items():
            less = 2 * self._prices[vertex] if less_price else 0
            shelves[former].remove_vertex(old - less, 1 << vertex)
            shelves[pace].add_vertex(new - less, 1 << vertex)


class OptimalMatchings(NamedTuple):
    """The cheapest perfect matchings: the ones in these graphs that cross every border once.

    `levels` are disjoint graphs by the number of borders that their edges cross. `borders` are bitmasks of odd sets,
    any two of them disjoint or nested. `pairs` is one of the matchings.
    """

    levels: dict[int, list[int]]
    borders: Sequence[int]
    pairs: list[tuple[int, int]]

    @property
    def min_border_crossings(self) -> int:
        """The total number of border crossings by the pairs, which is the lowest possible."""
        return len(self.borders)


class _Around(NamedTuple):
    """A blossom with weight around a vertex: its mask, and its weight plus that of all around it."""

    mask: int
    weight: int


def optimal_matchings_from_duals(
    forest: BlossomForest, values: DualValues, terms: Sequence[Sequence[SlackTerm]], pairs: list[tuple[int, int]]
) -> OptimalMatchings:
    """Return the cheapest matchings of the vertices of `values` after a search. `terms` are each vertex's edges."""
    nests = _nests(forest, values.vertices)
    by_depth: dict[int, int] = {}
    for vertex in bitmask_members(values.vertices):
        depth = len(nests.get(vertex, ()))
        by_depth[depth] = by_depth.get(depth, 0) | 1 << vertex
    levels: dict[int, list[int]] = {}
    for vertex in bitmask_members(values.vertices):
        value = values.dual_value(vertex)
        nest = nests.get(vertex, ())
        left = values.vertices
        # From the innermost blossom outwards: vertices for which it is the first blossom in common.
        for common, (mask, weight) in zip(range(len(nest), -1, -1), (*nest, _Around(values.vertices, 0)), strict=True):
            here, left = mask & left, left & ~mask
            tight = 0
            for offset, neighbours, less_price in terms[vertex]:
                if neighbours & here:
                    tight |= values.vertices_with_value(offset - value + weight, neighbours & here, less_price)
            for depth, who in by_depth.items() if tight else ():
                if tight & who:
                    graph = levels.setdefault(len(nest) + depth - 2 * common, [0] * len(terms))
                    graph[vertex] |= tight & who
    return OptimalMatchings(levels, [forest.node_mask(node) for node, weight in forest.weight.items() if weight], pairs)


def _nests(forest: BlossomForest, vertices: int) -> Mapping[int, tuple[_Around, ...]]:
    """Return the blossoms with weight around each vertex that has any, the innermost first."""
    nests: dict[int, tuple[_Around, ...]] = {}
    outermost = {forest.top[vertex] for vertex in bitmask_members(vertices)}
    waiting: list[tuple[int, tuple[_Around, ...]]] = [(node, ()) for node in outermost]
    while waiting:
        node, nest = waiting.pop()
        if node not in forest.blossoms:
            if nest:
                nests[node] = nest
            continue
        if forest.weight[node]:
            nest = (_Around(forest.node_mask(node), forest.weight[node] + (nest[0].weight if nest else 0)), *nest)
        waiting += ((child, nest) for child in forest.blossoms[node].children)
    return nests
