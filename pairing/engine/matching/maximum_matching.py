"""The search behind every repair: an alternating tree with blossoms (Edmonds 1965), grown by bitmasks."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import NamedTuple

from pairing.engine.matching.bitmasks import bitmask_members, bitmask_members_descending, bitmask_of
from pairing.engine.matching.complement_graph import ComplementGraph
from pairing.engine.progress import check_cancelled

NO_VERTEX = -1

_FEW_GOALS = 4


class AlternatingTree:
    """All vertices that alternating paths reach from one exposed vertex.

    Outer vertices, including the root, are reached by paths of even length; inner ones by odd length only. A blossom
    (an odd cycle) makes all its vertices outer. Only vertices touched take time or memory.
    """

    def __init__(self, neighbours: Sequence[int], mate: Sequence[int], root: int, within: int) -> None:
        """Start a tree at `root`, which has no mate. `within` is the bitmask of vertices it may grow into."""
        self._neighbours = neighbours
        self._mate = mate
        self._unseen = within & ~(1 << root)
        self._parent: dict[int, int] = {}
        self._base: dict[int, int] = {root: root}
        # Only for blossoms: a single vertex is in none.
        self._blossom: dict[int, int] = {}
        self._queue = [root]
        self.outer = 1 << root
        self.inner = 0

    def find_augmenting_path(self, goals: int) -> list[tuple[int, int]]:
        """Grow the tree until it reaches a vertex in the bitmask `goals` (exposed, not the root).

        Return the pairs to be made along the augmenting path. An empty list means that no path exists; the tree is then
        complete.
        """
        neighbours, mate, parent = self._neighbours, self._mate, self._parent
        queue = self._queue
        hit = neighbours[queue[0]] & goals
        if hit:
            return self._path(queue[0], hit.bit_length() - 1)
        self._unseen &= ~goals
        is_near = self._near(goals)
        taken: set[int] = set()
        # The list grows while it is read: it is the queue of the breadth-first search.
        for vertex in queue:
            planted = len(queue)
            for entered in bitmask_members_descending(neighbours[vertex] & self._unseen):
                if entered in taken:
                    continue
                beyond = mate[entered]
                parent[entered] = vertex
                if is_near(beyond):
                    return self._path(beyond, (neighbours[beyond] & goals).bit_length() - 1)
                taken.add(beyond)
                queue.append(beyond)
            # Add them all at once, as a goal is usually met before this.
            self._plant(queue[planted:])
            touching = neighbours[vertex] & self.outer & ~self._blossom.get(self._base_of(vertex), 0)
            while touching:
                end = self._contract(vertex, touching.bit_length() - 1, goals)
                if end != NO_VERTEX:
                    return self._path(end, (neighbours[end] & goals).bit_length() - 1)
                touching &= ~self._blossom[self._base_of(vertex)]
        return []

    def _near(self, goals: int) -> Callable[[int], int]:
        """Return a function that gives non-zero for neighbours of any goal, else 0."""
        neighbours = self._neighbours
        if goals.bit_count() > _FEW_GOALS:
            return lambda vertex: neighbours[vertex] & goals
        near = 0
        for goal in bitmask_members(goals):
            near |= neighbours[goal]
        # Reading a bit of a long integer takes time for its whole length; reading a byte does not.
        eights = near.to_bytes(len(self._mate) // 8 + 1, "little")
        return lambda vertex: eights[vertex >> 3] >> (vertex & 7) & 1

    def _plant(self, outer: Sequence[int]) -> None:
        inner = [self._mate[vertex] for vertex in outer]
        for vertex in (*inner, *outer):
            self._base[vertex] = vertex
        self.inner |= bitmask_of(inner)
        self.outer |= bitmask_of(outer)
        self._unseen &= ~(self.inner | self.outer)

    def _path(self, last: int, goal: int) -> list[tuple[int, int]]:
        pairs = [(goal, last)]
        while (inner := self._mate[last]) != NO_VERTEX:
            last = self._parent[inner]
            pairs.append((inner, last))
        return pairs

    def _contract(self, left: int, right: int, goals: int) -> int:
        """Shrink the blossom closed by the edge between two outer vertices. Return an end of a path, or NO_VERTEX."""
        top = self._common_base(left, right)
        around: list[int] = []
        self._reroute(left, top, right, around)
        self._reroute(right, top, left, around)
        mask = self._blossom.get(top, 1 << top)
        end = NO_VERTEX
        for base in around:
            if self._base[base] != base:
                continue
            self._base[base] = top
            mask |= self._blossom.get(base, 1 << base)
            if self.inner >> base & 1:
                self.inner ^= 1 << base
                self.outer |= 1 << base
                self._queue.append(base)
                if self._neighbours[base] & goals:
                    end = base
        self._blossom[top] = mask
        return end

    def _common_base(self, left: int, right: int) -> int:
        seen: set[int] = set()
        # Both sides climb in turn, so that neither path gets longer than the blossom.
        climbing, waiting = self._base_of(left), self._base_of(right)
        while climbing not in seen:
            seen.add(climbing)
            partner = self._mate[climbing]
            above = NO_VERTEX if partner == NO_VERTEX else self._base_of(self._parent[partner])
            if waiting == NO_VERTEX:
                climbing = above
            else:
                climbing, waiting = waiting, above
        return climbing

    def _reroute(self, vertex: int, top: int, child: int, around: list[int]) -> None:
        """Point the parents of one half of a blossom along the cycle, and collect the bases passed."""
        while (base := self._base_of(vertex)) != top:
            partner = self._mate[vertex]
            around += (base, self._base_of(partner))
            self._parent[vertex] = child
            child = partner
            vertex = self._parent[partner]

    def _base_of(self, vertex: int) -> int:
        base = self._base
        while (above := base[vertex]) != vertex:
            base[vertex] = base[above]
            vertex = above
        return vertex


# After this many refusals one search for all possible partners is cheaper than one for each candidate.
MAX_SINGLE_PROBES = 2

_SOME = 64
"""This many possible leftovers are checked for an opponent: enough where few are kept apart."""


_CROWD = 32
"""With more left over, existing pairs are split up for them before a tree is grown from each."""


class MatchingSavepoint(NamedTuple):
    """A point in the history of a `MaximumMatching` to which it can be rolled back."""

    changes: int
    alive: int
    exposed: int


class GallaiEdmondsDecomposition(NamedTuple):
    """The Gallai-Edmonds decomposition, as bitmasks.

    Every vertex of `missable` (D) is exposed in some maximum matching; `blocking` (A) are the other neighbours of
    those; `settled` (C) is the rest.
    """

    missable: int
    blocking: int
    settled: int


class MaximumMatching:
    """A maximum matching of the vertices that take part.

    `mate[v]` is the partner of v, or NO_VERTEX. `alive` is the bitmask of the vertices taking part, `exposed` of those
    without a partner. All three are for reading only. After every call the matching is maximum. Edges count only
    between vertices taking part.

    `create_savepoint` and `rollback` nest like brackets: roll back to the latest savepoint first. Rolling back takes
    time only for the changes undone.
    """

    def __init__(
        self, neighbours: Sequence[int], alive: int | None = None, pairs: Iterable[tuple[int, int]] = ()
    ) -> None:
        """Match the graph in which bit w of `neighbours[v]` means that v and w may be paired.

        The bitmasks are symmetric and without loops; `alive` defaults to all vertices. `pairs` are a matching to start
        from. Raises ValueError for a loop, a vertex outside the graph, or pairs that aren't a matching.
        """
        self._neighbours = neighbours
        # Copied before the first change: until then a `ComplementGraph` need not be expanded.
        self._own: list[int] | None = None
        count = len(neighbours)
        self.alive = (1 << count) - 1 if alive is None else alive
        _check_graph(neighbours, self.alive)
        self.exposed = self.alive
        self.mate = [NO_VERTEX] * count
        self._log: list[tuple[int, int]] = []
        if pairs := [*pairs]:
            self._begin_with(pairs)
        self._match_greedily()
        if self.deficiency > _CROWD:
            self._part_pairs()
        self._augment_any(bitmask_members(self.exposed))
        self._log.clear()

    @property
    def deficiency(self) -> int:
        """The number of vertices without a partner."""
        return self.exposed.bit_count()

    def are_neighbours(self, one: int, other: int) -> bool:
        """Return True if both vertices take part and the edge between them is allowed."""
        return bool(self.alive >> one & self.alive >> other & self._neighbours[one] >> other & 1)

    def neighbours(self, vertex: int) -> int:
        """Return the bitmask of possible partners that take part."""
        return self._neighbours[vertex] & self.alive

    def matched_pairs(self) -> list[tuple[int, int]]:
        """Return the pairs of the current matching, lower vertex first, in ascending order."""
        return [(v, self.mate[v]) for v in bitmask_members(self.alive) if self.mate[v] > v]

    def create_savepoint(self) -> MatchingSavepoint:
        """Return a savepoint for `rollback`."""
        return MatchingSavepoint(len(self._log), self.alive, self.exposed)

    def rollback(self, mark: MatchingSavepoint) -> None:
        """Undo every change since `mark`. Raises ValueError if the savepoint itself has already been undone."""
        log = self._log
        if mark.changes > len(log):
            raise ValueError("the mark lies after the present point")
        while len(log) > mark.changes:
            vertex, old = log.pop()
            if vertex >= 0:
                self.mate[vertex] = old
            else:
                self._to_change[~vertex] = old
        self.alive, self.exposed = mark.alive, mark.exposed

    @contextmanager
    def rollback_on_exit(self) -> Iterator[None]:
        """Undo all changes made in the `with` block when it ends."""
        mark = self.create_savepoint()
        try:
            yield
        finally:
            self.rollback(mark)

    def remove_vertices(self, *vertices: int) -> int:
        """Remove vertices (paired, given the bye or moved elsewhere), and return the new deficiency.

        Raises ValueError if one of them does not take part.
        """
        gone = bitmask_of(vertices)
        if gone & ~self.alive:
            raise ValueError(f"not all of {vertices} take part")
        if len(vertices) == 2 and (self.deficiency < 2 or self.mate[vertices[0]] == vertices[1]):
            self._set_two_aside(vertices[0], vertices[1])
            return self.deficiency
        for vertex in bitmask_members(gone):
            self.alive ^= 1 << vertex
            left = self._part(vertex)
            self.exposed &= self.alive
            if left != NO_VERTEX:
                self._augment(left)
        return self.deficiency

    def remove_matched_pairs(self, vertices: Collection[int]) -> list[tuple[int, int]]:
        """Remove all pairs of the current matching that are within a set of vertices, and return them."""
        gone = set(vertices)
        pairs = [(one, other) for one in vertices if (other := self.mate[one]) > one and other in gone]
        for one, other in pairs:
            self._log += ((one, other), (other, one))
            self.mate[one] = self.mate[other] = NO_VERTEX
        self.alive &= ~bitmask_of(chain.from_iterable(pairs))
        return pairs

    def add_vertex(self, vertex: int) -> int:
        """Add a vertex with its edges, and return the new deficiency. Raises ValueError if it already takes part."""
        if not 0 <= vertex < len(self.mate) or self.alive >> vertex & 1:
            raise ValueError(f"{vertex} takes part already or is not in the graph")
        self.alive |= 1 << vertex
        self.exposed |= 1 << vertex
        self._augment(vertex)
        return self.deficiency

    def forbid_edges(self, vertex: int, others: int) -> int:
        """Remove the edges from a vertex to a bitmask of others, and return the new deficiency."""
        self._set_edges(vertex, self._neighbours[vertex] & others)
        partner = self.mate[vertex]
        if partner != NO_VERTEX and others >> partner & 1:
            self._part(vertex)
            if not self._augment(vertex):
                self._augment(partner)
        return self.deficiency

    def allow_edges(self, vertex: int, others: int) -> int:
        """Add the edges from a vertex to a bitmask of others (without itself), and return the new deficiency.

        Raises ValueError if the bitmask has the vertex itself or one outside the graph.
        """
        if others >> vertex & 1 or others >> len(self.mate):
            raise ValueError(f"{vertex} cannot be paired with itself or a vertex outside the graph")
        self._set_edges(vertex, others & ~self._neighbours[vertex])
        # All new edges meet in one vertex, so they add one pair at most.
        self._augment_any([vertex] if self.exposed >> vertex & 1 else bitmask_members(self.exposed), most=1)
        return self.deficiency

    def try_fix_pair(self, one: int, other: int, exposed_at_most: int | None = None) -> bool:
        """Fix a pair if at most `exposed_at_most` other vertices (default: the deficiency) are then exposed.

        Return False, with nothing changed, if they are not neighbours or too many would be exposed.
        """
        if not self.are_neighbours(one, other):
            return False
        limit = self.deficiency if exposed_at_most is None else exposed_at_most
        mark = self.create_savepoint()
        if self.remove_vertices(one, other) <= limit:
            return True
        self.rollback(mark)
        return False

    def can_pair(self, one: int, other: int, exposed_at_most: int | None = None) -> bool:
        """Return True if `try_fix_pair` would succeed. Nothing is changed."""
        if exposed_at_most is None and self.are_neighbours(one, other) and self._mates_can_pair(one, other):
            return True
        with self.rollback_on_exit():
            return self.try_fix_pair(one, other, exposed_at_most)

    def _mates_can_pair(self, one: int, other: int) -> bool:
        """Return True if two neighbours are already partners, or leave behind two who may be paired."""
        left, right = self.mate[one], self.mate[other]
        if left == NO_VERTEX or right == NO_VERTEX:
            return False
        return left == other or bool(self._neighbours[left] >> right & 1)

    def fix_first_possible_pair(self, vertex: int, candidates: Iterable[int]) -> int | None:
        """Fix the pair with the first candidate that does not increase the number of exposed vertices, and return it.

        `candidates` is read lazily. Return None, with nothing changed, if there is none.
        """
        if not self.alive >> vertex & 1:
            return None
        possible = self._neighbours[vertex] & self.alive
        probes = 0
        for candidate in candidates:
            if not possible >> candidate & 1:
                continue
            if self.try_fix_pair(vertex, candidate):
                return candidate
            probes += 1
            if probes == MAX_SINGLE_PROBES:
                possible &= self.possible_partners(vertex)
        return None

    def possible_partners(self, vertex: int) -> int:
        """Return a bitmask of the partners for which `try_fix_pair` would succeed, found in a single search."""
        # They are the vertices that a maximum matching without this vertex can leave out.
        return self.decompose_without_vertex(vertex).missable & self._neighbours[vertex]

    def decompose_without_vertex(self, vertex: int) -> GallaiEdmondsDecomposition:
        """Return the decomposition without this vertex. If that leaves fewer vertices exposed, all count as missable.

        In every perfect matching, the `blocking` vertices and this one have their partners among the `missable` ones.
        """
        before = self.deficiency
        with self.rollback_on_exit():
            if self.remove_vertices(vertex) < before:
                return GallaiEdmondsDecomposition(self.alive, 0, 0)
            return self.decompose_gallai_edmonds()

    def can_leave_unmatched(self, vertices: int) -> bool:
        """Return True if some maximum matching leaves all vertices in a bitmask unmatched.

        It exposes only these if there are `deficiency` of them.
        """
        if vertices & ~self.alive or vertices.bit_count() > self.deficiency:
            return False
        with self.rollback_on_exit():
            return all(self.try_leave_exposed(vertex) for vertex in bitmask_members(vertices))

    def try_leave_exposed(self, vertex: int) -> bool:
        """Remove a vertex if a maximum matching can leave it exposed, and return True if it could."""
        mark, before = self.create_savepoint(), self.deficiency
        if self.remove_vertices(vertex) < before:
            return True
        self.rollback(mark)
        return False

    @property
    def _to_change(self) -> list[int]:
        if self._own is None:
            self._neighbours = self._own = list(self._neighbours)
        return self._own

    def decompose_gallai_edmonds(self) -> GallaiEdmondsDecomposition:
        """Return the Gallai-Edmonds decomposition of the vertices taking part."""
        if self.deficiency == 1 and self._anybody_can_be_left_out():
            return GallaiEdmondsDecomposition(self.alive, 0, 0)
        outer = inner = 0
        for root in bitmask_members(self.exposed):
            # A later tree cannot label vertices again that a complete tree has reached.
            tree = AlternatingTree(self._neighbours, self.mate, root, self.alive & ~(outer | inner))
            tree.find_augmenting_path(0)
            outer |= tree.outer
            inner |= tree.inner
        return GallaiEdmondsDecomposition(outer, inner, self.alive & ~(outer | inner))

    def grow_tree(self, root: int) -> AlternatingTree:
        """Return the complete alternating tree of an exposed vertex. It has every neighbour of its outer vertices."""
        tree = self._tree(root, self.alive)
        tree.find_augmenting_path(0)
        return tree

    def _anybody_can_be_left_out(self) -> bool:
        """Return True if one vertex is exposed, and one or two changes can expose any other instead. False if unknown.

        That is true of nearly every group, where few are kept apart: then no tree need be grown.
        """
        neighbours, mate = self._neighbours, self.mate
        root = self.exposed.bit_length() - 1
        near = (neighbours[root] & self.alive).to_bytes(len(mate) // 8 + 1, "little")
        freed: list[int] = []
        far: list[int] = []
        for vertex in bitmask_members(self.alive ^ 1 << root):
            partner = mate[vertex]
            # A vertex can be left over if the root, or another freed vertex, can take its partner.
            (freed if near[partner >> 3] >> (partner & 7) & 1 else far).append(vertex)
        some = bitmask_of(freed[:_SOME])
        return all(neighbours[mate[vertex]] & some for vertex in far)

    def _begin_with(self, pairs: Sequence[tuple[int, int]]) -> None:
        matched = bitmask_of(chain.from_iterable(pairs))
        if matched & ~self.alive or matched.bit_count() < 2 * len(pairs):
            raise ValueError("the pairs to start from cannot stand in the same matching")
        for one, other in pairs:
            if not self._neighbours[one] >> other & 1:
                raise ValueError(f"{one} and {other} cannot stand in the same matching, as they are no neighbours")
            self.mate[one], self.mate[other] = other, one
        self.exposed ^= matched

    def _match_greedily(self) -> None:
        """Match those with the fewest neighbours first: they have the least choice."""
        neighbours = self._neighbours
        order = sorted(bitmask_members(self.exposed), key=lambda v: (neighbours[v] & self.alive).bit_count())
        for vertex in order:
            if self.exposed >> vertex & 1:
                choice = neighbours[vertex] & self.exposed
                if choice:
                    self._join(vertex, choice.bit_length() - 1)

    def _part_pairs(self) -> None:
        """Split pairs if both players can be paired with one of those left over."""
        neighbours = self._neighbours
        for one, other in self.matched_pairs():
            near, far = neighbours[one] & self.exposed, neighbours[other] & self.exposed
            if near and far and (near | far).bit_count() > 1:
                last = near.bit_length() - 1
                if far == 1 << last:
                    last = (near ^ far).bit_length() - 1
                self._join(last, one)
                self._join(other, (far & ~(1 << last)).bit_length() - 1)

    def _set_two_aside(self, one: int, other: int) -> None:
        """Remove partners, or any two while at most one vertex is exposed.

        Then the parity of the exposed vertices shows if the matching is maximum.
        """
        self.alive &= ~(1 << one | 1 << other)
        left = [self._part(one), self._part(other)]
        self.exposed &= self.alive
        for vertex in reversed(left):
            if vertex == NO_VERTEX or not self.exposed >> vertex & 1 or self.deficiency < 2:
                continue
            if not self._augment(vertex) and self.deficiency == 2:
                return

    def _augment_any(self, roots: Iterable[int], most: int | None = None) -> None:
        """Augment from exposed roots, `most` times or as often as possible."""
        barren = 0
        for root in roots:
            if not self.exposed >> root & 1:
                continue
            if self._augment(root, tree := self._tree(root, self.alive & ~barren)):
                if most == 1:
                    return
            else:
                barren |= tree.outer | tree.inner

    def _tree(self, root: int, within: int) -> AlternatingTree:
        return AlternatingTree(self._neighbours, self.mate, root, within)

    def _augment(self, root: int, tree: AlternatingTree | None = None) -> bool:
        goals = self.exposed & ~(1 << root)
        if not goals:
            return False
        check_cancelled()
        if (hit := self._neighbours[root] & goals) and tree is None:
            self._join(root, hit.bit_length() - 1)
            return True
        path = (tree or self._tree(root, self.alive)).find_augmenting_path(goals)
        for one, other in path:
            self._join(one, other)
        return bool(path)

    def _join(self, one: int, other: int) -> None:
        self._log += ((one, self.mate[one]), (other, self.mate[other]))
        self.mate[one], self.mate[other] = other, one
        self.exposed &= ~(1 << one | 1 << other)

    def _part(self, vertex: int) -> int:
        """Expose a vertex and its partner, and return the partner, or NO_VERTEX."""
        partner = self.mate[vertex]
        if partner != NO_VERTEX:
            self._log += ((vertex, partner), (partner, vertex))
            self.mate[vertex] = self.mate[partner] = NO_VERTEX
            self.exposed |= 1 << vertex | 1 << partner
        return partner

    def _set_edges(self, vertex: int, changed: int) -> None:
        """Toggle the edges from a vertex to a bitmask of others."""
        neighbours = self._to_change
        self._log.append((~vertex, neighbours[vertex]))
        neighbours[vertex] ^= changed
        for other in bitmask_members(changed):
            self._log.append((~other, neighbours[other]))
            neighbours[other] ^= 1 << vertex


def _check_graph(neighbours: Sequence[int], alive: int) -> None:
    if alive < 0 or alive >> len(neighbours):
        raise ValueError("a vertex outside the graph cannot take part")
    if isinstance(neighbours, ComplementGraph):
        return
    for vertex in bitmask_members(alive):
        mask = neighbours[vertex]
        if mask < 0 or mask >> vertex & 1 or mask.bit_length() > len(neighbours):
            raise ValueError(f"the neighbours of {vertex} are outside the graph or include the vertex itself")
