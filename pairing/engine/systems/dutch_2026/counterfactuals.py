"""What would have become of earlier candidates: the first criterion that each of them meets less well."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from pairing.engine.matching import NO_VERTEX, OddSetMatching, bitmask_members, bitmask_of
from pairing.engine.systems.dutch_2026.brackets import Bracket
from pairing.engine.systems.dutch_2026.candidate_sets import CandidateSet, OddSetCandidates, can_pair_subgroups
from pairing.engine.systems.dutch_2026.candidates import CandidatePairing, TranspositionStep

MAX_SEQUENTIAL_CHECKS = 12
"""Above this many criteria, use binary search."""
MAX_SINGLE_SEARCHES = 3
"""From this many doubtful players on, check them together first: single searches would take longer."""
MAX_LATER_PAIRS = 64
"""How many later pairs to try for a change of three pairs: enough where few players may not meet."""


class FailedCriterion(NamedTuple):
    """The first criterion that rules out a candidate (or None), and whether the candidate's own pair is the cause."""

    criterion: str | None
    is_by_own_pair: bool


class FailedHalves(NamedTuple):
    """The first criterion that rules out all pairings of two halves, and how many steps come before it.

    The criterion is None if the pairs or the downfloaters themselves are impossible (C4 to C9).
    """

    criterion: str | None
    steps_before: int


NAMED_BY_LEAVERS = ("C6", "C7", "C8")
"""As criteria of candidates, these only occur where several players leave, and who leaves says more about them."""


