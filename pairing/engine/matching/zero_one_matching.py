"""A perfect matching with the fewest costly edges: Edmonds' primal-dual method for costs of 0 and 1.

All numbers are doubled, so that they are integers: an edge costs 0 or 2. Every vertex has a dual value, every blossom a
weight of 0 or more. The slack of an edge is its cost, less the dual values of both ends. The weights of blossoms that
contain both ends are added. Slack is never negative. Only edges without slack ("tight") are matched. Only one vertex of
a blossom with weight is matched to the outside. That proves that no perfect matching is cheaper. Few dual values
differ, so the tight neighbours of a vertex are found as one bitmask for each value.

To fix a pair, each of the two gets a *stub*: a new vertex with no other neighbour. A graph that grows keeps its
blossoms; removing vertices would break them. A vertex and its stub are removed when no blossom contains the vertex.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pairing.engine.matching.bitmasks import bitmask_members, bitmask_of
from pairing.engine.matching.blossom_forest import BlossomForest
from pairing.engine.matching.maximum_matching import NO_VERTEX
from pairing.engine.matching.optimal_matchings import (
    DualValues,
    OptimalMatchings,
    SlackTerm,
    optimal_matchings_from_duals,
)
from pairing.engine.progress import check_cancelled

BATCH_DIVISOR = 16
"""With more than one in this many unmatched, all are matched at once, else one after the other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ZeroOneCostSavepoint:
    """A point in the history of a `ZeroOneCostMatching` to which it can be rolled back. Opaque to callers."""

    alive: int
    cost: int
    pinned: int
    dual: tuple[int, ...]
    by_value: Mapping[int, int]
    forest: BlossomForest


