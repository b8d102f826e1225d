"""A perfect matching whose pairs are fixed one after the other, and that remembers whom nobody can be paired with.

Fixing a pair takes possibilities away and never gives any. So what a search without success has shown holds for good:
it ends with a *barrier*, vertices who in every perfect matching all have their partners among the same others (those
of Gallai and Edmonds who can be missed). Whoever of the barrier is asked about next begins with these. In a
large group one search so answers for thousands: all of the colour, say, of which no two may be paired any more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import chain

from pairing.engine.rules.matching.cardinality import SINGLE_PROBES, Matching
from pairing.engine.rules.matching.masks import members


class Narrowing:
    """The perfect matchings of a graph, narrowed pair by pair; `matching` keeps one of them."""

    def __init__(self, matching: Matching) -> None:
        """Take a matching that leaves nobody over, which from now on is changed here alone."""
        self.matching = matching
        self._beyond: dict[int, int] = {}
        # Since the last pair was fixed: of whom that says all, and of whom how many have been refused.
        self._known: set[int] = set()
        self._refused: Counter[int] = Counter()

    def fix_all(self, pairs: Iterable[tuple[int, int]]) -> None:
        """Pair some for good whom the matching kept has paired."""
        self.matching.set_pairs_aside([*chain.from_iterable(pairs)])
        self._forget()

    def within(self, vertex: int) -> int:
        """Bitmask beyond which a vertex has no partner, as far as it is known: -1 where nothing is."""
        return self._beyond.get(vertex, -1)

    def partners(self, vertex: int) -> int:
        """Bitmask of those with whom a vertex can be paired."""
        if vertex not in self._known:
            self._learn(vertex)
        return self._beyond[vertex] & self.matching.neighbours(vertex)

    def can_pair(self, one: int, other: int) -> bool:
        """Whether the second is one of the `partners` of the first."""
        if not self._beyond.get(one, -1) >> other & 1:
            return False
        if one in self._known:
            return self.matching.are_neighbours(one, other)
        if self.matching.can_pair(one, other):
            return True
        self._refused[one] += 1
        if self._refused[one] == SINGLE_PROBES:
            self._learn(one)
        return False

    def pair_first(self, vertex: int, among: int) -> int | None:
        """Fix the pair with the first of a bitmask who is one of the `partners`, and return him; None without."""
        possible = self.matching.neighbours(vertex) & self._beyond.get(vertex, -1) & among
        refused = 0
        while possible:
            candidate = (possible & -possible).bit_length() - 1
            if self.matching.pair(vertex, candidate):
                self._forget()
                return candidate
            possible ^= 1 << candidate
            refused += 1
            if refused == SINGLE_PROBES:
                possible &= self.partners(vertex)
        return None

    def _forget(self) -> None:
        self._known.clear()
        self._refused.clear()

    def _learn(self, vertex: int) -> None:
        parts = self.matching.parts_without(vertex)
        for one in members(parts.blocking):
            # Of the others of the barrier it need not be all: whoever has been asked himself keeps his own.
            if one not in self._known:
                self._beyond[one] = parts.missable
        self._beyond[vertex] = parts.missable
        self._known.add(vertex)
