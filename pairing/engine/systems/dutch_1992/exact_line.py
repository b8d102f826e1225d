"""The candidates of `exact` while pairs are fixed one after the other.

Who moved down in the last candidate known may mostly move down in the next one, too; then only the others are to be
paired anew. Else those who move down by the pairing that bounds the clashes are tried, and only then is all asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from pairing.engine.matching import ClashMatching, Matching
from pairing.engine.systems.dutch_1992.foreseen import ForeseenLine
from pairing.engine.systems.dutch_1992.options import Pairs, Surroundings


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Which members are to be paired or move down: the pairs they may form, who may move, and who must."""

    inside: Sequence[int]
    may_leave: int
    alive: int
    look_ahead: bool
    must_leave: int = 0

    def with_staying(self, vertex: int) -> Question:
        return replace(self, may_leave=self.may_leave & ~(1 << vertex))

    def with_leaving(self, vertex: int) -> Question:
        return replace(self, must_leave=self.must_leave | 1 << vertex)

    def without(self, *vertices: int) -> Question:
        alive = self.alive
        for vertex in vertices:
            alive &= ~(1 << vertex)
        return replace(self, alive=alive)


class Answers(Protocol):
    """Who is asked about candidates (`exact`)."""

    def accepts(self, question: Question, leaving: int) -> bool:
        """C12, C13: whether these may move down together."""

    def any_candidate(self, question: Question, at_most: int | None) -> Pairs | None:
        """A candidate with at most so many clashes (None: any number); None: there is none."""

    def leaving(self, pairs: Pairs) -> int:
        """Bitmask of the members who move down."""


class ExactLine:
    """A candidate, whose members who stay are kept paired, and a bound on what others can reach."""

    def __init__(
        self, exact: Answers, around: Surroundings, question: Question, leaving: int, bound: ForeseenLine
    ) -> None:
        """`leaving` move down in a candidate that has the fewest clashes."""
        self._exact = exact
        self._around = around
        self._question = question
        self._bound = bound
        self._leaving = leaving
        self._staying = self._paired_without(question, leaving)
        self._before = (question, leaving)

    @property
    def least(self) -> int:
        return self._staying.least

    def pair_first(self, vertex: int, candidates: Iterator[int]) -> int | None:
        self._before = (self._question, self._leaving)
        possible = self._question.inside[vertex] & self._question.alive
        least, bounded = self.least, False
        for candidate in candidates:
            if not possible >> candidate & 1:
                continue
            if self._stays(vertex, candidate, least) or self._changes(vertex, candidate, least):
                self._bound.fixed(vertex, candidate)
                self._question = self._question.without(vertex, candidate)
                return candidate
            if not bounded:
                possible, bounded = possible & self._bound.clashes.partners(vertex, least), True
        return None

    def _stays(self, vertex: int, candidate: int, least: int) -> bool:
        """Fix a pair if then the same can move down."""
        return self._staying.pair(vertex, candidate) and self._bound.clashes.pair(vertex, candidate, least)

    def _changes(self, vertex: int, candidate: int, least: int) -> bool:
        """Fix a pair if then others can move down."""
        mark = self._bound.clashes.mark()
        if not self._bound.clashes.pair(vertex, candidate, least):
            return False
        question = self._question.without(vertex, candidate)
        leaving = self._bound.leaving
        if not self._exact.accepts(question, leaving):
            pairs = self._exact.any_candidate(question, least - self._around.clash(vertex, candidate))
            if pairs is None:
                self._bound.clashes.rollback(mark)
                return False
            leaving = self._exact.leaving(pairs)
        self._leaving = leaving
        self._staying = self._paired_without(question, leaving)
        return True

    def fit_but_for_colours(self, vertex: int, passed: Sequence[int]) -> frozenset[int]:
        question, leaving = self._before
        bounded = self._bound.fit_but_for_colours(vertex, passed)
        possible = question.inside[vertex] & question.alive
        return frozenset(one for one in bounded if possible >> one & 1 and self._fits(vertex, one, question, leaving))

    def _fits(self, vertex: int, candidate: int, question: Question, leaving: int) -> bool:
        question = question.without(vertex, candidate)
        if not leaving >> candidate & 1 and not Matching(question.inside, question.alive & ~leaving).deficiency:
            return True
        return self._exact.any_candidate(question, None) is not None

    def _paired_without(self, question: Question, leaving: int) -> ClashMatching:
        return ClashMatching(question.inside, self._around.white, self._around.black, question.alive & ~leaving)
