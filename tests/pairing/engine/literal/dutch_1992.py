"""The first Dutch system (1992), transcribed literally: the first candidate that passes.

For small fields only. "Number" is the TPN, or whatever order is handed in its place (Jahr's method). Loops that
cannot hold any passing candidate are skipped by asking, over all sets of pairs, whether one could pass at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations

from pairing.engine.snapshot import TournamentSnapshot
from tests.pairing.engine.literal.acceleration import fictitious_points
from tests.pairing.engine.literal.facts import OTHER, Facts, NoLegalRound, Pairing

Pair = tuple[int, int]
Set = frozenset[int]
ABSOLUTE, STRONG, MILD = 3, 2, 1
B6_AND_B5, ONLY_B5, NEITHER = (1, 2), (1,), ()
TOLERANCES = (B6_AND_B5, ONLY_B5, NEITHER)
"""In each tolerance, how many rounds back an identical float forbids one now."""


def pair(snapshot: TournamentSnapshot) -> Pairing:
    """The round by the rules of 1992; raises NoLegalRound."""
    bye_worth = snapshot.points.pairing_allocated_bye
    facts = Facts(snapshot, fictitious_points(snapshot, bye_worth), bye_worth)
    return Procedure(facts, number={tpn: tpn for tpn in facts.cards}).paired_round()


class Procedure:
    """One round; `number` orders the players inside a score group, 1 the highest."""

    def __init__(self, facts: Facts, number: Mapping[int, int]) -> None:
        self.facts = facts
        self.number = number
        self.score = facts.pairing_score
        self.can_be_completed = cache(self._can_be_completed)

    def paired_round(self) -> Pairing:
        """C: bracket by bracket from the top; then colours and boards."""
        left = self.facts.to_pair
        if not self.can_be_completed(left):
            raise NoLegalRound
        pairs: list[Pair] = []
        scores = sorted({self.score[tpn] for tpn in left}, reverse=True)
        moved_down: Set = frozenset()
        for place, score in enumerate(scores):
            residents = self.of_score(score)
            below = self.of_score(scores[place + 1]) if place + 1 < len(scores) else frozenset()
            lower = frozenset(tpn for tpn in left if self.score[tpn] < score)
            bracket = Bracket(self, moved_down, residents, below, lower)
            made, moved_down = bracket.first_passing_candidate()
            pairs += made
        assert len(moved_down) <= 1
        bye = next(iter(moved_down), None)
        rank = {tpn: place for place, tpn in enumerate(self.in_order(frozenset(self.facts.cards)), start=1)}
        return self.facts.in_board_order([self.colours(a, b) for a, b in pairs], rank), bye

    def of_score(self, score: int) -> Set:
        return frozenset(tpn for tpn in self.facts.to_pair if self.score[tpn] == score)

    def in_order(self, players: Set) -> list[int]:
        """A2: by pairing score, then by number."""
        return sorted(players, key=lambda tpn: (-self.score[tpn], self.number[tpn]))

    def is_above_half_in_last_round(self, tpn: int) -> bool:
        """A7 a and the note to B: more than half of the maximum score before the last round, by real score."""
        rounds = self.facts.snapshot.rounds_paired
        return self.facts.is_last_round and self.facts.points_after(tpn, rounds) > rounds

    def preference(self, tpn: int) -> tuple[str, int] | None:
        """A7: the colour a player prefers and how strongly."""
        history = self.facts.colours[tpn]
        if not history:
            return None
        absolute = self.facts.absolute[tpn]
        if absolute is not None and not self.is_above_half_in_last_round(tpn):
            return absolute, ABSOLUTE
        difference = self.facts.difference[tpn]
        if difference != 0:
            return ("w" if difference < 0 else "b"), STRONG
        return OTHER[history[-1]], MILD

    def compatible(self, a: int, b: int) -> bool:
        """B1 a, B2: not met, and not both with an absolute preference for the same colour."""
        if self.facts.met(a, b) or self.facts.forbidden(a, b):
            return False
        one, other = self.preference(a), self.preference(b)
        return not (one is not None and one == other and one[1] == ABSOLUTE)

    def clashes(self, a: int, b: int) -> bool:
        """B4: both have a preference for the same colour."""
        one, other = self.preference(a), self.preference(b)
        return one is not None and other is not None and one[0] == other[0]

    def bye_is_allowed(self, tpn: int) -> bool:
        """B1 b: nobody who already had a point without playing."""
        return not self.facts.had(tpn, "UF+")

    def _can_be_completed(self, players: Set) -> bool:
        """C12, C13: a legal round exists for these players."""
        if len(players) % 2:
            return any(self.bye_is_allowed(tpn) and self.can_be_completed(players - {tpn}) for tpn in players)
        if not players:
            return True
        first = min(players)
        others = players - {first}
        return any(self.compatible(first, b) and self.can_be_completed(others - {b}) for b in others)

    def colours(self, a: int, b: int) -> Pair:
        """E: (white, black)."""
        higher, lower = self.in_order(frozenset((a, b)))
        colour = self.colour_of_higher(higher, lower)
        return (higher, lower) if colour == "w" else (lower, higher)

    def colour_of_higher(self, higher: int, lower: int) -> str:
        """E1 to E4 and round 1: the colour the higher player gets."""
        his, theirs = self.preference(higher), self.preference(lower)
        if his is None and theirs is None:
            first = self.facts.snapshot.first_colour.value
            return first if higher % 2 else OTHER[first]
        if his is None or theirs is None:
            return his[0] if his is not None else OTHER[theirs[0]]
        if his[0] != theirs[0]:
            return his[0]  # E1
        if his[1] != theirs[1]:
            return his[0] if his[1] > theirs[1] else OTHER[theirs[0]]  # E2
        one, other = self.facts.colours[higher], self.facts.colours[lower]
        for had, they_had in zip(reversed(one), reversed(other), strict=False):
            if had != they_had:
                return OTHER[had]  # E3
        return his[0]  # E4


class Bracket:
    """One bracket during pairing: players moved down to it, its residents, and everyone below."""

    def __init__(self, procedure: Procedure, moved_down: Set, residents: Set, below: Set, lower: Set) -> None:
        self.procedure = procedure
        self.is_lowest = not lower
        self.below = below
        self.lower = lower
        everyone = moved_down | residents
        self.without_opponent: Set = frozenset()
        if not self.is_lowest:
            self.without_opponent = frozenset(
                a for a in everyone if not any(procedure.compatible(a, b) for b in everyone - {a})
            )
        self.moved_down = moved_down - self.without_opponent
        self.members = procedure.in_order(everyone - self.without_opponent)
        self.fewest_clashes = cache(self._fewest_clashes)

    def first_passing_candidate(self) -> tuple[list[Pair], Set]:
        """C1 to C14: the pairs, and all players who move down from the bracket."""
        heterogeneous = bool(self.moved_down) and 2 * len(self.moved_down) < len(self.members)
        if heterogeneous:
            for pairs in self.heterogeneous_candidates():
                return pairs, self.leaving(pairs)
        for pairs in self.homogeneous_candidates():
            return pairs, self.leaving(pairs)
        raise AssertionError("the whole bracket could move down, so a candidate passes")

    def leaving(self, pairs: list[Pair]) -> Set:
        paired = {tpn for each in pairs for tpn in each}
        return frozenset(set(self.members) - paired) | self.without_opponent

    def x0(self) -> int:
        """A8: the minimum number of pairs that violate a preference."""
        preferences = [self.procedure.preference(tpn) for tpn in self.members]
        white = sum(preference is not None and preference[0] == "w" for preference in preferences)
        black = sum(preference is not None and preference[0] == "b" for preference in preferences)
        return max(0, max(white, black) - (len(self.members) + 1) // 2)

    def homogeneous_candidates(self) -> Iterator[list[Pair]]:
        """C3 to C11 and C14 in a homogeneous group: the passing candidates in order."""
        most = len(self.members) // 2
        for p in range(most, -1, -1):
            for look_ahead in (True, False):
                for x in range(max(0, self.x0() - (most - p)), p + 1):
                    for up in TOLERANCES:
                        yield from self.group_candidates(tuple(self.members), p, x, up, look_ahead)

    def heterogeneous_candidates(self) -> Iterator[list[Pair]]:
        """C3 to C14 in a heterogeneous group: players moved down first, then the remainder."""
        most = len(self.members) // 2
        for p_moved in range(len(self.moved_down), 0, -1):
            s1, s2 = self.members[:p_moved], self.members[p_moved:]
            remaining = len(self.members) - 2 * p_moved
            for p_remainder in range(remaining // 2, -1, -1):
                p = p_moved + p_remainder
                for look_ahead in (True, False):
                    for x in range(max(0, self.x0() - (most - p)), p + 1):
                        for up in TOLERANCES:
                            for pairs in self.transpositions(s1, s2, x, up):
                                yield from self.with_remainder(pairs, p_remainder, x, up, look_ahead)

    def with_remainder(
        self, pairs: list[Pair], p: int, x: int, up: tuple[int, ...], look_ahead: bool
    ) -> Iterator[list[Pair]]:
        """C6: the players left after the opponents of those moved down, as a homogeneous group."""
        paired = {tpn for each in pairs for tpn in each}
        rest = tuple(tpn for tpn in self.members if tpn not in paired)
        budget = x - sum(self.procedure.clashes(a, b) for a, b in pairs)
        for more in self.group_candidates(rest, p, budget, up, look_ahead):
            yield pairs + more

    def group_candidates(
        self, group: tuple[int, ...], p: int, x: int, up: tuple[int, ...], look_ahead: bool
    ) -> Iterator[list[Pair]]:
        """C4 to C9 in a group: downfloat tolerances, exchanges, transpositions; only those that pass."""
        for down in TOLERANCES:
            may_leave = [
                frozenset(leftover)
                for leftover in combinations(group, len(group) - 2 * p)
                if self.may_leave(frozenset(leftover), down, look_ahead)
                and (least := self.fewest_clashes(frozenset(group) - set(leftover), up)) is not None
                and least <= x
            ]
            if not may_leave:
                continue
            for s1, s2 in exchanges(group, p):
                for pairs in self.transpositions(s1, s2, x, up):
                    paired = {tpn for each in pairs for tpn in each}
                    if frozenset(group) - paired in may_leave:
                        yield pairs

    def may_leave(self, leftover: Set, down: tuple[int, ...], look_ahead: bool) -> bool:
        """B5, B6 for downfloats; C12, C13: the others can be completed, also in the next bracket if required."""
        if not all(self.float_is_allowed(tpn, "down", down) for tpn in leftover):
            return False
        leaving = leftover | self.without_opponent
        if not self.procedure.can_be_completed(leaving | self.lower):
            return False
        return not look_ahead or self.all_find_residents_below(leaving)

    def all_find_residents_below(self, leaving: Set) -> bool:
        """C12: all can play different residents of the next bracket."""
        waiting = sorted(leaving)

        def place(index: int, taken: Set) -> bool:
            if index == len(waiting):
                return True
            return any(
                self.procedure.compatible(waiting[index], b) and place(index + 1, taken | {b})
                for b in self.below - taken
            )

        return place(0, frozenset())

    def float_is_allowed(self, tpn: int, direction: str, tolerance: tuple[int, ...]) -> bool:
        """B5, B6: no identical float in the last round or the one before, as far as the tolerance goes."""
        if self.procedure.is_above_half_in_last_round(tpn):
            return True
        now = self.procedure.facts.round_number
        return all(self.procedure.facts.float_in(tpn, now - back) != direction for back in tolerance)

    def pair_is_allowed(self, a: int, b: int, up: tuple[int, ...]) -> bool:
        """B1, B2, and B5, B6 for the upfloat of the lower player of an unequal pair."""
        score = self.procedure.score
        if not self.procedure.compatible(a, b):
            return False
        return score[a] == score[b] or self.float_is_allowed(min(a, b, key=lambda tpn: score[tpn]), "up", up)

    def transpositions(self, s1: list[int], s2: list[int], x: int, up: tuple[int, ...]) -> Iterator[list[Pair]]:
        """D1: S2 in ascending lexicographic order, as far as its players are paired; at most x pairs clash."""
        if not s1:
            yield []
            return
        for b in s2:
            clash = self.procedure.clashes(s1[0], b)
            if clash <= x and self.pair_is_allowed(s1[0], b, up):
                others = [tpn for tpn in s2 if tpn != b]
                for pairs in self.transpositions(s1[1:], others, x - clash, up):
                    yield [(s1[0], b), *pairs]

    def _fewest_clashes(self, players: Set, up: tuple[int, ...]) -> int | None:
        """The fewest clashing pairs in a pairing of all of these; None if there is none."""
        if not players:
            return 0
        first = min(players)
        best: int | None = None
        for b in players - {first}:
            if self.pair_is_allowed(first, b, up):
                rest = self.fewest_clashes(players - {first, b}, up)
                if rest is not None:
                    total = rest + self.procedure.clashes(first, b)
                    best = total if best is None else min(best, total)
        return best


def exchanges(group: tuple[int, ...], p: int) -> Iterator[tuple[list[int], list[int]]]:
    """D2: S1 and S2 of a group in order: first without an exchange, then with exchanges of one player, of two, ..."""
    upper, lower = range(1, p + 1), range(p + 1, len(group) + 1)
    for size in range(min(len(upper), len(lower)) + 1):
        every = [(out, into) for out in combinations(upper, size) for into in combinations(lower, size)]
        for out, into in sorted(every, key=place_in_table):
            s1 = sorted((set(upper) - set(out)) | set(into))
            s2 = sorted((set(lower) - set(into)) | set(out))
            yield [group[place - 1] for place in s1], [group[place - 1] for place in s2]


def place_in_table(exchange: tuple[tuple[int, ...], tuple[int, ...]]) -> tuple[int, list[int], list[int]]:
    """D2: the smaller difference, then the lowest leaving players, then the highest entering ones."""
    out, into = exchange
    return sum(into) - sum(out), sorted(-place for place in out), sorted(into)
