"""The candidates of `exact_search` while pairs are fixed one after the other.

The last candidate's downfloaters usually fit the next one too. Then only the other players are paired again. Otherwise
the downfloaters of the pairing that bounds the clashes are tried, and only then a full search.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from pairing.engine.matching import MaximumMatching, MinConflictMatching
from pairing.engine.systems.dutch_1992.candidate_search import BracketContext, VertexPairs
from pairing.engine.systems.dutch_1992.lookahead_search import MinConflictCandidates


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateQuery:
    """The members to be paired or moved down: their possible pairs, who may move down, and who must."""

    allowed_pairs: Sequence[int]
    may_leave: int
    alive: int
    look_ahead: bool
    must_leave: int = 0

    def with_member_staying(self, vertex: int) -> CandidateQuery:
        return replace(self, may_leave=self.may_leave & ~(1 << vertex))

    def with_member_leaving(self, vertex: int) -> CandidateQuery:
        return replace(self, must_leave=self.must_leave | 1 << vertex)

    def without_members(self, *vertices: int) -> CandidateQuery:
        alive = self.alive
        for vertex in vertices:
            alive &= ~(1 << vertex)
        return replace(self, alive=alive)


class CandidateFinder(Protocol):
    """The source of candidates (`exact_search`)."""

    def can_leave_together(self, question: CandidateQuery, leaving: int) -> bool:
        """Return True if these may move down together (C12, C13)."""

    def find_any_candidate(self, question: CandidateQuery, at_most: int | None) -> VertexPairs | None:
        """Return a candidate with at most this many clashes (None: any number), or None."""

    def leaving_members(self, pairs: VertexPairs) -> int:
        """Bitmask of the members who move down."""


class ExactCandidates:
    """A candidate whose remaining members stay paired, and a bound for all others."""

    def __init__(
        self,
        exact: CandidateFinder,
        around: BracketContext,
        question: CandidateQuery,
        leaving: int,
        bound: MinConflictCandidates,
    ) -> None:
        """Take the players `leaving` in a candidate with the fewest clashes."""
        self._exact = exact
        self._around = around
        self._question = question
        self._bound = bound
        self._leaving = leaving
        self._staying = self._paired_without(question, leaving)
        self._before = (question, leaving)

    @property
    def min_conflicts(self) -> int:
        return self._staying.min_conflicts

    def fix_first_possible_pair(self, vertex: int, candidates: Iterator[int]) -> int | None:
        self._before = (self._question, self._leaving)
        possible = self._question.allowed_pairs[vertex] & self._question.alive
        least, bounded = self.min_conflicts, False
        for candidate in candidates:
            if not possible >> candidate & 1:
                continue
            if self._stays(vertex, candidate, least) or self._changes(vertex, candidate, least):
                self._bound.record_fixed_pair(vertex, candidate)
                self._question = self._question.without_members(vertex, candidate)
                return candidate
            if not bounded:
                possible, bounded = possible & self._bound.clashes.possible_partners(vertex, least), True
        return None

    def _stays(self, vertex: int, candidate: int, least: int) -> bool:
        """Fix a pair if the same players can then move down."""
        return self._staying.try_fix_pair(vertex, candidate) and self._bound.clashes.try_fix_pair(
            vertex, candidate, least
        )

    def _changes(self, vertex: int, candidate: int, least: int) -> bool:
        """Fix a pair if other players can then move down."""
        mark = self._bound.clashes.create_savepoint()
        if not self._bound.clashes.try_fix_pair(vertex, candidate, least):
            return False
        question = self._question.without_members(vertex, candidate)
        leaving = self._bound.leaving_members
        if not self._exact.can_leave_together(question, leaving):
            pairs = self._exact.find_any_candidate(question, least - self._around.is_colour_conflict(vertex, candidate))
            if pairs is None:
                self._bound.clashes.rollback(mark)
                return False
            leaving = self._exact.leaving_members(pairs)
        self._leaving = leaving
        self._staying = self._paired_without(question, leaving)
        return True

    def rejected_only_for_colours(self, vertex: int, passed: Sequence[int]) -> frozenset[int]:
        question, leaving = self._before
        bounded = self._bound.rejected_only_for_colours(vertex, passed)
        possible = question.allowed_pairs[vertex] & question.alive
        return frozenset(one for one in bounded if possible >> one & 1 and self._fits(vertex, one, question, leaving))

    def _fits(self, vertex: int, candidate: int, question: CandidateQuery, leaving: int) -> bool:
        question = question.without_members(vertex, candidate)
        if (
            not leaving >> candidate & 1
            and not MaximumMatching(question.allowed_pairs, question.alive & ~leaving).deficiency
        ):
            return True
        return self._exact.find_any_candidate(question, None) is not None

    def _paired_without(self, question: CandidateQuery, leaving: int) -> MinConflictMatching:
        return MinConflictMatching(
            question.allowed_pairs, self._around.white, self._around.black, question.alive & ~leaving
        )
