"""A perfect matching of least price, for whole-number prices of any size (Edmonds' primal-dual method).

As in `zero_one_matching`, all numbers are doubled and only edges without slack are matched. Blossoms with weight are
matched to the outside once. An edge costs the price of its level. If one end *owns* it, the price of that end is added.
So a few operations on bitmasks find all tight neighbours of a vertex, however many prices there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from pairing.engine.matching.bitmasks import bitmask_members
from pairing.engine.matching.blossom_forest import BlossomForest
from pairing.engine.matching.maximum_matching import NO_VERTEX, MaximumMatching
from pairing.engine.matching.optimal_matchings import (
    DualValues,
    OptimalMatchings,
    SlackTerm,
    optimal_matchings_from_duals,
)
from pairing.engine.progress import check_cancelled

MAX_SINGLE_SEARCHES = 16
"""Up to this many unmatched vertices are searched one by one from the start."""


class EdgeCosts(NamedTuple):
    """The costs of the edges of a graph.

    `levels` are disjoint graphs over the same vertices: each is the cost of its edges (0 or more) and its neighbour
    masks. `owned[v]` is the bitmask of those whose edge to v costs `prices[v]` more (0 or more). No edge is owned by
    both ends.
    """

    levels: Sequence[tuple[int, Sequence[int]]]
    owned: Sequence[int]
    prices: Sequence[int]


def find_min_weight_matching(
    tariff: EdgeCosts, alive: int, dual: Sequence[int] | None = None, pairs: Iterable[tuple[int, int]] = ()
) -> list[tuple[int, int]] | None:
    """Pair all vertices in `alive` at the lowest price, or return None. Pairs are sorted, lower vertex first.

    `dual` are values to start from, one for each vertex: the sum of both ends is at most twice the cost of any edge
    (default: all 0). `pairs` are a matching to start from, which need not be a cheap one.
    """
    return MinWeightSearch(tariff, alive, dual).find_matching(pairs)


def find_optimal_matchings(
    tariff: EdgeCosts, alive: int, pairs: Iterable[tuple[int, int]] = ()
) -> OptimalMatchings | None:
    """Return all pairings with the lowest price, or None if there are none. `pairs` is a matching to start from."""
    search = MinWeightSearch(tariff, alive)
    found = search.find_matching(pairs)
    return None if found is None else optimal_matchings_from_duals(search.forest, search.values, search.terms, found)


class MinWeightSearch:
    """A search with a tree from every exposed vertex, all growing at the same pace, until all are matched.

    Two trees that meet are removed and the others stay, so what a tree has found is not searched again.

    The dual values change in steps whose sum is the clock of the search. For every outer vertex there is a *bound*: the
    earliest time at which one of its edges, to the outside or to another outer node, can become tight. For every vertex
    that left a tree there is a bound for being reached by an outer vertex (under `~vertex`). Only the next event is
    computed exactly.
    """

    def __init__(self, tariff: EdgeCosts, alive: int, dual: Sequence[int] | None = None) -> None:
        """Take the arguments of `find_min_weight_matching`."""
        count = len(tariff.owned)
        self.alive = alive
        self.terms = _terms(tariff, alive)
        # Even values: then all roots differ by an even number, and two trees meet after a whole number of steps.
        start = [0] * count if dual is None else [value & ~1 for value in dual]
        self.values = DualValues(alive, start, tariff.prices)
        self.forest = BlossomForest(count)
        self._bounds: dict[int, int] = {}
        self._agenda: list[tuple[int, int]] = []

    def find_matching(self, pairs: Iterable[tuple[int, int]] = ()) -> list[tuple[int, int]] | None:
        """Match all vertices at the lowest price. Return None if that is impossible."""
        mate = self.forest.mate
        if not self._raise_values():
            return None
        standing = [(one, other) for one, other in pairs if self._tight(one, 1 << other)]
        if 2 * len(standing) + MAX_SINGLE_SEARCHES < self.alive.bit_count():
            tight = [self._tight(v, self.alive) if self.alive >> v & 1 else 0 for v in range(len(mate))]
            standing = MaximumMatching(tight, self.alive, standing).matched_pairs()
        for one, other in standing:
            mate[one], mate[other] = other, one
        if not self._match_exposed([v for v in bitmask_members(self.alive) if mate[v] == NO_VERTEX]):
            return None
        return [(v, mate[v]) for v in bitmask_members(self.alive) if v < mate[v]]

    def _raise_values(self) -> bool:
        """Give every vertex its cheapest edge as a tight one, and return False if one has no edge at all.

        The search would reach the same values, vertex by vertex and in many steps.
        """
        values = self.values
        for vertex in bitmask_members(self.alive):
            slack: int | None = None
            for offset, mask, less_price in self.terms[vertex]:
                if slack != 0:
                    left = offset - values.dual_value(vertex) - (values.greatest_value(mask, 0, less_price, None) or 0)
                    slack = left if slack is None else min(slack, left)
            if slack is None:
                return False
            if slack:
                values.raise_dual_value(vertex, slack)
        return True

    def _match_exposed(self, roots: Sequence[int]) -> bool:
        """Match these and all others, and return False if that is impossible."""
        self.forest.reset_trees(roots)
        left = len(roots) - 2 * self._spread(bitmask_members(self.forest.outer))
        while left:
            check_cancelled()
            due = self._advance()
            if due is None:
                return False
            left -= 2 * self._spread(due)
        return True

    def _tight(self, vertex: int, among: int) -> int:
        """Return the bitmask of those of `among` with a tight edge to the vertex."""
        tight, value = 0, self.values.dual_value(vertex)
        for offset, mask, less_price in self.terms[vertex]:
            if mask & among:
                tight |= self.values.vertices_with_value(offset - value, mask & among, less_price)
        return tight

    def _spread(self, due: Iterable[int]) -> int:
        """Grow the trees along the tight edges of those due, and of all who join, as far as possible.

        Two trees that meet are matched and removed. Return how often that happened.
        """
        forest = self.forest
        met_trees = 0
        while True:
            queue = self._outer_ends(due)
            # The list grows while it is read: it is the queue of the search.
            for vertex in queue:
                if not forest.outer >> vertex & 1:
                    continue
                self._expect(vertex, self.values.time)
                tight = self._tight(vertex, self.alive & ~(forest.inner | forest.node_mask(forest.top[vertex])))
                while tight:
                    met = tight.bit_length() - 1
                    node = forest.top[met]
                    if not forest.is_outer.get(node, False):
                        queue += bitmask_members(forest.grow_tree(node, (vertex, met)))
                        tight &= ~forest.node_mask(node)
                    elif forest.is_in_same_tree(vertex, met):
                        queue += bitmask_members(forest.contract_blossom(vertex, met))
                        tight &= ~forest.node_mask(forest.top[vertex])
                    else:
                        met_trees += 1
                        queue += self._outer_ends(self._fell(forest.augment_matching(vertex, met)))
                        break
            due = self._expand_spent()
            if not due:
                return met_trees

    def _fell(self, fallen: int) -> list[int]:
        """Dissolve the blossoms without weight of vertices whose trees are gone. Return the keys that are now due."""
        for vertex in bitmask_members(fallen):
            self._bounds.pop(vertex, None)
        waiting = list({self.forest.top[vertex] for vertex in bitmask_members(fallen)})
        while waiting:
            node = waiting.pop()
            if self.forest.weight.get(node) == 0:
                waiting += self.forest.dissolve_blossom(node)
        return [~vertex for vertex in bitmask_members(fallen)]

    def _outer_ends(self, due: Iterable[int]) -> list[int]:
        """Return the outer vertices that are due, and those who join with a due vertex outside the trees."""
        forest = self.forest
        ends: list[int] = []
        for key in due:
            if key >= 0:
                ends.append(key)
            elif not (forest.outer | forest.inner) >> ~key & 1:
                # One such edge is enough: the others add no vertices.
                tight = self._tight(~key, forest.outer)
                if tight:
                    ends += bitmask_members(forest.grow_tree(forest.top[~key], (tight.bit_length() - 1, ~key)))
                else:
                    self._expect(key, self.values.time)
        return ends

    def _expand_spent(self) -> list[int]:
        """Open the inner blossoms whose weight is used up, and return the keys that are now due."""
        forest = self.forest
        due: list[int] = []
        for node in [
            node for node, weight in forest.weight.items() if not weight and not forest.is_outer.get(node, True)
        ]:
            mask = forest.node_mask(node)
            forest.expand_inner_blossom(node)
            due += bitmask_members(mask & forest.outer)
            due += (~vertex for vertex in bitmask_members(mask & ~(forest.outer | forest.inner)))
        return due

    def _expect(self, key: int, time: int) -> None:
        self._bounds[key] = time
        heappush(self._agenda, (time, key))

    def _advance(self) -> list[int] | None:
        """Change the dual values until another edge is tight, and return the keys that are due.

        None if no edge ever will be. The list is empty if a blossom has used up its weight first.
        """
        forest, agenda, bounds, values = self.forest, self._agenda, self._bounds, self.values
        values.relabel_vertices(forest.outer, forest.inner)
        inner = [weight for node, weight in forest.weight.items() if not forest.is_outer.get(node, True)]
        wait = min(inner) // 2 if inner else None
        known: set[int] = set()
        while agenda and (wait is None or agenda[0][0] <= values.time + wait):
            time, key = agenda[0]
            if key in known and bounds[key] == time:
                break
            heappop(agenda)
            if bounds.get(key) != time:
                continue
            del bounds[key]
            own_wait = self._wait(key)
            if own_wait is not None:
                wait = own_wait if wait is None else min(wait, own_wait)
                known.add(key)
                self._expect(key, values.time + own_wait)
        if wait is None:
            return None
        values.time += wait
        for node in forest.weight:
            if node in forest.is_outer:
                forest.weight[node] += 2 * wait if forest.is_outer[node] else -2 * wait
        due: list[int] = []
        while agenda and agenda[0][0] <= values.time:
            time, key = heappop(agenda)
            if bounds.get(key) == time:
                del bounds[key]
                due.append(key)
        return due

    def _wait(self, key: int) -> int | None:
        """Return the time until an edge of an outer vertex, or to one outside (`~vertex`), is tight (None: never)."""
        forest, values = self.forest, self.values
        vertex = key if key >= 0 else ~key
        value = values.dual_value(vertex)
        elsewhere = self.alive & ~forest.node_mask(forest.top[vertex])
        outer = forest.outer & elsewhere
        # The decrease of slack per unit of time, and how much of it comes from the other end.
        ways = ((elsewhere & ~(outer | forest.inner), 1, 0), (outer, 2, 1)) if key >= 0 else ((outer, 1, 1),)
        found: int | None = None
        for offset, mask, less_price in self.terms[vertex]:
            for who, shares, pace in ways:
                if mask & who:
                    floor = None if found is None else offset - value - shares * found
                    greatest = values.greatest_value(mask & who, pace, less_price, floor)
                    if greatest is not None:
                        found = (offset - value - greatest) // shares
        return found


def _terms(tariff: EdgeCosts, alive: int) -> list[list[SlackTerm]]:
    owes = [0] * len(tariff.owned)
    for owner, mask in enumerate(tariff.owned):
        for other in bitmask_members(mask):
            owes[other] |= 1 << owner
    terms: list[list[SlackTerm]] = [[] for _ in tariff.owned]
    for vertex in bitmask_members(alive):
        owned = tariff.owned[vertex]
        price = tariff.prices[vertex]
        ways: list[SlackTerm] = []
        for cost, neighbours in tariff.levels:
            mask = neighbours[vertex] & alive
            ways.append(SlackTerm(2 * cost, mask & ~(owned | owes[vertex]), False))
            ways.append(SlackTerm(2 * (cost + price), mask & owned, False))
            ways.append(SlackTerm(2 * cost, mask & owes[vertex], True))
        terms[vertex] = [term for term in ways if term.mask]
    return terms
