"""The Dubov system of 1997 (FIDE Handbook C.04.3), transcribed literally: every choice by trying everything.

For small fields only.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache, partial
from itertools import combinations

from pairing.engine.snapshot import TournamentSnapshot
from tests.pairing.engine.literal import dubov_readings
from tests.pairing.engine.literal.acceleration import fictitious_points
from tests.pairing.engine.literal.dubov_facts import (
    average_rating_of_opponents,
    due_colour,
    fewest_inside_columns,
    majority,
    minority,
)
from tests.pairing.engine.literal.facts import OTHER, Facts, NoLegalRound, Pairing

Pair = tuple[int, int]
Set = frozenset[int]


def pair(snapshot: TournamentSnapshot) -> Pairing:
    """The round by the rules of 1997; raises NoLegalRound."""
    return procedure_of(snapshot).paired_round()


def procedure_of(snapshot: TournamentSnapshot) -> Procedure:
    """The round to be paired, with the earlier moves up known."""
    procedure = without_history(snapshot)
    if "dubov-1997:2.5" in procedure.read_otherwise:
        procedure.moved_up_in = dubov_readings.moved_up_in(snapshot, without_history)
    return procedure


def without_history(snapshot: TournamentSnapshot) -> Procedure:
    """The same, as if nobody had moved up."""
    bye_worth = snapshot.points.pairing_allocated_bye
    return Procedure(Facts(snapshot, fictitious_points(snapshot, bye_worth), bye_worth))


class Procedure:
    """One round of the system."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.score = facts.pairing_score
        self.rating = facts.rating
        self.aro = {tpn: average_rating_of_opponents(facts, tpn) for tpn in facts.cards}
        self.due = {tpn: due_colour(facts, tpn) for tpn in facts.cards}
        self.can_be_paired = cache(self._can_be_paired)
        self.read_otherwise = facts.read_otherwise
        self.by_name = dubov_readings.places_by_name(facts)
        self.moved_up_in: dict[int, set[int]] = {tpn: set() for tpn in facts.cards}
        self.moved_up_now: Set = frozenset()

    def paired_round(self) -> Pairing:
        """4, 5, 6: the bye, then the groups from the top down; colours and boards."""
        left = self.facts.to_pair
        bye = self.article_4_bye(left)
        left -= {bye}
        games: list[Pair] = []
        came_down: Set = frozenset()
        while left:
            score = max(self.score[tpn] for tpn in left - came_down) if left - came_down else None
            residents = frozenset(tpn for tpn in left - came_down if self.score[tpn] == score)
            group = Group(self, residents, came_down, left - residents - came_down)
            made, came_down = group.paired()
            self.moved_up_now |= group.moved_up
            games += made
            left -= {tpn for each in made for tpn in each}
        rank = {tpn: tpn for tpn in self.facts.cards}
        return self.facts.in_board_order(games, rank), bye

    def compatible(self, a: int, b: int) -> bool:
        """2.1, 2.3, 2.4: not met, and not both in absolute need of the same colour."""
        if self.facts.met(a, b) or self.facts.forbidden(a, b):
            return False
        return self.facts.absolute[a] is None or self.facts.absolute[a] != self.facts.absolute[b]

    def _can_be_paired(self, players: Set) -> bool:
        """Whether all of these can be paired with one another."""
        if not players:
            return True
        if len(players) % 2:
            return False
        first = min(players)
        others = players - {first}
        return any(self.compatible(first, b) and self.can_be_paired(others - {b}) for b in others)

    def suits(self, a: int, b: int) -> bool:
        """Compatible due colours: opposite, or one player has none."""
        return self.due[a] is None or self.due[b] is None or self.due[a] != self.due[b]

    def may_move_up(self, tpn: int) -> bool:
        """2.5: not twice in a row, at most three times (four from ten rounds on), except in the last round."""
        if self.facts.is_last_round:
            return True
        now = self.facts.round_number
        rounds = self.facts.snapshot.rounds_announced
        limit = 4 if rounds is not None and rounds >= 10 else 3
        upfloats = {number for number in range(1, now) if self.facts.float_in(tpn, number) == "up"}
        if "dubov-1997:2.5" in self.read_otherwise:
            upfloats = self.moved_up_in[tpn]
        return now - 1 not in upfloats and len(upfloats) < limit

    def article_4_bye(self, players: Set) -> int | None:
        """4, 2.2: the bye of an odd number, from the lowest group upwards; None for an even number."""
        if len(players) % 2 == 0:
            if not self.can_be_paired(players):
                raise NoLegalRound
            return None
        for score in sorted({self.score[tpn] for tpn in players}):
            group = [tpn for tpn in players if self.score[tpn] == score]
            for tpn in sorted(group, key=lambda tpn: self.bye_key(tpn, group)):
                if not self.facts.had(tpn, "UF+") and self.can_be_paired(players - {tpn}):
                    return tpn
        raise NoLegalRound

    def bye_key(self, tpn: int, group: Sequence[int]) -> tuple[object, ...]:
        """4: lowest rating; the dominating colour; higher average; larger number. Round 1: the last of the list."""
        if self.facts.round_number == 1:
            return (-tpn,)
        dominating = majority([self.due[each] for each in group])
        return self.rating[tpn], dominating is not None and self.due[tpn] != dominating, -self.aro[tpn], -tpn

    def colours(self, a: int, b: int) -> Pair:
        """3: (white, black)."""
        due, other_due = self.due[a], self.due[b]
        if due != other_due:
            a_is_white = due == "w" or other_due == "b"
            return (a, b) if a_is_white else (b, a)
        white, black = self.same_due_colour(a, b) if due is not None else self.article_3_4_to_3_6(a, b)
        return white, black

    def same_due_colour(self, a: int, b: int) -> Pair:
        """3.2, 3.3: the absolute preference, the greater difference, the latest place where the histories differ."""
        colour = self.due[a]
        for claim in (
            {tpn: self.facts.absolute[tpn] is not None for tpn in (a, b)},
            {tpn: abs(self.facts.difference[tpn]) for tpn in (a, b)},
        ):
            if claim[a] != claim[b]:
                winner, loser = (a, b) if claim[a] > claim[b] else (b, a)
                return (winner, loser) if colour == "w" else (loser, winner)
        for had, they_had in zip(reversed(self.facts.colours[a]), reversed(self.facts.colours[b]), strict=False):
            if had != they_had:
                return (a, b) if OTHER[had] == "w" else (b, a)
        return self.article_3_4_to_3_6(a, b)

    def article_3_4_to_3_6(self, a: int, b: int) -> Pair:
        """White to the higher average, to the lower rating, to the larger number."""
        white, black = sorted((a, b), key=lambda tpn: (-self.aro[tpn], self.rating[tpn], -tpn))
        return white, black

    def white_order(self, tpn: int) -> tuple[Fraction, int, int]:
        """6.2: average ascending, then rating ascending, then number."""
        return self.aro[tpn], self.rating[tpn], self.last_resort("dubov-1997:6.2", tpn)

    def black_order(self, tpn: int) -> tuple[int, Fraction, int]:
        """6.2: rating descending, then average descending, then number."""
        return -self.rating[tpn], -self.aro[tpn], self.last_resort("dubov-1997:6.2", tpn)

    def last_resort(self, reading: str, tpn: int) -> int:
        """The order of players equal in all else: by number, or in the other interpretation by name."""
        return self.by_name[tpn] if reading in self.read_otherwise else tpn


