"""A perfect matching whose pairs are fixed one by one, and that remembers who has no partner.

Fixing a pair removes possibilities and never adds any, so the result of a failed search stays true. The search ends
with a *barrier*: vertices that in every perfect matching have their partners among the same others (the missable ones
of Gallai and Edmonds). Later searches for a vertex of the barrier start with these. In a large group one search thus
answers for thousands. An example is players due one colour of which no two may be paired.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain, islice

from pairing.engine.matching.bitmasks import (
    bitmask_bytes,
    bitmask_members,
    bitmask_members_descending,
    bitmask_of,
    is_bit_set,
)
from pairing.engine.matching.maximum_matching import MAX_SINGLE_PROBES, MaximumMatching

_SOME = 64
"""This many pairs are tried as the third pair of an exchange: enough where few are kept apart."""


class ConstrainedMatching:
    """The perfect matchings of a graph, narrowed pair by pair. `matching` is one of them."""

    def __init__(self, matching: MaximumMatching) -> None:
        """Take a matching that leaves nobody over. From now on only this object may change it."""
        self.matching = matching
        self._beyond: dict[int, int] = {}
        # Since the last pair was fixed: the vertices with all partners known, and the refusals of each vertex.
        self._known: set[int] = set()
        self._refused: Counter[int] = Counter()

    def fix_matched_pairs(self, pairs: Iterable[tuple[int, int]]) -> None:
        """Fix some pairs of the current matching permanently."""
        self.matching.remove_matched_pairs([*chain.from_iterable(pairs)])
        self._forget()

    def fix_pairs(self, pairs: Iterable[tuple[int, int]]) -> None:
        """Fix some pairs permanently. All other players must still be pairable."""
        for one, other in pairs:
            self.matching.remove_vertices(one, other)
        self._forget()

    def possible_partners_among(self, vertex: int, candidates: Sequence[int]) -> frozenset[int]:
        """Return the candidates that are among the `possible_partners` of a vertex."""
        within = bitmask_bytes(self._beyond[vertex]) if vertex in self._beyond else None
        likely = candidates if within is None else [one for one in candidates if is_bit_set(within, one)]
        found, doubtful = self._plainly_partners(vertex, likely)
        while doubtful and self._leaves_exchange(vertex, doubtful[-1]):
            found.append(doubtful.pop())
        # One search for the first doubtful candidate answers for all of them.
        if doubtful:
            found += bitmask_members(self.possible_partners(vertex) & bitmask_of(doubtful))
        return frozenset(found)

    def partners_not_ruled_out(self, vertex: int) -> int:
        """Return a bitmask that includes all possible partners of a vertex, or -1 if nothing is known about them."""
        return self._beyond.get(vertex, -1)

    def possible_partners(self, vertex: int) -> int:
        """Return a bitmask of the vertices that can be matched with this one."""
        if vertex not in self._known:
            self._learn(vertex)
        return self._beyond[vertex] & self.matching.neighbours(vertex)

    def can_pair(self, one: int, other: int) -> bool:
        """Return True if the second vertex is one of the first one's `possible_partners`."""
        if not self._beyond.get(one, -1) >> other & 1:
            return False
        if one in self._known:
            return self.matching.are_neighbours(one, other)
        if self.matching.can_pair(one, other):
            return True
        self._refused[one] += 1
        if self._refused[one] == MAX_SINGLE_PROBES:
            self._learn(one)
        return False

    def fix_first_possible_pair(self, vertex: int, among: int) -> int | None:
        """Fix the pair with the first vertex in a bitmask that is one of the `possible_partners`, and return it.

        None if there is none.
        """
        possible = self.matching.neighbours(vertex) & self._beyond.get(vertex, -1) & among
        refused = 0
        while possible:
            candidate = (possible & -possible).bit_length() - 1
            if self.matching.try_fix_pair(vertex, candidate):
                self._forget()
                return candidate
            possible ^= 1 << candidate
            refused += 1
            if refused == MAX_SINGLE_PROBES:
                possible &= self.possible_partners(vertex)
        return None

    def _forget(self) -> None:
        self._known.clear()
        self._refused.clear()

    def _plainly_partners(self, vertex: int, candidates: Iterable[int]) -> tuple[list[int], list[int]]:
        """Return the neighbours among the candidates: certain partners, and doubtful ones.

        A partner is certain if the two left behind may be paired.
        """
        mate, left = self.matching.mate, self.matching.mate[vertex]
        near, beyond = bitmask_bytes(self.matching.neighbours(vertex)), bitmask_bytes(self.matching.neighbours(left))
        plain: list[int] = []
        doubtful: list[int] = []
        for candidate in candidates:
            if is_bit_set(near, candidate):
                (plain if candidate == left or is_bit_set(beyond, mate[candidate]) else doubtful).append(candidate)
        return plain, doubtful

    def _leaves_exchange(self, vertex: int, candidate: int) -> bool:
        """Return True if a third pair, of those tried, gives new partners to the two left behind by this pair."""
        matching = self.matching
        mate, left, right = matching.mate, matching.mate[vertex], matching.mate[candidate]
        near = matching.neighbours(right) & self._beyond.get(right, -1)
        beyond = matching.neighbours(left)
        taken = (vertex, candidate, left, right)
        return any(
            beyond >> mate[one] & 1 for one in islice(bitmask_members_descending(near), _SOME) if one not in taken
        )

    def _learn(self, vertex: int) -> None:
        parts = self.matching.decompose_without_vertex(vertex)
        for one in bitmask_members(parts.blocking):
            # This bound may be too wide for others of the barrier: vertices that were searched keep their own.
            if one not in self._known:
                self._beyond[one] = parts.missable
        self._beyond[vertex] = parts.missable
        self._known.add(vertex)


