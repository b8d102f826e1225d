"""The search behind every repair: an alternating tree with blossoms (Edmonds 1965), grown by bitmasks."""

from collections.abc import Callable, Sequence

from pairing.engine.matching.bitmasks import bitmask_members, bitmask_members_descending, bitmask_of

NO_VERTEX = -1

_FEW_GOALS = 4


class AlternatingTree:
    """All vertices that alternating paths reach from one exposed vertex.

    Outer vertices, including the root, are reached by paths of even length; inner ones by odd length only. A blossom
    (an odd cycle) makes all its vertices outer. Only vertices touched take time or memory.
    """

    def __init__(self, neighbours: Sequence[int], mate: Sequence[int], root: int, within: int) -> None:
        """Start a tree at `root`, which has no mate; `within` is the bitmask of vertices it may grow into."""
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
        """Grow until the tree meets a vertex of the bitmask `goals` (exposed, not the root).

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
        """Shrink the blossom closed by the edge between two outer vertices; return an end of a path, or NO_VERTEX."""
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
