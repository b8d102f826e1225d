"""Edges that are in perfect matchings of least cost, and the odd sets that bind them.

Dual values and blossoms with weight prove that a matching is one of the cheapest. Every other cheapest matching has the
same proof: it consists of tight edges only, and crosses the border of each of these blossoms once. No perfect matching
crosses the border of an odd set less often. So the cheapest matchings are those of the tight edges that cross the
fewest borders in total. A further search among them needs small numbers only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pairing.engine.matching.bitmasks import bitmask_members
from pairing.engine.matching.blossom_forest import BlossomForest
from pairing.engine.matching.dual_values import DualValues, SlackTerm


class OptimalMatchings(NamedTuple):
    """The cheapest perfect matchings: those of all these graphs that cross every border once.

    `levels` are disjoint graphs by the number of borders that their edges cross. `borders` are bitmasks of odd sets,
    any two of them disjoint or nested. `pairs` is one of the matchings.
    """

    levels: dict[int, list[int]]
    borders: Sequence[int]
    pairs: list[tuple[int, int]]

    @property
    def crossing_count(self) -> int:
        """The total number of borders that the pairs cross, which is the fewest possible."""
        return len(self.borders)


class _Around(NamedTuple):
    """A blossom with weight around a vertex: its mask, and its weight plus that of all around it."""

    mask: int
    weight: int


def optimal_matchings_from_duals(
    forest: BlossomForest, values: DualValues, terms: Sequence[Sequence[SlackTerm]], pairs: list[tuple[int, int]]
) -> OptimalMatchings:
    """Return the cheapest matchings of the vertices of `values` after a search; `terms` are the edges of each."""
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