class ZeroOneCostMatching:
    """A perfect matching with the lowest cost, in which pairs are fixed one by one.

    `cost` is the number of costly edges in it, without fixed pairs. With n vertices the stubs are numbered n to 2n - 1.
    """

    def __init__(
        self,
        free: Sequence[int],
        costly: Sequence[int],
        alive: int,
        dual: Sequence[int],
        pairs: Iterable[tuple[int, int]],
    ) -> None:
        """Match the vertices of `alive`, which must have a perfect matching (else this does not end).

        `free` and `costly` hold the neighbours of each vertex by edges that cost 0 and 1. `dual` are values to start
        from that leave no edge with negative slack. `pairs` are tight edges to start from, any matching.
        """
        count = len(free)
        self._count = count
        self._free = list(free)
        self._costly = list(costly)
        self._alive = alive
        self._dual = [*dual, *([0] * count)]
        # Those of `alive` as bitmasks by value; None if they must be grouped again.
        self._by_value: dict[int, int] | None = None
        self._pinned = 0
        self._forest = BlossomForest(2 * count)
        for one, other in pairs:
            self._forest.mate[one], self._forest.mate[other] = other, one
        exposed = [vertex for vertex in bitmask_members(alive) if self._forest.mate[vertex] == NO_VERTEX]
        if len(exposed) * BATCH_DIVISOR > alive.bit_count():
            self._match_exposed(exposed)
        else:
            self._match_singly(exposed)
        self.cost = sum((self._costly[v] >> self._forest.mate[v] & 1) for v in bitmask_members(alive)) // 2

    def possible_partner_costs(self, vertex: int, at_most: int) -> dict[int, int]:
        """For every neighbour that can be paired within a total cost of `at_most`, return the cost of the other pairs.

        Nothing is changed.
        """
        wanted = self.partners_not_ruled_out(vertex, at_most)
        if not wanted:
            return {}
        mark = self.create_savepoint()
        found = self._sweep(vertex, wanted, at_most)
        self.rollback(mark)
        return found

    def partners_not_ruled_out(self, vertex: int, at_most: int) -> int:
        """Return, without a search, a bitmask of the neighbours that the dual values do not rule out as partners.

        Stubs of both would have the opposite values of the two and leave no edge with negative slack. So the others
        cost at least the sum of the values then.
        """
        total = 2 * self.cost - self._dual[vertex]
        by_free = by_costly = 0
        for value, group in self._grouped().items():
            if total - value <= 2 * at_most:
                by_free |= group
            if total - value <= 2 * at_most - 2:
                by_costly |= group
        return (self._free[vertex] & by_free | self._costly[vertex] & by_costly) & self._open()

    def try_fix_pair(self, one: int, other: int, at_most: int) -> bool:
        """Fix a pair of neighbours if the total cost can be `at_most`. Otherwise change nothing and return False."""
        if not self.partners_not_ruled_out(one, at_most) >> other & 1:
            return False
        mark = self.create_savepoint()
        found = self._sweep(one, 1 << other, at_most)
        if other not in found:
            self.rollback(mark)
            return False
        stub = self._sprout(other)
        self._forest.flip_path_to_root(other, stub)
        self._forest.mate[stub] = other
        self.cost = found[other]
        self._tidy()
        return True

    def create_savepoint(self) -> ZeroOneCostSavepoint:
        """Return a savepoint for `rollback`. This takes time in proportion to the number of vertices."""
        return ZeroOneCostSavepoint(
            alive=self._alive,
            cost=self.cost,
            pinned=self._pinned,
            dual=tuple(self._dual),
            by_value=dict(self._grouped()),
            forest=self._forest.copy_without_trees(),
        )

    def rollback(self, mark: ZeroOneCostSavepoint) -> None:
        """Undo every change since `mark`. The savepoint can be used again."""
        self._alive, self.cost, self._pinned = mark.alive, mark.cost, mark.pinned
        self._dual, self._forest = list(mark.dual), mark.forest.copy_without_trees()
        self._by_value = dict(mark.by_value)

    def optimal_matchings(self) -> OptimalMatchings:
        """Return all perfect matchings with this cost, as long as no pair is fixed."""
        terms = [
            (SlackTerm(0, free, False), SlackTerm(2, costly, False))
            for free, costly in zip(self._free, self._costly, strict=True)
        ]
        values = DualValues(self._alive, self._dual, [0] * len(self._dual))
        return optimal_matchings_from_duals(self._forest, values, terms, self.matched_pairs())

    def blossom_free_duals(self) -> list[int] | None:
        """Return the dual values of the vertices, or None while there are blossoms."""
        return None if self._forest.blossoms else self._dual[: self._count]

    def matched_pairs(self) -> list[tuple[int, int]]:
        """Return the pairs of the matching, without the fixed ones, lower vertex first."""
        return [(v, self._forest.mate[v]) for v in bitmask_members(self._open()) if v < self._forest.mate[v]]

    def _open(self) -> int:
        """Return the bitmask of the vertices in no fixed pair."""
        return self._alive & ((1 << self._count) - 1) & ~self._pinned

    def _sprout(self, vertex: int) -> int:
        """Give a vertex its stub, by a tight edge, and return the stub."""
        stub = self._count + vertex
        groups = self._grouped()
        self._alive |= 1 << stub
        self._pinned |= 1 << vertex
        self._dual[stub] = value = -self._dual[vertex]
        groups[value] = groups.get(value, 0) | 1 << stub
        return stub

    def _neighbours(self, vertex: int) -> tuple[int, int]:
        """Return the neighbours of an outer vertex by free and by costly edges."""
        # A vertex with a stub is never outer: only its stub could lead there, and that has no other neighbour.
        if vertex >= self._count:
            return 1 << (vertex - self._count), 0
        return self._free[vertex], self._costly[vertex]

    def _match_singly(self, roots: Sequence[int]) -> None:
        """Match these one by one: a single tree usually meets another of them before it has grown far."""
        for root in roots:
            if self._forest.mate[root] == NO_VERTEX:
                goals = bitmask_of(other for other in roots if self._forest.mate[other] == NO_VERTEX) & ~(1 << root)
                self._forest.reset_trees([root])
                while not self._spread(goals):
                    self._shift()
                self._tidy()

    def _match_exposed(self, roots: Sequence[int]) -> None:
        """Match these and all others: a tree from each, all at the same pace."""
        # Give all values the parity of most of them: then two trees meet after a whole number of steps.
        parity = 2 * sum(self._dual[root] & 1 for root in roots) > len(roots)
        for root in roots:
            self._dual[root] -= (self._dual[root] ^ parity) & 1
        self._by_value = None
        self._forest.reset_trees(roots)
        left = len(roots)
        while left:
            left -= 2 * self._spread()
            if left:
                self._shift()
        self._tidy()

    def _sweep(self, vertex: int, wanted: int, at_most: int) -> dict[int, int]:
        """Match `vertex` to its stub and grow until the cost of leaving out each wanted vertex is known.

        The tree is kept. Costs beyond the limit are left out.
        """
        # The dual values, less the weights of the blossoms, add up to twice the cost. The first stub has added its
        # value; a second one would add the opposite of its vertex's value, by a tight edge, and be matched at once.
        total = 2 * self.cost - self._dual[vertex]
        stub = self._sprout(vertex)
        self._forest.reset_trees([stub])
        limits = {v: 2 * (at_most - (self._costly[vertex] >> v & 1)) for v in bitmask_members(wanted)}
        costs: dict[int, int] = {}
        while limits:
            self._spread(sought=next(iter(limits)) if len(limits) == 1 else NO_VERTEX)
            for other in list(limits):
                cost = total - self._dual[other]
                if cost > limits[other]:
                    del limits[other]
                elif self._forest.outer >> other & 1:
                    costs[other] = cost // 2
                    del limits[other]
            if limits:
                self._shift()
                total += 1
        return costs

    def _spread(self, goals: int = 0, sought: int = NO_VERTEX) -> int:
        """Grow the trees by tight edges as far as possible. Match and remove two that meet. Return how often they did.

        A single tree that meets one of `goals` (exposed vertices without a tree) is matched with it. That ends the
        search. It also ends when the vertex `sought` becomes outer in a single tree.
        """
        check_cancelled()
        forest = self._forest
        by_value = self._grouped()
        met_trees = 0
        near = self._before(sought, by_value)
        queue = [node for node, outer in forest.is_outer.items() if outer and node not in forest.blossoms]
        # Members of blossoms come last, as most others have then joined them, or become inner.
        blossoms = [
            forest.node_mask(node) for node, outer in forest.is_outer.items() if outer and node in forest.blossoms
        ]
        while True:
            while queue or blossoms:
                queue = queue or [*self._with_ways_out(blossoms.pop(), by_value)]
                # The list grows while it is read: it is the queue of the search.
                for vertex in queue:
                    if not forest.is_outer.get(forest.top[vertex], False):
                        continue
                    tight = self._tight(vertex, by_value) & ~(forest.inner | forest.node_mask(forest.top[vertex]))
                    while tight:
                        met = tight.bit_length() - 1
                        node = forest.top[met]
                        if goals >> forest.node_base(node) & 1:
                            forest.rebase_blossom(node, met)
                            forest.mate[met] = vertex
                            forest.flip_path_to_root(vertex, met)
                            return 1
                        if not forest.is_outer.get(node, False):
                            grown = forest.grow_tree(node, (vertex, met))
                            if near and self._reached(sought, grown, near):
                                return met_trees
                            queue += bitmask_members(grown)
                            tight &= ~forest.node_mask(node)
                        elif forest.is_in_same_tree(vertex, met):
                            queue += bitmask_members(forest.contract_blossom(vertex, met))
                            tight &= ~forest.node_mask(forest.top[vertex])
                        else:
                            met_trees += 1
                            for fallen in bitmask_members(forest.augment_matching(vertex, met)):
                                queue += bitmask_members(self._taken_up(fallen, by_value))
                            break
                queue = []
            spent = [node for node, outer in forest.is_outer.items() if not outer and forest.weight.get(node) == 0]
            if not spent:
                return met_trees
            for node in spent:
                queue += self._opened(node, by_value)

    def _before(self, sought: int, by_value: Mapping[int, int]) -> int:
        """Return the bitmask of the vertex sought, and of those from which a tree reaches it by its own pair."""
        if sought == NO_VERTEX:
            return 0
        mate = self._forest.mate[sought]
        return 1 << sought | (self._tight(mate, by_value) if self._forest.top[mate] == mate else 0)

    def _reached(self, sought: int, grown: int, near: int) -> bool:
        """Return True if the vertex sought is outer, now that some have become so.

        One more step may be made to reach it.
        """
        forest = self._forest
        mate = forest.mate[sought]
        if (grown & near & ~(1 << sought)) and not (forest.outer | forest.inner) >> mate & 1:
            forest.grow_tree(mate, ((grown & near & ~(1 << sought)).bit_length() - 1, mate))
        return bool(forest.outer >> sought & 1)

    def _with_ways_out(self, within: int, by_value: Mapping[int, int]) -> Iterator[int]:
        """Yield vertices of a blossom that may have a tight edge to a vertex outside that is not inner.

        Most vertices of a large group soon belong to one blossom. If fewer other vertices have the value that such an
        edge needs, those are checked instead. Checking the whole blossom in every search took most of the time.
        """
        forest = self._forest
        outside = ~(forest.inner | forest.node_mask(forest.top[within.bit_length() - 1]))
        for value, group in by_value.items():
            part = group & within
            others = (by_value.get(-value, 0) | by_value.get(2 - value, 0)) & outside if part else 0
            if others.bit_count() >= part.bit_count():
                yield from bitmask_members(part)
                continue
            # One edge to each of them is enough: the others add no vertices.
            for reach in {self._tight(other, by_value) & part for other in bitmask_members(others)}:
                if reach:
                    yield reach.bit_length() - 1

    def _opened(self, node: int, by_value: Mapping[int, int]) -> list[int]:
        """Replace an inner blossom without weight by its children. Return the new outer vertices there and beyond."""
        forest = self._forest
        within = forest.node_mask(node)
        forest.expand_inner_blossom(node)
        outer = list(bitmask_members(within & forest.outer))
        for fallen in bitmask_members(within & ~(forest.outer | forest.inner)):
            outer += bitmask_members(self._taken_up(fallen, by_value))
        return outer

    def _taken_up(self, fallen: int, by_value: Mapping[int, int]) -> int:
        """Grow a tree to a vertex that is no longer in one, if possible. Return the mask of the new outer vertices."""
        forest = self._forest
        if (forest.outer | forest.inner) >> fallen & 1:
            return 0
        # One such edge is enough: the others add no vertices.
        reach = self._tight(fallen, by_value) & forest.outer
        return forest.grow_tree(forest.top[fallen], (reach.bit_length() - 1, fallen)) if reach else 0

    def _grouped(self) -> dict[int, int]:
        if self._by_value is None:
            self._by_value = {}
            for vertex in bitmask_members(self._alive):
                value = self._dual[vertex]
                self._by_value[value] = self._by_value.get(value, 0) | 1 << vertex
        return self._by_value

    def _tight(self, vertex: int, by_value: Mapping[int, int]) -> int:
        """Return the bitmask of neighbours with a tight edge, by their values."""
        free, costly = self._neighbours(vertex)
        value = self._dual[vertex]
        return (free & by_value.get(-value, 0)) | (costly & by_value.get(2 - value, 0))

    def _shift(self) -> None:
        """Change the dual values by one step: outer vertices up, inner down, and the blossoms to match."""
        forest = self._forest
        for vertex in bitmask_members(forest.outer):
            self._dual[vertex] += 1
        for vertex in bitmask_members(forest.inner):
            self._dual[vertex] -= 1
        moved: dict[int, int] = {}
        for value, group in self._grouped().items():
            outer, inner = group & forest.outer, group & forest.inner
            for new, part in ((value + 1, outer), (value - 1, inner), (value, group & ~(outer | inner))):
                if part:
                    moved[new] = moved.get(new, 0) | part
        self._by_value = moved
        for node, outer in forest.is_outer.items():
            if node in forest.weight:
                forest.weight[node] += 2 if outer else -2

    def _tidy(self) -> None:
        """Dissolve the blossoms without weight. Remove fixed pairs that no blossom contains."""
        forest = self._forest
        forest.clear_trees()
        waiting = [node for node, blossom in forest.blossoms.items() if forest.top[blossom.base] == node]
        while waiting:
            node = waiting.pop()
            if forest.weight[node] == 0:
                waiting += [child for child in forest.dissolve_blossom(node) if child in forest.blossoms]
        for vertex in bitmask_members(self._pinned & self._alive):
            if forest.top[vertex] == vertex:
                groups = self._grouped()
                for gone in (vertex, self._count + vertex):
                    self._alive ^= 1 << gone
                    groups[self._dual[gone]] ^= 1 << gone