class Group:
    """One score group during pairing: residents, players who floated down, and everyone below."""

    def __init__(self, procedure: Procedure, residents: Set, came_down: Set, lower: Set) -> None:
        self.procedure = procedure
        self.residents = residents
        self.came_down = came_down
        self.lower = lower
        self.next_group = self.next_lower_residents()
        self.moved_up: Set = frozenset()
        self.floating_down: Set = frozenset()
        self.promised: list[Pair] = []

    @property
    def members(self) -> Set:
        return (self.residents | self.came_down | self.moved_up) - self.floating_down

    def paired(self) -> tuple[list[Pair], Set]:
        """The games (white, black) of the group, and those who float down from it."""
        self.step_1_players_without_opponent()
        self.step_2_odd_number()
        self.floating_down |= self.step_3_who_floats()
        if self.procedure.facts.round_number == 1:
            return self.article_5_first_round(), self.floating_down
        pairs = self.step_4_floaters_from_above()
        rest = self.members - {tpn for each in pairs for tpn in each}
        pairs += self.step_6_pairing(*self.step_5_two_columns(rest))
        return [self.procedure.colours(a, b) for a, b in pairs], self.floating_down

    def next_lower_residents(self) -> Set:
        """L: the residents of the next lower group that has any."""
        if not self.lower:
            return frozenset()
        score = max(self.procedure.score[tpn] for tpn in self.lower)
        return frozenset(tpn for tpn in self.lower if self.procedure.score[tpn] == score)

    def step_1_players_without_opponent(self) -> None:
        """7.1: residents without an opponent get one from below, or float down; so do floaters without one."""
        everyone = self.residents | self.came_down
        alone = [a for a in everyone if not any(self.procedure.compatible(a, b) for b in everyone - {a})]
        self.floating_down = self.came_down & frozenset(alone)
        rating, aro = self.procedure.rating, self.procedure.aro
        for tpn in sorted(self.residents & frozenset(alone), key=lambda tpn: (-rating[tpn], aro[tpn], tpn)):
            mate = self.opponent_from_below(tpn)
            if mate is None:
                self.floating_down |= {tpn}
            else:
                self.promised.append((tpn, mate))
                self.move_up(mate)

    def opponent_from_below(self, tpn: int) -> int | None:
        """7.1: the first below who may move up and leaves all others not yet paired a legal round."""
        procedure = self.procedure

        def key(q: int) -> tuple[object, ...]:
            return -procedure.score[q], not procedure.suits(tpn, q), -procedure.rating[q], procedure.aro[q], q

        for q in sorted(self.may_come("dubov-1997:7.1"), key=key):
            if not procedure.may_move_up(q) or not procedure.compatible(tpn, q):
                continue
            playing = {each for pair in [*self.promised, (tpn, q)] for each in pair}
            others = (self.residents | self.came_down | self.lower) - playing
            if procedure.can_be_paired(others):
                return q
        return None

    def may_come(self, reading: str) -> Set:
        """Everyone below; in the other interpretation only the next group when this one's turn began."""
        return self.lower & self.next_group if reading in self.procedure.read_otherwise else self.lower

    def move_up(self, q: int) -> None:
        self.moved_up |= {q}
        self.lower -= {q}

    def step_2_odd_number(self) -> None:
        """7.2: an odd group is completed by a player from below."""
        if len(self.members) % 2 == 0:
            return
        procedure = self.procedure
        wanted = minority([procedure.due[tpn] for tpn in self.members])

        def key(q: int) -> tuple[object, ...]:
            other_colour = wanted is not None and procedure.due[q] != wanted
            return -procedure.score[q], other_colour, -procedure.rating[q], procedure.aro[q], q

        for q in sorted(self.may_come("dubov-1997:7.2"), key=key):
            if (
                procedure.may_move_up(q)
                and any(procedure.compatible(q, each) for each in self.members)
                and procedure.can_be_paired(self.members | {q})
                and procedure.can_be_paired(self.floating_down | (self.lower - {q}))
            ):
                self.move_up(q)
                return

    def step_3_who_floats(self) -> Set:
        """6.4: the smallest set with which both the group and all below it can be paired, by its kinds."""
        procedure = self.procedure
        may_float = self.members - self.moved_up - {tpn for tpn, _ in self.promised}
        for size in range(len(may_float) + 1):
            possible = [
                floaters
                for floaters in map(frozenset, combinations(sorted(may_float), size))
                if procedure.can_be_paired(self.members - floaters)
                and procedure.can_be_paired(floaters | self.floating_down | self.lower)
            ]
            if possible:
                return min(possible, key=self.floaters_key)
        raise AssertionError("a legal round was kept by every step before, so somebody can float")

    def floaters_key(self, floaters: Set) -> tuple[object, ...]:
        """6.4: fewest of the worst kinds, then lowest ratings, higher averages, larger numbers."""
        kinds = [self.kind(tpn) for tpn in floaters]
        return (
            tuple(kinds.count(kind) for kind in (4, 3, 2, 1)),
            sorted(self.procedure.rating[tpn] for tpn in floaters),
            sorted(-self.procedure.aro[tpn] for tpn in floaters),
            sorted(-tpn for tpn in floaters),
        )

    def kind(self, tpn: int) -> int:
        """6.4: 4 and 3 have floated down already, 2 and 1 have not; the even ones have no compatible player below."""
        has_one = any(self.procedure.compatible(tpn, b) for b in self.next_lower_residents())
        return (3 if tpn in self.came_down else 1) + (not has_one)

    def article_5_first_round(self) -> list[Pair]:
        """5: top half against bottom half by number, colours alternating from pair to pair."""
        numbers = sorted(self.members)
        half = len(numbers) // 2
        left = list(numbers)
        colour = self.procedure.facts.snapshot.first_colour.value
        games = []
        while left:
            upper = left.pop(0)
            bottom = [tpn for tpn in left if tpn in numbers[half:]]
            for lower in [*bottom, *reversed([tpn for tpn in left if tpn not in bottom])]:
                if self.procedure.compatible(upper, lower) and self.procedure.can_be_paired(frozenset(left) - {lower}):
                    left.remove(lower)
                    given = colour
                    if "dubov-1997:5" in self.procedure.read_otherwise:
                        first = self.procedure.facts.snapshot.first_colour.value
                        given = first if upper % 2 else OTHER[first]
                    games.append((upper, lower) if given == "w" else (lower, upper))
                    break
            colour = OTHER[colour]
        return games

    def step_4_floaters_from_above(self) -> list[Pair]:
        """8: white-due and black-due floaters in turn, each with the strongest suitable player."""
        procedure = self.procedure
        floaters = self.came_down & self.members
        whites, blacks = self.columns(floaters)
        turns = [
            column[place]
            for place in range(max(len(whites), len(blacks)))
            for column in (whites, blacks)
            if place < len(column)
        ]
        left = set(self.members)
        pairs = []
        for tpn in turns:
            if tpn not in left:
                continue

            def key(b: int, tpn: int = tpn) -> tuple[object, ...]:
                return b in floaters, not procedure.suits(tpn, b), -procedure.rating[b], procedure.aro[b], b

            for b in sorted(left - {tpn}, key=key):
                if procedure.compatible(tpn, b) and procedure.can_be_paired(frozenset(left - {tpn, b})):
                    pairs.append((tpn, b))
                    left -= {tpn, b}
                    break
        return pairs

    def columns(self, players: Iterable[int]) -> tuple[list[int], list[int]]:
        """6.1, 6.2: white-due and black-due players in order; those without a due colour fill the shorter column."""
        procedure = self.procedure
        players = list(players)
        whites = [tpn for tpn in players if procedure.due[tpn] == "w"]
        blacks = [tpn for tpn in players if procedure.due[tpn] == "b"]
        free = [tpn for tpn in players if procedure.due[tpn] is None]
        for tpn in sorted(free, key=lambda tpn: (-procedure.rating[tpn], tpn)):
            (whites if len(whites) <= len(blacks) else blacks).append(tpn)
        return sorted(whites, key=procedure.white_order), sorted(blacks, key=procedure.black_order)

    def step_5_two_columns(self, rest: Iterable[int]) -> tuple[list[int], list[int]]:
        """7.3, 7.4, 2.6: equal columns, moving players without an absolute preference."""
        procedure = self.procedure
        aro, rating = procedure.aro, procedure.rating
        whites, blacks = self.columns(rest)
        surplus = (len(whites) - len(blacks)) // 2
        last = partial(procedure.last_resort, "dubov-1997:7.3")
        longer = whites if surplus > 0 else blacks
        movable = [tpn for tpn in longer if procedure.facts.absolute[tpn] is None]
        if surplus > 0:
            moved = sorted(movable, key=lambda tpn: (aro[tpn], -rating[tpn], last(tpn)))[:surplus]
            whites, blacks = [tpn for tpn in whites if tpn not in moved], blacks + moved
        else:
            moved = sorted(movable, key=lambda tpn: (-aro[tpn], rating[tpn], last(tpn)))[:-surplus]
            whites, blacks = whites + moved, [tpn for tpn in blacks if tpn not in moved]
        return sorted(whites, key=procedure.white_order), sorted(blacks, key=procedure.black_order)

    def step_6_pairing(self, whites: list[int], blacks: list[int]) -> list[Pair]:
        """6.2, 6.3: each white gets the first black that leaves the rest pairable, with minimal in-column pairs."""
        compatible = self.procedure.compatible
        fewest_inside = fewest_inside_columns(compatible)
        budget = fewest_inside(frozenset(whites), frozenset(blacks))
        assert budget is not None
        left = [*whites, *blacks]
        pairs = []
        while left:
            first = left.pop(0)
            in_whites = first in whites
            opposite = [tpn for tpn in left if tpn in blacks] if in_whites else []
            own = [tpn for tpn in left if (tpn in whites) == in_whites]
            for b in [*opposite, *own]:
                cost = b in own
                rest = frozenset(left) - {b}
                needed = fewest_inside(rest & frozenset(whites), rest & frozenset(blacks))
                if compatible(first, b) and needed is not None and needed + cost <= budget:
                    pairs.append((first, b))
                    left.remove(b)
                    budget -= cost
                    break
        return pairs
