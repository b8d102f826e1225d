"""A graph stored by its missing edges, for fields too large to keep a bitmask for every player."""

from collections.abc import Sequence
from typing import overload

MAX_CACHED_BITS = 1 << 28
"""The cache keeps this many bits, 32 MB: all bitmasks up to about 16,000 vertices."""
MAX_LISTED_GAPS = 16
"""A vertex with more missing edges gets its own bitmask from the start."""


class ComplementGraph(Sequence[int]):
    """The neighbours of every vertex, as a bitmask made on demand and cached while space allows.

    Memory grows with the number of missing edges, not with the square of the players. The graph is symmetric and
    without loops if its input is symmetric.
    """

    def __init__(self, open_to: Sequence[int], apart: Sequence[Sequence[int]]) -> None:
        """Take for each vertex a bitmask, which many may share, and the vertices in it that are not neighbours.

        These need not include the vertex itself.
        """
        self._open_to = list(open_to)
        self._apart = list(apart)
        self._room = MAX_CACHED_BITS // (len(self._open_to) or 1)
        self._kept: dict[int, int] = {}
        for vertex, others in enumerate(self._apart):
            if len(others) > MAX_LISTED_GAPS:
                self._open_to[vertex], self._apart[vertex] = self._mask(vertex), ()

    def __len__(self) -> int:
        return len(self._open_to)

    @overload
    def __getitem__(self, vertex: int) -> int: ...
    @overload
    def __getitem__(self, vertex: slice) -> Sequence[int]: ...
    def __getitem__(self, vertex: int | slice) -> int | Sequence[int]:
        if isinstance(vertex, slice):
            return [self[one] for one in range(len(self))[vertex]]
        mask = self._kept.get(vertex)
        if mask is None:
            mask = self._mask(vertex)
            if len(self._kept) < self._room:
                self._kept[vertex] = mask
        return mask

    @property
    def can_cache_all(self) -> bool:
        """True if all bitmasks fit in the cache, so that each is made once."""
        return self._room >= len(self._open_to)

    def has_edge(self, one: int, other: int) -> bool:
        """Return True if two vertices are neighbours, without making a bitmask."""
        return one != other and other not in self._apart[one] and bool(self._open_to[one] >> other & 1)

    def with_added_vertex(self, neighbours: int) -> "ComplementGraph":
        """Return the graph with one more vertex at the end, which has these neighbours."""
        bit = 1 << len(self)
        wider = {id(mask): mask | bit for mask in {id(mask): mask for mask in self._open_to}.values()}
        open_to = [wider[id(mask)] if neighbours >> vertex & 1 else mask for vertex, mask in enumerate(self._open_to)]
        return ComplementGraph([*open_to, neighbours], [*self._apart, ()])

    def _mask(self, vertex: int) -> int:
        gaps = 1 << vertex
        for other in self._apart[vertex]:
            gaps |= 1 << other
        return self._open_to[vertex] & ~gaps