class CriterionCounterfactuals:
    """The candidates left after each criterion in a bracket, to find out why earlier pairs were not chosen."""

    def __init__(self, bracket: Bracket, face: CandidateSet | OddSetCandidates, candidate: CandidatePairing) -> None:
        """Take a bracket, its chosen candidate, and the candidate set it was found in, with all its pairs fixed."""
        self._exits, self._turns = bracket.exit_vertices_mask, candidate.turns
        self._pairs = [*(turn[:2] for turn in candidate.turns), *face.current_pairs]
        self._mate = _mates(self._pairs, len(bracket.graph))
        self._steps = [step for step in face.steps if step.before is not None]
        self.left = [*(step.before for step in self._steps if step.before is not None), face.remaining_graph]
        self._followers: dict[int, CandidateReplay] = {}
        self._untouched: dict[int, OddSetMatching] = {}

    def group_by_failed_criterion(self, number: int) -> dict[FailedCriterion, int]:
        """Group the players skipped in a turn by failed criterion, as bitmasks.

        They are checked together, to avoid single searches. Some are ruled out because an edge is gone or a barrier is
        known. Others need no search because a change of two pairs would do.
        """
        chooser, passed = self._turns[number].chooser, self._turns[number].passed
        found: dict[FailedCriterion, int] = {}
        asked = bitmask_of(passed)
        for at in range(len(self.left) + 1):
            kept = asked & self._within(at, chooser) if at < len(self.left) else 0
            gone, asked = asked & ~kept, kept
            if gone:
                in_doubt = self._in_doubt(at - 1, number, gone) if at else 0
                for against, some in self._said(at, chooser, gone ^ in_doubt):
                    if some:
                        found[against] = found.get(against, 0) | some
                for vertex in bitmask_members(in_doubt) if in_doubt else ():
                    against = self.failed_criterion_for_pair(number, vertex)
                    found[against] = found.get(against, 0) | 1 << vertex
            if not asked:
                break
        return found

    def _within(self, at: int, vertex: int) -> int:
        """Bitmask of the partners of a vertex not known to be ruled out after `at` criteria."""
        row, follower = self.left[at].graph[vertex], self._followers.get(at)
        return row if follower is None else row & follower.partners_not_ruled_out(vertex)

    def _in_doubt(self, at: int, number: int, vertices: int) -> int:
        """Bitmask of the vertices that need a search to tell if they could be paired with the turn's chooser."""
        graph, borders = self.left[at]
        if borders:
            return vertices
        opponent, mate = self._turns[number].opponent, self._mate
        apart = ((1 << len(graph)) - 1) & ~graph[opponent]
        if apart.bit_count() < vertices.bit_count():
            left = vertices & bitmask_of(mate[vertex] for vertex in bitmask_members(apart))
        else:
            eights = apart.to_bytes(len(graph) // 8 + 1, "little")
            left = bitmask_of(one for one in bitmask_members(vertices) if eights[mate[one] >> 3] >> (mate[one] & 7) & 1)
        if left.bit_count() < MAX_SINGLE_SEARCHES:
            return left
        freed = self._freed_for(number, ~apart)
        return bitmask_of(one for one in bitmask_members(left) if not graph[mate[one]] & freed)

    def _freed_for(self, number: int, near: int) -> int:
        """Bitmask of later players paired with a possible partner of the turn's opponent: a third pair to change."""
        later = [turn[:2] for turn in self._turns[number + 1 : number + 1 + MAX_LATER_PAIRS]]
        pairs = (*later, *((other, one) for one, other in later))
        return bitmask_of(other for one, other in pairs if near >> one & 1)

    def _said(self, at: int, chooser: int, vertices: int) -> Iterator[tuple[FailedCriterion, int]]:
        """Yield the failed criterion of vertices that fail at this step, as bitmasks."""
        if not 0 < at < len(self.left):
            yield FailedCriterion("C6" if at == 0 else None, is_by_own_pair=False), vertices
            return
        step = self._steps[at - 1]
        counting = vertices & step.costly[chooser]
        yield FailedCriterion(step.criterion, is_by_own_pair=True), counting
        yield FailedCriterion(step.criterion, is_by_own_pair=False), vertices & ~counting

    def failed_criterion_for_pair(self, number: int, vertex: int) -> FailedCriterion:
        """Return the criterion that rules out pairing the chooser with a skipped player."""
        chooser = self._turns[number].chooser
        return self._failing(lambda at: self._follower(at).can_pair(number, vertex), chooser, 1 << vertex)

    def failed_criterion_for_leaving(self, vertex: int) -> FailedCriterion:
        """Return the criterion that stops this player from leaving instead of the one who leaves.

        Only valid where one player leaves: then there is a single exit, and C6 opens no others.
        """
        return self._failing(lambda at: bool(self._leaving(at, vertex)), vertex, self._exits)

    def _failing(self, can_be: Callable[[int], bool], vertex: int, others: int) -> FailedCriterion:
        """Return the criterion after which no candidate pairs a vertex with the only one of `others`."""
        # Each criterion leaves a subset of the one before. One of the first usually fails.
        gone = next((at for at, left in enumerate(self.left) if not left.graph[vertex] & others), len(self.left))
        if gone <= MAX_SEQUENTIAL_CHECKS:
            at = next((at for at in range(gone) if not can_be(at)), gone)
        else:
            at = bisect_left(range(gone), True, key=lambda at: not can_be(at))
        if at == 0:
            return FailedCriterion("C6", is_by_own_pair=False)
        if at == len(self.left):
            return FailedCriterion(None, is_by_own_pair=False)
        step = self._steps[at - 1]
        return FailedCriterion(step.criterion, is_by_own_pair=bool(step.costly[vertex] & others))

    def failed_criterion_for_halves(
        self, upper: int, lower: int, pairs: Sequence[tuple[int, int]], leaving: int
    ) -> FailedHalves:
        """Return the criterion that rules out pairing all of `upper` with `lower` (bitmasks).

        `pairs` are made before, and those in `leaving` leave the bracket.
        """

        def is_impossible(at: int) -> bool:
            return not can_pair_subgroups(self.left[at], upper, lower, pairs, leaving, self._exits)

        # Each criterion leaves a subset of the one before.
        at = bisect_left(range(len(self.left)), True, key=is_impossible)
        if at == len(self.left):
            raise AssertionError("an exchange that comes earlier was possible")
        return FailedHalves(self._steps[at - 1].criterion if at else None, max(at - 1, 0))

    def criteria_against_some(
        self, before: int, upper: int, lower: int, pairs: Sequence[tuple[int, int]], leaving: int
    ) -> list[str]:
        """Return which of the first steps (`before` of them) rule out only some pairings of `upper` with `lower`.

        The other arguments are those of `failed_criterion_for_halves`. Only for small groups.
        """
        found: list[str] = []
        for at in range(before):
            own, then, criterion = self.left[at], self.left[at + 1], self._steps[at].criterion
            if criterion in found or criterion in NAMED_BY_LEAVERS:
                continue
            lost = (
                (vertex, other)
                for vertex in bitmask_members(upper | lower)
                for other in bitmask_members(own.graph[vertex] & ~then.graph[vertex])
                if (upper >> other & ~(upper >> vertex)) & 1 or lower >> vertex & self._exits >> other & 1
            )
            if any(
                can_pair_subgroups(own, upper & ~gone, lower & ~gone, [*pairs, pair], leaving, self._exits)
                for pair in lost
                for gone in [bitmask_of(pair)]
            ):
                found.append(criterion)
        return found

    def find_changed_turn(self, vertex: int, residents: int) -> tuple[TranspositionStep, int] | None:
        """Return the first turn whose opponent would change if this player left, and the new opponent.

        Only valid if one player leaves who is not a chooser. None if the halves would have to change.
        """
        turns = self._turns
        first = sum(turn.is_moved_down for turn in turns)

        def is_possible(before: int, *pair: tuple[int, int], in_halves: bool) -> bool:
            """Return True if some candidate has the pairs of the first `before` turns, plus `pair`."""
            pairs = [*(turn[:2] for turn in turns[:before]), *pair]
            moved = bitmask_of(one for made in pairs[:first] for one in made)
            upper = bitmask_of(turn.chooser for turn in turns[first:]) if in_halves else 0
            lower = residents & ~upper & ~moved if in_halves else 0
            return can_pair_subgroups(self.left[-1], upper, lower, pairs, 1 << vertex, self._exits)

        # No candidate with these pairs so far has an earlier opponent, or it would have been chosen.
        at = bisect_left(range(len(turns)), True, key=lambda turn: not is_possible(turn + 1, in_halves=turn >= first))
        if at == len(turns) or (at >= first and not is_possible(at, in_halves=True)):
            return None
        gone = {vertex, *(one for turn in turns[:at] for one in turn[:2])}
        if at >= first:
            gone.update(turn.chooser for turn in turns[first:])
        later = (one for one in bitmask_members(residents) if one > turns[at].opponent and one not in gone)
        chooser = turns[at].chooser
        then = next((one for one in later if is_possible(at, (chooser, one), in_halves=at >= first)), None)
        return None if then is None else (turns[at], then)

    def _leaving(self, at: int, vertex: int) -> int:
        """Bitmask of the exits a player could use."""
        if at not in self._untouched:
            self._untouched[at] = OddSetMatching(*self.left[at], self._pairs)
        return self._untouched[at].possible_partners(vertex) & self._exits

    def _follower(self, at: int) -> CandidateReplay:
        if at not in self._followers:
            self._followers[at] = CandidateReplay(OddSetMatching(*self.left[at], self._pairs), self._turns)
        return self._followers[at]


class CandidateReplay:
    """A matching in which a candidate's pairs are fixed one by one."""

    def __init__(self, matching: OddSetMatching, turns: Sequence[TranspositionStep]) -> None:
        """Take a matching with the pairs of these turns, with nothing fixed yet."""
        self._turns = turns
        self._matching = matching
        self._fixed = 0

    def can_pair(self, number: int, vertex: int) -> bool:
        """Return True if the chooser could still be paired with this vertex after the earlier turns.

        Ask about turns in their order.
        """
        if self._fixed < number:
            self._matching.fix_matched_pairs([turn[:2] for turn in self._turns[self._fixed : number]])
            self._fixed = number
        return self._matching.can_pair(self._turns[number].chooser, vertex)

    def partners_not_ruled_out(self, vertex: int) -> int:
        """Return a bitmask of the partners not yet known to be impossible for a vertex, now or in later turns."""
        return self._matching.partners_not_ruled_out(vertex)


def _mates(pairs: Iterable[tuple[int, int]], count: int) -> list[int]:
    mate = [NO_VERTEX] * count
    for one, other in pairs:
        mate[one], mate[other] = other, one
    return mate
