"""Which edges stand in perfect matchings of least cost, and which odd sets bind those.

The proof that a matching is one of the cheapest are dual values and blossoms with weight. Every other cheapest matching
has the same proof: it consists of tight edges only, and crosses the border of each of these blossoms once. No perfect
matching crosses the border of an odd set less often. So the cheapest ones are just those of the tight edges that cross
the fewest borders altogether, and it takes no more than small numbers to search among them once more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pairing.engine.matching.bitmasks import bitmask_members
from pairing.engine.matching.blossom_forest import BlossomForest
from pairing.engine.matching.dual_values import DualValues, SlackTerm


class OptimalMatchings(NamedTuple):
    """The cheapest perfect matchings: those of all these graphs that cross every border once.

    `levels` are disjoint graphs by the number of borders that their edges cross; `borders` are bitmasks of odd sets,
    any two of them apart or one within the other; `pairs` is one of the matchings.
    """

    levels: dict[int, list[int]]
    borders: Sequence[int]
    pairs: list[tuple[int, int]]

    @property
    def crossing_count(self) -> int:
        """How many borders the pairs cross altogether, which is as few as can be."""
        return len(self.borders)


class _Around(NamedTuple):
    """A blossom with weight round a vertex: its mask, and the weight of it and of all round it."""

    mask: int
    weight: int


def optimal_matchings_from_duals(
    forest: BlossomForest, values: DualValues, terms: Sequence[Sequence[SlackTerm]], pairs: list[tuple[int, int]]
) -> OptimalMatchings:
    """What a finished search says of the vertices of `values`; `terms` are the edges of each."""
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
        # From the innermost blossom outwards: those with whom it is the first in common.
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
    """The blossoms with weight round each vertex that has any, the innermost first."""
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
