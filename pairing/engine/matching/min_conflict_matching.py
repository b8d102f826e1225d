"""Perfect matchings with the fewest conflicts: pairs of players who are both due white, or both due black."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import NamedTuple

from pairing.engine.matching.bitmasks import bitmask_members, bitmask_of, filter_by_bitmask
from pairing.engine.matching.maximum_matching import MAX_SINGLE_PROBES, MaximumMatching
from pairing.engine.matching.zero_one_matching import ZeroOneCostMatching


class MinConflictSavepoint(NamedTuple):
    """A point in the history of a `MinConflictMatching` to which it can be rolled back. Opaque to callers."""

    alive: int
    dual: Sequence[int]
    dual_sum: int
    current: MaximumMatching | ZeroOneCostMatching
    roll_back_current: Callable[[], None]


class MinConflictMatching:
    """All pairings of a field, narrowed pair by pair, and the fewest conflicts still necessary.

    Dual values, one for each player (see `zero_one_matching`), decide which edges can be in a pairing with the fewest
    conflicts. Their sum over the remaining players is never more than twice these conflicts. It is exactly that as long
    as the edges without slack pair them all. Then each question is one about a plain `MaximumMatching` of those edges.
    Only if that fails is a weighted search needed.
    """

    def __init__(self, neighbours: Sequence[int], white: int, black: int, alive: int | None = None) -> None:
        """Take the compatibility graph, as for `MaximumMatching`, and the bitmasks of those due white and due black.

        Raises ValueError if the players taking part (default: all) cannot all be paired, or one is due both colours.
        """
        count = len(neighbours)
        if white & black:
            raise ValueError("nobody is due both colours")
        self._white, self._black = white, black
        self.alive = (1 << count) - 1 if alive is None else alive
        # No vertex is added later, so a group of a large field skips the rows of all others.
        self._costly, self._free = [0] * count, [0] * count
        for vertex in bitmask_members(self.alive):
            self._costly[vertex] = costly = neighbours[vertex] & self._class_of(vertex)
            self._free[vertex] = neighbours[vertex] & ~costly
        self._current: MaximumMatching | ZeroOneCostMatching
        if self._settle(self._majority_duals(), ()):
            if MaximumMatching(neighbours, self.alive, self._current.matched_pairs()).deficiency:
                raise ValueError("the players cannot all be paired")
            self._adopt(self._weigh())

    @property
    def min_conflicts(self) -> int:
        """The fewest conflicts with which all players not in a fixed pair can be paired."""
        return self._current.cost if isinstance(self._current, ZeroOneCostMatching) else self._dual_sum // 2

    def are_neighbours(self, one: int, other: int) -> bool:
        """Return True if two players may be paired and neither is in a fixed pair."""
        edges = self._free[one] | self._costly[one]
        return bool(self.alive >> one & self.alive >> other & edges >> other & 1)

    def is_conflicting_pair(self, one: int, other: int) -> bool:
        """Return True if the two players are due the same colour."""
        return bool(self._class_of(one) >> other & 1)

    def matched_pairs(self) -> list[tuple[int, int]]:
        """Return a pairing, with the fewest conflicts, of all players not in a fixed pair."""
        return self._current.matched_pairs()

    def create_savepoint(self) -> MinConflictSavepoint:
        """Return a savepoint for `rollback`. Savepoints can be nested."""
        current = self._current
        if isinstance(current, MaximumMatching):
            roll_back = partial(current.rollback, current.create_savepoint())
        else:
            roll_back = partial(current.rollback, current.create_savepoint())
        return MinConflictSavepoint(self.alive, self._dual, self._dual_sum, current, roll_back)

    def rollback(self, mark: MinConflictSavepoint) -> None:
        """Undo every change since `mark`."""
        self.alive, self._dual, self._dual_sum, self._current = mark.alive, mark.dual, mark.dual_sum, mark.current
        mark.roll_back_current()

    @contextmanager
    def rollback_on_exit(self) -> Iterator[None]:
        """Undo all changes made in the `with` block when it ends."""
        mark = self.create_savepoint()
        try:
            yield
        finally:
            self.rollback(mark)

    def try_fix_pair(self, one: int, other: int, at_most: int | None = None) -> bool:
        """Fix a pair if everyone can then be paired with `at_most` conflicts (default: `min_conflicts`).

        A conflict of the pair itself counts. Return False, with nothing changed, if they may not be paired or more
        conflicts would be needed.
        """
        if not self.are_neighbours(one, other):
            return False
        limit = self.min_conflicts if at_most is None else at_most
        answer = self._pair_tight(one, other, limit)
        if answer is None:
            weighted = self._weigh()
            answer = weighted.try_fix_pair(one, other, limit)
            if answer:
                self.alive &= ~(1 << one | 1 << other)
                self._adopt(weighted)
        return answer

    def can_pair(self, one: int, other: int, at_most: int | None = None) -> bool:
        """Return True if `try_fix_pair` would succeed. Nothing is changed."""
        with self.rollback_on_exit():
            return self.try_fix_pair(one, other, at_most)

    def fix_first_possible_pair(self, vertex: int, candidates: Iterable[int], at_most: int | None = None) -> int | None:
        """Fix the pair with the first candidate for which `try_fix_pair` succeeds, and return that vertex.

        `candidates` is read lazily. Return None, with nothing changed, if there is none.
        """
        if not self.alive >> vertex & 1:
            return None
        limit = self.min_conflicts if at_most is None else at_most
        possible = (self._free[vertex] | self._costly[vertex]) & self._within_bounds(vertex, limit)
        if isinstance(self._current, MaximumMatching) and 2 * limit == self._dual_sum:
            return self._pair_first_tight(self._current, vertex, filter_by_bitmask(possible, candidates))
        if isinstance(self._current, ZeroOneCostMatching):
            possible &= self._current.partners_not_ruled_out(vertex, limit)
        probes = 0
        for candidate in candidates:
            if not possible >> candidate & 1:
                continue
            if self.try_fix_pair(vertex, candidate, limit):
                return candidate
            probes += 1
            if probes == MAX_SINGLE_PROBES:
                possible &= self.possible_partners(vertex, limit)
        return None

    def possible_partners(self, vertex: int, at_most: int | None = None) -> int:
        """Return a bitmask of the partners for which `try_fix_pair` would succeed, found in a single search."""
        if not self.alive >> vertex & 1:
            return 0
        limit = self.min_conflicts if at_most is None else at_most
        if isinstance(self._current, MaximumMatching) and 2 * limit <= self._dual_sum:
            return self._current.possible_partners(vertex) if 2 * limit == self._dual_sum else 0
        return bitmask_of(self._weigh().possible_partner_costs(vertex, limit))

    def _class_of(self, vertex: int) -> int:
        for due in (self._white, self._black):
            if due >> vertex & 1:
                return due
        return 0

    def _within_bounds(self, vertex: int, limit: int) -> int:
        """Return the bitmask of partners that the counts of due colours alone allow.

        If a colour is due to more than half of the other players, each player above half causes a conflict.
        """
        white, black = self.alive & self._white, self.alive & self._black
        own = self._class_of(vertex) & self.alive
        half = self.alive.bit_count() // 2 - 1
        within = 0
        counts = [(due, due.bit_count()) for due in (white, black) if due]
        for group in (white, black, self.alive & ~(white | black)):
            left = [count - (due == own) - (due == group) for due, count in counts]
            if max([0, *(count - half for count in left)]) + (group == own) <= limit:
                within |= group
        return within

    def _majority_duals(self) -> list[int]:
        """Return the dual values that prove the bound by counts: a majority too large for the others has conflicts."""
        count = len(self._free)
        field = self.alive.bit_count()
        for due in (self._white & self.alive, self._black & self.alive):
            if 2 * due.bit_count() > field:
                return [1 if due >> v & 1 else -1 for v in range(count)]
        return [0] * count

    def _pair_tight(self, one: int, other: int, limit: int) -> bool | None:
        """Try to pair by the edges without slack. Return None if they cannot decide."""
        tight = self._current
        if not isinstance(tight, MaximumMatching):
            return None
        after = self._dual_sum - self._dual[one] - self._dual[other]
        left = 2 * (limit - self.is_conflicting_pair(one, other))
        if after > left:
            return False
        mark = tight.create_savepoint()
        if tight.remove_vertices(one, other) == 0:
            self._dual_sum = after
            self.alive = tight.alive
            return True
        tight.rollback(mark)
        return False if after == left else None

    def _pair_first_tight(self, tight: MaximumMatching, vertex: int, candidates: Iterable[int]) -> int | None:
        """Fix the first possible pair where only edges without slack can succeed."""
        chosen = tight.fix_first_possible_pair(vertex, candidates)
        if chosen is not None:
            self._dual_sum -= self._dual[vertex] + self._dual[chosen]
            self.alive = tight.alive
        return chosen

    def _weigh(self) -> ZeroOneCostMatching:
        """Return the weighted matching in use, or a new one that starts from what is known."""
        if isinstance(self._current, ZeroOneCostMatching):
            return self._current
        return ZeroOneCostMatching(self._free, self._costly, self.alive, self._dual, self._current.matched_pairs())

    def _adopt(self, weighted: ZeroOneCostMatching) -> None:
        """Continue with plain matching if the weighted one has no binding blossoms, else with the weighted one."""
        dual = weighted.blossom_free_duals()
        if dual is None:
            self._current = weighted
        else:
            self._settle(dual, weighted.matched_pairs())

    def _settle(self, dual: Sequence[int], pairs: Iterable[tuple[int, int]]) -> int:
        """Match by the edges without slack under these dual values, and return the deficiency."""
        by_value: dict[int, int] = {}
        for vertex in bitmask_members(self.alive):
            by_value[dual[vertex]] = by_value.get(dual[vertex], 0) | 1 << vertex
        tight = [0] * len(self._free)
        for vertex in bitmask_members(self.alive):
            value = dual[vertex]
            tight[vertex] = (self._free[vertex] & by_value.get(-value, 0)) | (
                self._costly[vertex] & by_value.get(2 - value, 0)
            )
        self._dual, self._dual_sum = dual, sum(dual[v] for v in bitmask_members(self.alive))
        self._current = matching = MaximumMatching(tight, self.alive, pairs)
        return matching.deficiency
