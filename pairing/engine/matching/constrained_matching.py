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
    """The perfect matchings of a graph, narrowed pair by pair; `matching` keeps one of them."""

    def __init__(self, matching: MaximumMatching) -> None:
        """Take a matching that leaves nobody over; from now on it may be changed here only."""
        self.matching = matching
        self._beyond: dict[int, int] = {}
        # Since the last pair was fixed: the vertices with all partners known, and the refusals of each vertex.
        self._known: set[int] = set()
        self._refused: Counter[int] = Counter()

    def fix_matched_pairs(self, pairs: Iterable[tuple[int, int]]) -> None:
        """Fix some pairs of the current matching for good."""
        self.matching.remove_matched_pairs([*chain.from_iterable(pairs)])
        self._forget()

    def fix_pairs(self, pairs: Iterable[tuple[int, int]]) -> None:
        """Fix some pairs for good; all others must be able to be paired without them."""
        for one, other in pairs:
            self.matching.remove_vertices(one, other)
        self._forget()

    def possible_partners_among(self, vertex: int, candidates: Sequence[int]) -> frozenset[int]:
        """Return the candidates who are among the `possible_partners` of a vertex."""
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
        """Return a bitmask that contains all partners of a vertex, as far as known; -1 if nothing is."""
        return self._beyond.get(vertex, -1)

    def possible_partners(self, vertex: int) -> int:
        """Return the bitmask of those who can be paired with a vertex."""
        if vertex not in self._known:
            self._learn(vertex)
        return self._beyond[vertex] & self.matching.neighbours(vertex)

    def can_pair(self, one: int, other: int) -> bool:
        """Return True if the second is one of the `possible_partners` of the first."""
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
        """Fix the pair with the first of a bitmask who is one of the `possible_partners`, and return that vertex.

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
        parts = self.matching.decompose_without(vertex)
        for one in bitmask_members(parts.blocking):
            # This bound may be too wide for others of the barrier: vertices that were searched keep their own.
            if one not in self._known:
                self._beyond[one] = parts.missable
        self._beyond[vertex] = parts.missable
        self._known.add(vertex)
