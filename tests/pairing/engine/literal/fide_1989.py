"""The FIDE Swiss rules of 1987, amended 1988 and 1989, transcribed literally: every choice by trying everything.

For small fields only. "Number" is the TPN, or whatever order is handed in its place (Jahr's method).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations, pairwise
from math import ceil

from pairing.engine.snapshot import TournamentSnapshot
from tests.pairing.engine.literal.acceleration import fictitious_points, is_accelerated
from tests.pairing.engine.literal.facts import OTHER, Facts, NoLegalRound, Pairing, fewest

DOWN, UP = "down", "up"
Pair = tuple[int, int]
Set = frozenset[int]


def pair(snapshot: TournamentSnapshot) -> Pairing:
    """The round by the rules of 1989; raises NoLegalRound."""
    bye_worth = snapshot.points.pairing_allocated_bye
    facts = Facts(snapshot, fictitious_points(snapshot, bye_worth), bye_worth)
    return Procedure(facts, number={tpn: tpn for tpn in facts.cards}, maxi=is_maxi_event(snapshot)).paired_round()


def is_maxi_event(snapshot: TournamentSnapshot) -> bool:
    """Preface: more players on the list than 2 to the power of the number of rounds."""
    return snapshot.rounds_announced is not None and len(snapshot.cards) > 2**snapshot.rounds_announced


@dataclass
class Group:
    """A score group during pairing: residents, incoming floaters, and the pairs in the order of their formation."""

    direction: str
    is_below_median: bool
    residents: Set
    from_above: Set = frozenset()
    from_below: Set = frozenset()
    pairs: list[Pair] = field(default_factory=list)

    @property
    def members(self) -> Set:
        return self.residents | self.from_above | self.from_below


class Procedure:
    """One round; `number` orders the players (1 the highest), `maxi` turns on the bracketed rules."""

    def __init__(self, facts: Facts, number: Mapping[int, int], maxi: bool) -> None:
        self.facts = facts
        self.number = number
        self.maxi = maxi
        self.score = facts.pairing_score
        self.can_be_paired = cache(self._can_be_paired)

    def paired_round(self) -> Pairing:
        """9.2: the bye, the groups above the median, those below, the median; then colours and boards."""
        players = self.facts.to_pair
        bye = self.article_8_bye(players)
        players -= {bye}
        above, below, median = self.article_9_2_groups(players)
        median.from_above = self.pair_side(above, median)
        median.from_below = self.pair_side(below, median)
        self.article_9_6_median(above, below, median)
        groups = [*above, *below, median]
        games = [self.article_12_colours(a, b, group) for group in groups for a, b in group.pairs]
        return self.facts.in_board_order(games, self.number), bye

    # Articles 8 and 9: the bye, compatibility, the groups

    def article_8_bye(self, players: Set) -> int | None:
        """8.1, 8.2: the largest number of the lowest group, once, not after a forfeit win, others pairable."""
        if len(players) % 2 == 0:
            if not self.can_be_paired(players):
                raise NoLegalRound
            return None
        for tpn in sorted(players, key=lambda tpn: (self.score[tpn], -self.number[tpn])):
            if self.article_8_2_may_rest(tpn) and self.can_be_paired(players - {tpn}):
                return tpn
        raise NoLegalRound

    def article_8_2_may_rest(self, tpn: int) -> bool:
        """8.2: once only, and never after a forfeit win; in the other interpretation, not in the round after it."""
        if "fide-1989:8.2" in self.facts.read_otherwise:
            last = self.facts.cards[tpn].records[-1:]
            return not self.facts.had(tpn, "U") and not any(record.result.value == "+" for record in last)
        return not self.facts.had(tpn, "U+")

    def article_9_1_compatible(self, a: int, b: int) -> bool:
        """9.1; 13: in the last round only an earlier game counts."""
        if self.facts.met(a, b) or self.facts.forbidden(a, b):
            return False
        if self.facts.is_last_round:
            return True
        return self.facts.absolute[a] is None or self.facts.absolute[a] != self.facts.absolute[b]

    def _can_be_paired(self, players: Set) -> bool:
        """Whether all these players can be paired with one another."""
        if len(players) % 2 == 1:
            return False
        if not players:
            return True
        first = min(players)
        return any(
            self.article_9_1_compatible(first, other) and self.can_be_paired(players - {first, other})
            for other in sorted(players - {first})
        )

    def article_9_2_groups(self, players: Set) -> tuple[list[Group], list[Group], Group]:
        """9.2: groups above the median from the top, those below it from the bottom, the median."""
        median = self.median_score(players)

        def residents(score: int) -> Set:
            return frozenset(tpn for tpn in players if self.score[tpn] == score)

        scores = sorted({self.score[tpn] for tpn in players})
        above = [Group(DOWN, False, residents(score)) for score in reversed(scores) if score > median]
        below = [Group(UP, True, residents(score)) for score in scores if score < median]
        return above, below, Group(DOWN, False, residents(median))

    def median_score(self, players: Set) -> int:
        """9.2: half the rounds played; with an acceleration the pairing score of the player in the middle."""
        if is_accelerated(self.facts.snapshot) and players:
            from_the_top = sorted((self.score[tpn] for tpn in players), reverse=True)
            return from_the_top[ceil(len(players) / 2) - 1]
        return self.facts.snapshot.rounds_paired  # in half points

    def pair_side(self, groups: list[Group], median: Group) -> Set:
        """9.2, 10.5: pair the groups of one side towards the median, and return who floats out of the last one."""
        floaters: Set = frozenset()
        for group, next_group in pairwise([*groups, median]):
            if group.direction == DOWN:
                group.from_above = floaters
            else:
                group.from_below = floaters
            floaters = self.floaters_out_of(group, next_group.residents)
            group.pairs = self.pairs_of(group, group.members - floaters)
        return floaters

    def pairs_of(self, group: Group, staying: Set) -> list[Pair]:
        """The incoming floaters' pairs, then those of the rest, in the order they are formed."""
        of_floaters = self.article_10_8_pairs_of_floaters(group, staying)
        rest = staying - {tpn for each in of_floaters for tpn in each}
        first = self.article_11_first_scrutiny(rest, group.direction)
        return of_floaters + self.article_12_2_second_scrutiny(rest, group.direction, first)

    def article_9_6_median(self, above: list[Group], below: list[Group], median: Group) -> None:
        """9.6: while the median group cannot be paired, the pair formed last in a nearest group is split."""
        while not self.can_be_paired(median.members):
            with_pairs_above = [group for group in above if group.pairs]
            with_pairs_below = [group for group in below if group.pairs]
            more_from_above = len(median.from_above) > len(median.from_below)
            if with_pairs_below and (more_from_above or not with_pairs_above):
                median.from_below |= set(with_pairs_below[-1].pairs.pop())
            else:
                median.from_above |= set(with_pairs_above[-1].pairs.pop())
        median.pairs = self.pairs_of(median, median.members)

    # Article 10: who floats out, and how floaters are paired

    def floaters_out_of(self, group: Group, next_residents: Set) -> Set:
        """9.3, 10.2 - 10.10: the outgoing set, by five tests one after another."""
        incoming = group.from_above | group.from_below
        sets = self.test_1_smallest(group.members)
        sets = fewest(sets, lambda out: self.test_2_disadvantages(out, incoming, group.direction, next_residents))
        sets = fewest(sets, self.test_3_floated_before)
        by_number = self.test_5_numbers(sets, group.direction)
        if self.maxi and len(by_number) != 1:
            return by_number
        balanced = fewest(sets, lambda out: self.test_4_due_colours(group.members - out))
        by_colour = self.test_5_numbers(balanced, group.direction)
        if self.maxi and self.more_than_100_apart(*by_colour, *by_number):
            return by_number
        return by_colour

    def test_1_smallest(self, members: Set) -> list[Set]:
        """9.3: the smallest sets without which the others can be paired with one another."""
        for size in range(len(members) + 1):
            sets = [frozenset(out) for out in combinations(sorted(members), size)]
            sets = [out for out in sets if self.can_be_paired(members - out)]
            if sets:
                return sets
        raise AssertionError("nobody left is always pairable")

    def test_2_disadvantages(self, out: Set, incoming: Set, direction: str, next_residents: Set) -> tuple[int, ...]:
        """10.9: how many of type a, b and c."""
        lucky = self.with_opponents_in(out, direction, next_residents)
        kinds = [(tpn in incoming, tpn in lucky) for tpn in out]
        return kinds.count((True, False)), kinds.count((True, True)), kinds.count((False, False))

    def with_opponents_in(self, out: Set, direction: str, residents: Set) -> Set:
        """10.3, 10.4: who of `out`, in the order of 10.6 or 10.7, finds a separate opponent in the adjacent group."""
        lucky: list[int] = []
        for tpn in self.article_10_6_order(out, direction):
            if self.can_be_matched([*lucky, tpn], residents):
                lucky.append(tpn)
        return frozenset(lucky)

    def can_be_matched(self, floaters: list[int], residents: Set) -> bool:
        """Whether each of these can have a different compatible opponent among the residents."""
        if not floaters:
            return True
        first, *others = floaters
        return any(
            self.article_9_1_compatible(first, resident) and self.can_be_matched(others, residents - {resident})
            for resident in residents
        )

    def test_3_floated_before(self, out: Set) -> int:
        """10.10: how many floated in the last round."""
        return sum(self.facts.float_in(tpn, self.facts.round_number - 1) is not None for tpn in out)

    def test_4_due_colours(self, staying: Set) -> int:
        """10.2: the distance in number between those due white and those due black."""
        due = [self.due_colour(tpn) for tpn in staying]
        return abs(due.count("w") - due.count("b"))

    def test_5_numbers(self, sets: Iterable[Set], direction: str) -> Set:
        """10.2 - 10.4: the largest numbers float down, the smallest up."""
        if direction == DOWN:
            return max(sets, key=lambda out: sorted((self.number[tpn] for tpn in out), reverse=True))
        return min(sets, key=lambda out: sorted(self.number[tpn] for tpn in out))

    def article_10_6_order(self, floaters: Iterable[int], direction: str) -> list[int]:
        """10.6: from the highest score, then the smallest number; 10.7: from the lowest, then the largest."""
        if direction == DOWN:
            return sorted(floaters, key=lambda tpn: (-self.score[tpn], self.number[tpn]))
        return sorted(floaters, key=lambda tpn: (self.score[tpn], -self.number[tpn]))

    def article_10_8_pairs_of_floaters(self, group: Group, staying: Set) -> list[Pair]:
        """10.6 - 10.8: each incoming floater gets the first possible opponent on their list."""
        downwards = self.article_10_6_order(group.from_above & staying, DOWN)
        upwards = self.article_10_6_order(group.from_below & staying, UP)
        pairs: list[Pair] = []
        left = staying
        for floater in [*downwards, *upwards]:
            if floater in left:
                opponent = next(self.opponents_of_floater(floater, group, left))
                pairs.append((floater, opponent))
                left -= {floater, opponent}
        return pairs

    def opponents_of_floater(self, floater: int, group: Group, left: Set) -> Iterator[int]:
        """10.8: the possible opponents, first choice first, for which all remaining players can be paired."""
        direction = DOWN if floater in group.from_above else UP
        own_side, other_side = group.from_above, group.from_below
        if direction == UP:
            own_side, other_side = other_side, own_side

        def takeable(players: Set) -> list[int]:
            in_order = sorted(players & left - {floater}, key=lambda tpn: self.number[tpn], reverse=direction == UP)
            return [
                tpn
                for tpn in in_order
                if self.article_9_1_compatible(floater, tpn) and self.can_be_paired(left - {floater, tpn})
            ]

        residents = takeable(group.residents)
        preferred = [tpn for tpn in residents if not self.clash(floater, tpn)]
        if self.maxi:
            preferred = [tpn for tpn in preferred if not self.more_than_100_apart(tpn, residents[0])]
        yield from preferred
        yield from (tpn for tpn in residents if tpn not in preferred)
        yield from takeable(other_side)
        yield from takeable(own_side)

    # Articles 11 and 12: the rest of the group, and the colours

    def candidates(self, players: Set, direction: str) -> tuple[int, list[int]]:
        """11.1 - 11.3: whose turn it is, and that player's opponents in order."""
        ranked = sorted(players, key=lambda tpn: self.number[tpn])
        half = len(ranked) // 2
        top, bottom = ranked[:half], ranked[half:]
        if direction == DOWN:
            return top[0], [*bottom, *reversed(top[1:])]
        return bottom[-1], [*reversed(top), *bottom[:-1]]

    def article_11_first_scrutiny(self, players: Set, direction: str) -> list[Pair]:
        """11: the first compatible pairing of these players."""
        return next(self.pairings(players, direction, clashes=len(players)))

    def article_12_2_second_scrutiny(self, players: Set, direction: str, first: list[Pair]) -> list[Pair]:
        """12.2: the first of the pairings with the fewest clashing pairs; 12.7 in a maxi event."""
        given = {a: b for pair in first for a, b in (pair, pair[::-1])}

        def article_12_7(pairs: list[Pair]) -> bool:
            return not any(self.more_than_100_apart(b, given[a]) for pair in pairs for a, b in (pair, pair[::-1]))

        return next(
            pairs
            for clashes in range(len(players) + 1)
            for pairs in self.pairings(players, direction, clashes)
            if not self.maxi or article_12_7(pairs)
        )

    def pairings(self, players: Set, direction: str, clashes: int) -> Iterator[list[Pair]]:
        """All compatible pairings with at most so many clashes, in the order of the first scrutiny."""
        if not players:
            yield []
            return
        chooser, offered = self.candidates(players, direction)
        for other in offered:
            spent = int(self.clash(chooser, other))
            rest = players - {chooser, other}
            if spent <= clashes and self.article_9_1_compatible(chooser, other) and self.can_be_paired(rest):
                for pairs in self.pairings(rest, direction, clashes - spent):
                    yield [(chooser, other), *pairs]

    def due_colour(self, tpn: int) -> str | None:
        """12.1, 12.5, 12.6: the colour a player is due."""
        if self.facts.absolute[tpn] is not None:
            return self.facts.absolute[tpn]
        if self.facts.difference[tpn] != 0:
            return "b" if self.facts.difference[tpn] > 0 else "w"
        history = self.facts.colours[tpn]
        return OTHER[history[-1]] if history else None

    def clash(self, a: int, b: int) -> bool:
        """Both are due the same colour."""
        return self.due_colour(a) is not None and self.due_colour(a) == self.due_colour(b)

    def more_than_100_apart(self, a: int, b: int) -> bool:
        return abs(self.facts.rating[a] - self.facts.rating[b]) > 100

    def article_12_colours(self, a: int, b: int, group: Group) -> Pair:
        """12: the pair as (white, black)."""
        absolute = self.facts.absolute
        if (absolute[a] is None) != (absolute[b] is None):
            return self.granted(a, b) if absolute[a] is not None else self.granted(b, a)
        if self.due_colour(a) != self.due_colour(b):
            return self.granted(a, b) if self.due_colour(a) is not None else self.granted(b, a)
        smaller, larger = sorted((a, b), key=lambda tpn: self.number[tpn])
        if self.due_colour(a) is None:
            return self.article_14_2_first_colours(smaller, larger)
        for colour_a, colour_b in zip(reversed(self.facts.colours[a]), reversed(self.facts.colours[b]), strict=False):
            if colour_a != colour_b:
                return (a, b) if colour_a == "b" else (b, a)
        return self.granted(larger, smaller) if group.is_below_median else self.granted(smaller, larger)

    def granted(self, player: int, opponent: int) -> Pair:
        """The pair in which the player gets the due colour."""
        return (player, opponent) if self.due_colour(player) == "w" else (opponent, player)

    def article_14_2_first_colours(self, smaller: int, larger: int) -> Pair:
        """14.2: an odd TPN gets the colour TPN 1 had in round 1, an even one the other."""
        lot = self.facts.snapshot.first_colour.value
        return (smaller, larger) if (smaller % 2 == 1) == (lot == "w") else (larger, smaller)
