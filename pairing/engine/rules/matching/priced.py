"""A perfect matching of least price, for whole-number prices of any size (Edmonds' primal-dual method).

As in `weighted` all numbers are doubled, only edges without slack are matched, and blossoms with weight are matched
to the outside once. An edge costs what its level costs and, where one end *owns* it, the price of that end besides:
so all tight neighbours of a vertex are still found by a few operations on bitmasks, however many prices there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pairing.engine.rules.matching.cardinality import Matching
from pairing.engine.rules.matching.forest import BlossomForest
from pairing.engine.rules.matching.masks import mask_of, members
from pairing.engine.rules.matching.tree import NOBODY


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


class _Term(NamedTuple):
    """Some edges of a vertex u whose slack is `offset` - dual[u] - value, the other end's value of the named kind."""

    offset: int
    mask: int
    less_price: bool


class _Search:
    def __init__(self, tariff: Tariff, alive: int, dual: Sequence[int] | None) -> None:
        count = len(tariff.owned)
        self._alive = alive
        self._prices = tariff.prices
        self._dual = [0] * count if dual is None else list(dual)
        self._terms = _terms(tariff, alive)
        self._forest = BlossomForest(count)

    def run(self) -> list[tuple[int, int]] | None:
        forest = self._forest
        values = self._by_value(self._alive)
        tight = [self._tight(v, values) if self._alive >> v & 1 else 0 for v in range(len(self._dual))]
        for one, other in Matching(tight, self._alive).pairs():
            forest.mate[one], forest.mate[other] = other, one
        for root in members(self._alive):
            if forest.mate[root] == NOBODY and not self._match_root(root):
                return None
        return [(v, forest.mate[v]) for v in members(self._alive) if v < forest.mate[v]]

    def _match_root(self, root: int) -> bool:
        self._forest.plant(root)
        while not self._spread():
            step = self._step()
            if step is None:
                return False
            self._shift(step)
        self._tidy()
        return True

    def _by_value(self, vertices: int) -> tuple[dict[int, int], dict[int, int]]:
        """The vertices by dual value, and by dual value less their doubled price."""
        plain: dict[int, int] = {}
        less_price: dict[int, int] = {}
        for vertex in members(vertices):
            value = self._dual[vertex]
            plain[value] = plain.get(value, 0) | 1 << vertex
            value -= 2 * self._prices[vertex]
            less_price[value] = less_price.get(value, 0) | 1 << vertex
        return plain, less_price

    def _tight(self, vertex: int, values: tuple[dict[int, int], dict[int, int]]) -> int:
        tight = 0
        for offset, mask, less_price in self._terms[vertex]:
            tight |= mask & values[less_price].get(offset - self._dual[vertex], 0)
        return tight

    def _spread(self) -> bool:
        """Grow the tree along tight edges as far as it goes; augment and return True when an exposed node is met."""
        forest = self._forest
        values = self._by_value(self._alive)
        exposed = mask_of(v for v in members(self._alive) if forest.mate[v] == NOBODY)
        spent = [NOBODY]
        while spent:
            # Anew for all outer vertices: any of them may meet what has left an inner blossom.
            queue = list(members(forest.outer))
            # The list grows while it is read: it is the queue of the search.
            for vertex in queue:
                tight = self._tight(vertex, values)
                tight &= ~(forest.inner | forest.mask(forest.top[vertex]))
                while tight:
                    met = tight.bit_length() - 1
                    node = forest.top[met]
                    if forest.is_outer.get(node, False):
                        queue += members(forest.contract(vertex, met))
                        tight &= ~forest.mask(forest.top[vertex])
                    elif exposed >> forest.base(node) & 1:
                        forest.rebase(node, met)
                        forest.mate[met] = vertex
                        forest.flip(vertex, met)
                        return True
                    else:
                        queue += members(forest.grow(node, (vertex, met)))
                        tight &= ~forest.mask(node)
            spent = [node for node, outer in forest.is_outer.items() if not outer and forest.weight.get(node) == 0]
            for node in spent:
                forest.expand_inner(node)
        return False

    def _step(self) -> int | None:
        """By how much the dual values can change until something new is tight; None where nothing ever will be."""
        forest = self._forest
        steps = [
            forest.weight[node] // 2 for node, outer in forest.is_outer.items() if not outer and node in forest.weight
        ]
        least = min(steps) if steps else None
        beyond = self._descending(self._alive & ~(forest.outer | forest.inner))
        outer = self._descending(forest.outer)
        for vertex in members(forest.outer):
            value = self._dual[vertex]
            own_node = forest.mask(forest.top[vertex])
            for offset, mask, less_price in self._terms[vertex]:
                for groups, shares in ((beyond[less_price], 1), (outer[less_price], 2)):
                    for other_value, group in groups:
                        step = (offset - value - other_value) // shares
                        if least is not None and step >= least:
                            break
                        if mask & group & ~own_node:
                            least = step
                            break
        return least

    def _descending(self, vertices: int) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        plain, less_price = self._by_value(vertices)
        return sorted(plain.items(), reverse=True), sorted(less_price.items(), reverse=True)

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
