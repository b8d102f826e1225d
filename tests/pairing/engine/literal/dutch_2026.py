"""The Dutch system of February 2026, transcribed literally: the best of all candidates, and the first of the best.

For small fields only. What C4 to C9 ask depends on nothing but who leaves a bracket, so sets of downfloaters are judged
first; then all pairings of the others by C10 to C21. The candidates are gone through in the order of articles 3 and
4, except for those of which the pairs made so far tell that they cannot be as good as the best.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import Any

from pairing.engine.snapshot import Result, TournamentSnapshot
from tests.pairing.engine.literal.counted import Counted, fictitious_in
from tests.pairing.engine.literal.dutch_2026_exchanges import exchanges
from tests.pairing.engine.literal.facts import OTHER, NoLegalRound, Pairing, fewest, is_played

Pair = tuple[int, int]
Set = frozenset[int]
Quality = tuple[Any, ...]
"""C10 to C21: eight numbers and four lists of differences."""
NOTHING: Quality = (0,) * 8 + ((),) * 4
ABSOLUTE, STRONG, MILD = 3, 2, 1
NOT_PAIRED = 1000
"""C18 and C20: an MDP who stays in limbo counts with a difference greater than any other."""


def pair(snapshot: TournamentSnapshot) -> Pairing:
    """The round by the rules of 2026; raises NoLegalRound."""
    return Procedure(Counted(snapshot, fictitious_in(snapshot), snapshot.points.pairing_allocated_bye)).paired_round()


class Procedure:
    """One round."""

    def __init__(self, facts: Counted) -> None:
        self.facts = facts
        self.score = facts.pairing_score
        self.lowest_bye = cache(self._lowest_bye)
        self.all_inside = cache(self._all_inside)

    def paired_round(self) -> Pairing:
        """1.9: bracket by bracket from the top."""
        left = self.facts.to_pair
        if self.lowest_bye(left) is None:
            raise NoLegalRound
        pairs: list[Pair] = []
        left_over: Set = frozenset()
        for _, made, downfloaters in self.brackets():
            pairs += made
            left_over = downfloaters
        bye = next(iter(left_over), None)
        rank = {tpn: place for place, tpn in enumerate(self.in_order(frozenset(self.facts.cards)), start=1)}
        return self.facts.in_board_order([self.colours(a, b) for a, b in pairs], rank), bye

    def brackets(self) -> Iterator[tuple[Bracket, list[Pair], Set]]:
        """Every bracket with its pairs and its downfloaters."""
        left = self.facts.to_pair
        scores = sorted({self.score[tpn] for tpn in left}, reverse=True)
        mdps: Set = frozenset()
        for place, score in enumerate(scores):
            following = self.of_score(scores[place + 1]) if place + 1 < len(scores) else None
            lower = frozenset(tpn for tpn in left if self.score[tpn] < score)
            bracket = Bracket(self, mdps, self.of_score(score), following, lower)
            made, mdps = bracket.first_of_the_best()
            yield bracket, made, mdps

    def of_score(self, score: int) -> Set:
        return frozenset(tpn for tpn in self.facts.to_pair if self.score[tpn] == score)

    def in_order(self, players: Set) -> list[int]:
        """1.2: score, then pairing number."""
        return sorted(players, key=lambda tpn: (-self.score[tpn], tpn))

    def is_topscorer(self, tpn: int) -> bool:
        """1.8: before the last round, more than half of the possible points."""
        rounds = self.facts.snapshot.rounds_paired
        most = self.facts.snapshot.points.win * rounds
        return self.facts.is_last_round and 2 * self.facts.points_after(tpn, rounds) > most

    def preference(self, tpn: int) -> tuple[str, int] | None:
        """1.7: the colour a player prefers and how strongly."""
        history = self.facts.colours[tpn]
        if not history:
            return None
        absolute = self.facts.absolute[tpn]
        if absolute is not None:
            return absolute, ABSOLUTE
        difference = self.facts.difference[tpn]
        if difference:
            return ("b" if difference > 0 else "w"), STRONG
        return OTHER[history[-1]], MILD

    def floated(self, tpn: int, back: int) -> str | None:
        """1.4: "down", "up" or None, so many rounds before the one to be paired."""
        number = self.facts.round_number - back
        if number < 1:
            return None
        record = self.facts.cards[tpn].records[number - 1]
        if is_played(record):
            own = self.facts.pairing_score_in(tpn, number)
            opposite = self.facts.pairing_score_in(record.opponent or 0, number)
            return "down" if own > opposite else "up" if own < opposite else None
        if record.result is Result.PAIRING_ALLOCATED_BYE:
            return "down"
        return "down" if self.facts.worth(record.result.value) > self.facts.snapshot.points.loss else None

    def may_meet(self, a: int, b: int) -> bool:
        """C1, C3 and pairs that the arbiter forbids."""
        if self.facts.met(a, b) or self.facts.forbidden(a, b):
            return False
        if self.is_topscorer(a) or self.is_topscorer(b):
            return True
        return self.facts.absolute[a] is None or self.facts.absolute[a] != self.facts.absolute[b]

    def may_rest(self, tpn: int) -> bool:
        """C2."""
        return not self.facts.had(tpn, "UF+")

    def unplayed(self, tpn: int) -> int:
        return sum(not is_played(record) for record in self.facts.cards[tpn].records)

    def _lowest_bye(self, players: Set) -> int | None:
        """C4, C5: the lowest score of a bye in a complete pairing, -1 without a bye; None if there is no pairing."""
        if not players:
            return -1
        first = max(players, key=lambda tpn: (self.score[tpn], -tpn))
        found = [
            bye
            for other in players - {first}
            if self.may_meet(first, other) and (bye := self.lowest_bye(players - {first, other})) is not None
        ]
        if len(players) % 2 and self.may_rest(first) and self.lowest_bye(players - {first}) is not None:
            found.append(self.score[first])
        return min(found, default=None)

    def _all_inside(self, players: Set, mdps: Set) -> bool:
        """Whether all can be paired in a bracket to which these were moved down."""
        if not players:
            return True
        first = min(players)
        return any(
            self.may_meet(first, other)
            and not {first, other} <= mdps
            and self.all_inside(players - {first, other}, mdps - {first, other})
            for other in players - {first}
        )

    def colours(self, a: int, b: int) -> Pair:
        """5.2: (white, black)."""
        higher, lower = self.in_order(frozenset((a, b)))
        colour = self.colour_of_higher(higher, lower)
        return (higher, lower) if colour == "w" else (lower, higher)

    def colour_of_higher(self, higher: int, lower: int) -> str:
        his, theirs = self.preference(higher), self.preference(lower)
        if his is None and theirs is None:
            first = self.facts.snapshot.first_colour.value
            return first if self.facts.parity_number(higher) % 2 else OTHER[first]  # 5.2.5
        if his is None or theirs is None:
            return his[0] if his is not None else OTHER[theirs[0]]
        if his[0] != theirs[0]:
            return his[0]  # 5.2.1
        if his[1] != theirs[1]:
            return his[0] if his[1] > theirs[1] else OTHER[theirs[0]]  # 5.2.2
        if his[1] == ABSOLUTE:
            wide, narrow = abs(self.facts.difference[higher]), abs(self.facts.difference[lower])
            if wide != narrow:
                return his[0] if wide > narrow else OTHER[theirs[0]]  # 5.2.2
        one, other = self.facts.colours[higher], self.facts.colours[lower]
        for had, they_had in zip(reversed(one), reversed(other), strict=False):
            if had != they_had:
                return OTHER[had]  # 5.2.3
        return his[0]  # 5.2.4


class Bracket:
    """One bracket: players moved down to it, its residents, the next score group, and all below."""

    def __init__(self, procedure: Procedure, mdps: Set, residents: Set, following: Set | None, lower: Set) -> None:
        self.procedure = procedure
        self.mdps, self.residents, self.following, self.lower = mdps, residents, following, lower
        self.numbers = {tpn: number for number, tpn in enumerate(procedure.in_order(mdps | residents), start=1)}
        self.resident_score = procedure.score[min(residents)]
        self.best = cache(self._best)
        self.of_pair = cache(self._of_pair)
        self.target: Quality = NOTHING
        self.sets: list[Set] = []

    def first_of_the_best(self) -> tuple[list[Pair], Set]:
        """The pairs and the downfloaters: the first of the best candidates, in their order."""
        everyone = self.mdps | self.residents
        values = {
            leaving: added(self.of_downfloaters(leaving), best)
            for leaving in self.best_sets_of_downfloaters()
            if (best := self.best(everyone - leaving)) is not None
        }
        self.target = min(values.values())
        self.sets = [leaving for leaving, value in values.items() if value == self.target]
        return next(self.candidates())

    def best_sets_of_downfloaters(self) -> list[Set]:
        """The sets that are best by C5 to C9."""
        procedure = self.procedure
        everyone = self.mdps | self.residents
        found: list[tuple[tuple[object, ...], Set]] = []
        for size in range(len(everyone) % 2, len(everyone) + 1, 2):
            for leaving in map(frozenset, combinations(sorted(everyone), size)):
                bye = self.bye_score(leaving)
                if bye is not None and procedure.all_inside(everyone - leaving, self.mdps - leaving):
                    found.append(((bye, size, self.scores(leaving)), leaving))
            if found and min(quality for quality, _ in found)[0] == procedure.lowest_bye(everyone | self.lower):
                break
        least = min(quality for quality, _ in found)
        sets = [leaving for quality, leaving in found if quality == least]
        sets = fewest(sets, self.next_bracket)
        if least[1] == 1 and not self.bye_is_below(sets[0]):
            sets = fewest(sets, lambda leaving: sum(map(procedure.unplayed, leaving)))
        return sets

    def bye_score(self, leaving: Set) -> int | None:
        """C4, C5."""
        return self.procedure.lowest_bye(leaving | self.lower)

    def bye_is_below(self, leaving: Set) -> bool:
        """Whether a player with a lower score gets the bye, or nobody does."""
        bye = self.bye_score(leaving)
        return bye is not None and bye < self.resident_score

    def scores(self, players: Set) -> tuple[int, ...]:
        """C7: the scores in descending order."""
        return tuple(sorted((self.procedure.score[tpn] for tpn in players), reverse=True))

    def next_bracket(self, mdps: Set) -> tuple[object, ...]:
        """C8: how well the next bracket can keep C5 to C7 if these move down to it."""
        if self.following is None:
            return ()
        procedure = self.procedure
        everyone = mdps | self.following
        below = self.lower - self.following
        target = procedure.lowest_bye(everyone | below)
        for size in range(len(everyone) % 2, len(everyone) + 1, 2):
            found = [
                (size, self.scores(leaving))
                for leaving in map(frozenset, combinations(sorted(everyone), size))
                if procedure.lowest_bye(leaving | below) == target
                and procedure.all_inside(everyone - leaving, mdps - leaving)
            ]
            if found:
                return min(found)
        raise AssertionError("everybody could float")

    def _best(self, players: Set) -> Quality | None:
        """The best quality of a pairing of all these; None if there is none."""
        if not players:
            return NOTHING
        first, *others = self.procedure.in_order(players)
        found = [
            added(self.of_pair(first, other), rest)
            for other in others
            if self.may_be_pair(first, other) and (rest := self.best(players - {first, other})) is not None
        ]
        return min(found, default=None)

    def may_be_pair(self, a: int, b: int) -> bool:
        """C1, C3; MDPs meet residents only."""
        return self.procedure.may_meet(a, b) and not {a, b} <= self.mdps

    def _of_pair(self, a: int, b: int) -> Quality:
        """The contribution of a pair, the higher player first, to C10 to C21."""
        procedure = self.procedure
        loser = self.without_preference(a, b)
        is_top = procedure.is_topscorer(a) or procedure.is_topscorer(b)
        up = {back: a in self.mdps and procedure.floated(b, back) == "up" for back in (1, 2)}
        down = {back: a in self.mdps and procedure.floated(a, back) == "down" for back in (1, 2)}
        difference = (self.difference(a, b),)
        return (
            int(loser is not None and is_top and self.is_too_wide(loser)),
            int(loser is not None and is_top and self.is_third_time(loser)),
            int(loser is not None),
            int(loser is not None and (procedure.preference(loser) or ("", 0))[1] == STRONG),
            0,
            int(up[1]),
            0,
            int(up[2]),
            difference if down[1] else (),
            difference if up[1] else (),
            difference if down[2] else (),
            difference if up[2] else (),
        )

    def of_downfloaters(self, leaving: Set) -> Quality:
        """The contribution of downfloaters to C14, C16, C18 and C20."""
        residents, limbo = leaving & self.residents, leaving & self.mdps
        again = {
            (back, who): sum(self.procedure.floated(tpn, back) == "down" for tpn in who)
            for back in (1, 2)
            for who in (residents, limbo)
        }
        return (
            *(0, 0, 0, 0),
            *(again[1, residents], 0, again[2, residents], 0),
            *((NOT_PAIRED,) * again[1, limbo], (), (NOT_PAIRED,) * again[2, limbo], ()),
        )

    def difference(self, a: int, b: int) -> int:
        return self.procedure.score[a] - self.procedure.score[b]

    def without_preference(self, a: int, b: int) -> int | None:
        """Which of the two does not get the preferred colour."""
        white, black = self.procedure.colours(a, b)
        for tpn, colour in ((white, "w"), (black, "b")):
            preference = self.procedure.preference(tpn)
            if preference is not None and preference[0] != colour:
                return tpn
        return None

    def is_too_wide(self, tpn: int) -> bool:
        """C10, for a player who does not get the preferred colour."""
        preference = self.procedure.preference(tpn)
        step = 1 if preference is not None and preference[0] == "b" else -1
        return abs(self.procedure.facts.difference[tpn] + step) > 2

    def is_third_time(self, tpn: int) -> bool:
        """C11, for a player who does not get the preferred colour."""
        preference = self.procedure.preference(tpn)
        history = self.procedure.facts.colours[tpn]
        return preference is not None and history[-2:] == 2 * OTHER[preference[0]]

    def candidates(self) -> Iterator[tuple[list[Pair], Set]]:
        """The best candidates in order: MDP sets, their opponents, then the remainder."""
        everyone = self.mdps | self.residents
        mdps = self.procedure.in_order(self.mdps)
        for s1 in combinations(mdps, len(mdps) - len(self.sets[0] & self.mdps)):
            limbo = self.mdps - set(s1)
            for pairs in self.transpositions(list(s1), self.procedure.in_order(self.residents), [], limbo):
                taken = {tpn for each in pairs for tpn in each}
                remainder = self.procedure.in_order(self.residents - taken)
                count = (len(everyone) - len(self.sets[0])) // 2 - len(pairs)
                for upper, lower in exchanges(len(remainder), count):
                    first, second = ([remainder[place - 1] for place in half] for half in (upper, lower))
                    for all_pairs in self.transpositions(first, second, pairs, limbo):
                        left = everyone - {tpn for each in all_pairs for tpn in each}
                        if left in self.sets and self.is_reached(all_pairs, left, left):
                            yield all_pairs, left

    def transpositions(self, s1: list[int], s2: list[int], made: list[Pair], limbo: Set) -> Iterator[list[Pair]]:
        """4.2: S2 in ascending order, as far as its players meet those of S1, while the best is still possible."""
        left = (self.mdps | self.residents) - {tpn for each in made for tpn in each}
        if not any(self.is_reached(made, left, leaving) for leaving in self.sets if leaving & self.mdps == limbo):
            return
        if not s1:
            yield made
            return
        for other in s2:
            if self.may_be_pair(s1[0], other) and self.lower_half_can(s1[1:], [tpn for tpn in s2 if tpn != other]):
                pairs = [*made, self.ordered(s1[0], other)]
                yield from self.transpositions(s1[1:], [tpn for tpn in s2 if tpn != other], pairs, limbo)

    def ordered(self, a: int, b: int) -> Pair:
        """The higher ranked first."""
        return (a, b) if self.numbers[a] < self.numbers[b] else (b, a)

    def lower_half_can(self, s1: list[int], s2: list[int]) -> bool:
        """Whether each player of S1 can have a different opponent in S2."""
        holders: dict[int, int] = {}

        def seat(a: int, tried: set[int]) -> bool:
            for b in s2:
                if b not in tried and self.may_be_pair(a, b):
                    tried.add(b)
                    if b not in holders or seat(holders[b], tried):
                        holders[b] = a
                        return True
            return False

        return all(seat(a, set()) for a in s1)

    def is_reached(self, made: list[Pair], left: Set, leaving: Set) -> bool:
        """Whether these pairs and downfloaters, completed in the best way, are as good as any."""
        if not leaving <= left:
            return False
        quality = self.best(left - leaving)
        if quality is None:
            return False
        for each in made:
            quality = added(quality, self.of_pair(*each))
        return added(quality, self.of_downfloaters(leaving)) == self.target


def added(one: Quality, other: Quality) -> Quality:
    """Combine both: numbers are added, lists of differences joined, the largest first."""
    return tuple(
        mine + theirs if isinstance(mine, int) else tuple(sorted(mine + theirs, reverse=True))
        for mine, theirs in zip(one, other, strict=True)
    )