class _Nest:
    """An odd set, or the whole: its nodes are its own vertices and the sets directly within it."""

    def __init__(self, mask: int) -> None:
        self.mask = mask
        self.own = mask
        self.sets: list[int] = []
        self.parent: int | None = None
        self.outlets = 0
        self.matching: MaximumMatching


class OddSetMatching:
    """The perfect matchings of a graph that cross each of certain borders once. Pairs are fixed step by step.

    One of these matchings is kept. There are n vertices, then k odd sets in ascending order of size as nodes n, n + 1,
    ... The exit of each is node n + k, and nest number k is the whole.
    """

    def __init__(self, graph: Sequence[int], borders: Iterable[int], pairs: Iterable[tuple[int, int]]) -> None:
        """Take neighbour masks, bitmasks of the odd sets, and the pairs of such a matching of all vertices."""
        self._graph = list(graph)
        self._count = len(self._graph)
        # Partners found since the last pair was fixed.
        self._known: dict[int, int] = {}
        # Used alone if no set binds.
        self._whole: ConstrainedMatching | None = None
        everyone = (1 << self._count) - 1
        self._nests = [_Nest(mask) for mask in (*sorted(borders, key=int.bit_count), everyone)]
        self._exit = self._count + len(self._nests) - 1
        self._home = [len(self._nests) - 1] * self._count
        for number, nest in enumerate(self._nests[:-1]):
            self._put_into_parent(number)
            for vertex in bitmask_members(nest.own):
                self._home[vertex] = number
        if len(self._nests) == 1:
            self._whole = ConstrainedMatching(MaximumMatching(self._graph, pairs=pairs))
            return
        inside: list[list[tuple[int, int]]] = [[] for _ in self._nests]
        for pair in pairs:
            for number, one, other in self._held_by(*pair):
                inside[number].append((one, other))
        for number, nest in enumerate(self._nests):
            nest.matching = self._matching_of(nest, inside[number])
            nest.outlets = self._outlets(nest)

    def fix_matched_pair(self, one: int, other: int) -> None:
        """Fix a pair of the current matching permanently."""
        self._known.clear()
        if self._whole is not None:
            self._whole.fix_matched_pairs([(one, other)])
            return
        held = self._held_by(one, other)
        for number, node, mate in held:
            self._nests[number].matching.remove_vertices(node, mate)
        self._tell_outlets(held[0][0])

    def fix_matched_pairs(self, pairs: Sequence[tuple[int, int]]) -> None:
        """Fix some pairs of the current matching permanently."""
        if self._whole is not None:
            self._whole.fix_matched_pairs(pairs)
            return
        for pair in pairs:
            self.fix_matched_pair(*pair)

    def partners_not_ruled_out(self, vertex: int) -> int:
        """Return a bitmask that includes all possible partners of the vertex, or -1 if nothing is known about them."""
        return -1 if self._whole is None else self._whole.partners_not_ruled_out(vertex)

    def possible_partners(self, vertex: int) -> int:
        """Return a bitmask of the vertices that can be matched with this one, which is not in a fixed pair."""
        if self._whole is not None:
            return self._whole.possible_partners(vertex)
        # Vertices outside the current nest that an outlet may meet so that all others can be paired.
        beyond = 0
        for number, node in self._way_down_to(vertex):
            nest = self._nests[number]
            if not nest.matching.alive >> node & 1:
                # The pair to the outside of the next nest is fixed.
                beyond = 0
                continue
            with nest.matching.rollback_on_exit():
                if nest.matching.alive >> self._exit & 1:
                    able = bitmask_of(one for one in bitmask_members(nest.outlets) if self._graph[one] & beyond)
                    nest.matching.forbid_edges(
                        self._exit, nest.matching.alive & ~(1 << self._exit | self._nodes(nest, able))
                    )
                found = nest.matching.possible_partners(node)
            if not found >> self._exit & 1:
                beyond = 0
            beyond |= self._vertices(nest, found)
        return self._graph[vertex] & beyond

    def can_pair(self, one: int, other: int) -> bool:
        """Return True if the second vertex is one of the first one's `possible_partners`."""
        if self._whole is not None:
            return self._whole.can_pair(one, other)
        if one not in self._known:
            self._known[one] = self.possible_partners(one)
        return bool(self._known[one] >> other & 1)

    def _put_into_parent(self, number: int) -> None:
        nest = self._nests[number]
        larger = range(number + 1, len(self._nests))
        nest.parent = next(one for one in larger if not nest.mask & ~self._nests[one].mask)
        self._nests[nest.parent].sets.append(number)
        self._nests[nest.parent].own &= ~nest.mask

    def _matching_of(self, nest: _Nest, pairs: Sequence[tuple[int, int]]) -> MaximumMatching:
        """Return a matching of the nodes of a nest. The outlets of the sets within it must be known."""
        nodes = self._nodes(nest, nest.mask)
        exits = 0 if nest.parent is None else 1 << self._exit
        neighbours = [0] * (self._exit + 1)
        for vertex in bitmask_members(nest.own):
            neighbours[vertex] = self._nodes(nest, self._graph[vertex]) | exits
        for one in nest.sets:
            neighbours[self._count + one] = self._around(nest, one) | exits
        if exits:
            neighbours[self._exit] = nodes
        return MaximumMatching(neighbours, nodes | exits, pairs)

    def _around(self, nest: _Nest, one: int) -> int:
        """Return the bitmask of the nodes of a nest that the outlets of a set in it may meet."""
        meets = 0
        for vertex in bitmask_members(self._nests[one].outlets):
            meets |= self._graph[vertex]
        return self._nodes(nest, meets & ~self._nests[one].mask)

    def _nodes(self, nest: _Nest, vertices: int) -> int:
        """Return the bitmask of the nodes of a nest that are vertices of a bitmask, or have outlets there."""
        return vertices & nest.own | bitmask_of(
            self._count + one for one in nest.sets if vertices & self._nests[one].outlets
        )

    def _vertices(self, nest: _Nest, nodes: int) -> int:
        """Return the bitmask of the vertices by which some nodes of a nest can be matched."""
        vertices = nodes & nest.own
        for one in nest.sets:
            if nodes >> (self._count + one) & 1:
                vertices |= self._nests[one].outlets
        return vertices

    def _outlets(self, nest: _Nest) -> int:
        return 0 if nest.parent is None else self._vertices(nest, nest.matching.possible_partners(self._exit))

    def _tell_outlets(self, number: int) -> None:
        """Update the outlets of a nest, and of those around it, after a pair in it was fixed."""
        nest = self._nests[number]
        while nest.parent is not None and nest.matching.alive >> self._exit & 1:
            outlets = self._outlets(nest)
            if outlets == nest.outlets:
                return
            nest.outlets = outlets
            parent = self._nests[nest.parent]
            gone = self._nodes(parent, parent.mask) & ~(1 << self._count + number | self._around(parent, number))
            parent.matching.forbid_edges(self._count + number, gone)
            number, nest = nest.parent, parent

    def _way_down_to(self, vertex: int) -> list[tuple[int, int]]:
        """Return the nests that contain a vertex, from the whole downwards, each with its node for the vertex."""
        way = [(self._home[vertex], vertex)]
        while (parent := self._nests[way[-1][0]].parent) is not None:
            way.append((parent, self._count + way[-1][0]))
        return way[::-1]

    def _held_by(self, one: int, other: int) -> list[tuple[int, int, int]]:
        """Return a pair as nests hold it, each with two of its nodes.

        The first nest contains both vertices; each of the others matches one node to its exit.
        """
        ways = [self._way_down_to(one), self._way_down_to(other)]
        both = sum(left[0] == right[0] for left, right in zip(*ways, strict=False)) - 1
        outer = (ways[0][both][0], ways[0][both][1], ways[1][both][1])
        return [outer, *((number, node, self._exit) for way in ways for number, node in way[both + 1 :])]
