"""A perfect matching whose pairs are fixed one after the other, and that remembers whom nobody can be paired with.

Fixing a pair takes possibilities away and never gives any. So what a search without success has shown holds for good:
it ends with a *barrier*, vertices who in every perfect matching all have their partners among the same others (those
of Gallai and Edmonds who can be missed). Whoever of the barrier is asked about next begins with these. In a
large group one search so answers for thousands: all of the colour, say, of which no two may be paired any more.
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
"""So many pairs are looked at for one that comes between two: where few are kept apart that is enough."""


class ConstrainedMatching:
    """The perfect matchings of a graph, narrowed pair by pair; `matching` keeps one of them."""

    def __init__(self, matching: MaximumMatching) -> None:
        """Take a matching that leaves nobody over, which from now on is changed here alone."""
        self.matching = matching
        self._beyond: dict[int, int] = {}
        # Since the last pair was fixed: of whom that says all, and of whom how many have been refused.
        self._known: set[int] = set()
        self._refused: Counter[int] = Counter()

    def fix_matched_pairs(self, pairs: Iterable[tuple[int, int]]) -> None:
        """Pair some for good whom the matching kept has paired."""
        self.matching.remove_matched_pairs([*chain.from_iterable(pairs)])
        self._forget()

    def fix_pairs(self, pairs: Iterable[tuple[int, int]]) -> None:
        """Pair some for good, without whom all others can be paired."""
        for one, other in pairs:
            self.matching.remove_vertices(one, other)
        self._forget()

    def possible_partners_among(self, vertex: int, candidates: Sequence[int]) -> frozenset[int]:
        """Those of some candidates who are among the `possible_partners` of a vertex."""
        within = bitmask_bytes(self._beyond[vertex]) if vertex in self._beyond else None
        likely = candidates if within is None else [one for one in candidates if is_bit_set(within, one)]
        found, doubtful = self._plainly_partners(vertex, likely)
        while doubtful and self._leaves_exchange(vertex, doubtful[-1]):
            found.append(doubtful.pop())
        # The first of whom that is not plain is asked about by a search, which tells of all.
        if doubtful:
            found += bitmask_members(self.possible_partners(vertex) & bitmask_of(doubtful))
        return frozenset(found)

    def partners_not_ruled_out(self, vertex: int) -> int:
        """Bitmask beyond which a vertex has no partner, as far as it is known: -1 where nothing is."""
        return self._beyond.get(vertex, -1)

    def possible_partners(self, vertex: int) -> int:
        """Bitmask of those with whom a vertex can be paired."""
        if vertex not in self._known:
            self._learn(vertex)
        return self._beyond[vertex] & self.matching.neighbours(vertex)

    def can_pair(self, one: int, other: int) -> bool:
        """Whether the second is one of the `possible_partners` of the first."""
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
        """Fix the pair with the first of a bitmask who is one of the `possible_partners`, and return him; None
        without."""
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
        """The neighbours among some: partners for sure, as the two left behind may be paired, and doubtful ones."""
        mate, left = self.matching.mate, self.matching.mate[vertex]
        near, beyond = bitmask_bytes(self.matching.neighbours(vertex)), bitmask_bytes(self.matching.neighbours(left))
        plain: list[int] = []
        doubtful: list[int] = []
        for candidate in candidates:
            if is_bit_set(near, candidate):
                (plain if candidate == left or is_bit_set(beyond, mate[candidate]) else doubtful).append(candidate)
        return plain, doubtful

    def _leaves_exchange(self, vertex: int, candidate: int) -> bool:
        """Whether the two left behind by this pair find other partners in a third pair, of those looked at."""
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
            # Of the others of the barrier it need not be all: whoever has been asked himself keeps his own.
            if one not in self._known:
                self._beyond[one] = parts.missable
        self._beyond[vertex] = parts.missable
        self._known.add(vertex)
