"""One way an article to get a document wrong: the literal twin with that article broken.

A conformance case for an article is an event on which the twin and its mutant pair otherwise; a kit that holds it
catches whoever breaks the article in that way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Any
from unittest.mock import patch

from pairing.engine.snapshot import TournamentSnapshot
from tests.pairing.engine.literal import acceleration, dubov_1997, dutch_1992, facts, fide_1989, jahr
from tests.pairing.engine.literal.events import PairingFunction
from tests.pairing.engine.literal.facts import OTHER, NoLegalRound, Pairing

Change = tuple[object, str, Any]


@dataclass(frozen=True)
class Mutant:
    """An article (`key` tells several of one article apart), and what its breaking changes in the twin."""

    system: str
    article: str
    changes: tuple[Change, ...]
    key: str = ""
    acceleration: str = "none"

    @property
    def name(self) -> str:
        return f"{self.article} {self.key}".strip()

    def pair(self, snapshot: TournamentSnapshot) -> Pairing | str:
        """The round as the broken twin pairs it; a crash or a refusal is an answer, too."""
        with self.in_force():
            return answer(PAIR[self.system], snapshot)

    @contextmanager
    def in_force(self) -> Iterator[None]:
        with ExitStack() as stack:
            for owner, name, instead in self.changes:
                stack.enter_context(patch.object(owner, name, instead))
            yield


def answer(pair: PairingFunction, snapshot: TournamentSnapshot) -> Pairing | str:
    """A pairing, or in one word why there is none."""
    try:
        return pair(snapshot)
    except NoLegalRound:
        return "none"
    except (AssertionError, StopIteration, IndexError, ValueError, RuntimeError, KeyError, TypeError) as error:
        return type(error).__name__


PAIR: dict[str, PairingFunction] = {
    "fide-1989": fide_1989.pair,
    "dutch-1992": dutch_1992.pair,
    "dubov-1997": dubov_1997.pair,
    "jahr": jahr.pair,
}

F, D, B, U, G = fide_1989.Procedure, dutch_1992.Procedure, dutch_1992.Bracket, dubov_1997.Procedure, dubov_1997.Group


def _with_worth(worth: int) -> Callable[..., None]:
    """Facts in which the bye is worth something else."""
    plain = facts.Facts.__init__

    def init(self: facts.Facts, snapshot: TournamentSnapshot, fictitious: facts.Fictitious, _worth: int) -> None:
        plain(self, snapshot, fictitious, worth)

    return init


def _no_absolute(facts_type: type[facts.Facts]) -> Callable[..., None]:
    plain = facts_type.__init__

    def init(self: facts.Facts, *arguments: Any) -> None:
        plain(self, *arguments)
        self.absolute = dict.fromkeys(self.cards)

    return init


def _reversed_candidates(self: Any, players: frozenset[int], direction: str) -> tuple[int, list[int]]:
    """Neighbours meet: the first against the second."""
    ranked = sorted(players, key=lambda tpn: self.number[tpn], reverse=direction == fide_1989.UP)
    return ranked[0], ranked[1:]


_candidates = F.candidates


def _wrong_exchanges(self: Any, players: frozenset[int], direction: str) -> tuple[int, list[int]]:
    """The half below is offered from its end."""
    chooser, offered = _candidates(self, players, direction)
    half = len(players) // 2
    return chooser, [offered[0], *reversed(offered[1:half]), *offered[half:]]


_groups = F.article_9_2_groups


def _all_from_above(self: Any, players: frozenset[int]) -> Any:
    above, below, median = _groups(self, players)
    scores = sorted({self.score[tpn] for tpn in players})
    first = median if not below else below[0]
    groups = [*above, *([median] if median.residents and below else []), *reversed(below[1:])]
    for group in groups:
        group.direction, group.is_below_median = fide_1989.DOWN, False
    first.direction, first.is_below_median = fide_1989.DOWN, False
    assert len(scores) >= len(groups)
    return groups, [], first


def _split_above(self: Any, above: Any, below: Any, median: Any) -> None:
    """9.6 without counting: above gives first."""
    while not self.can_be_paired(median.members):
        with_pairs = [group for group in above if group.pairs] or [group for group in below if group.pairs]
        if with_pairs[-1] in above:
            median.from_above |= set(with_pairs[-1].pairs.pop())
        else:
            median.from_below |= set(with_pairs[-1].pairs.pop())
    median.pairs = self.pairs_of(median, median.members)


_opponents_of_floater = F.opponents_of_floater
_colours_1989 = F.article_12_colours


def _never_below(self: Any, a: int, b: int, group: Any) -> Any:
    was, group.is_below_median = group.is_below_median, False
    try:
        return _colours_1989(self, a, b, group)
    finally:
        group.is_below_median = was


def _histories_ignored(self: Any, a: int, b: int, group: Any) -> Any:
    kept = self.facts.colours
    self.facts.colours = dict.fromkeys(kept, "") if self.due_colour(a) == self.due_colour(b) is not None else kept
    try:
        smaller, larger = sorted((a, b), key=lambda tpn: self.number[tpn])
        if self.facts.colours is not kept:
            self.facts.colours = kept
            if (self.facts.absolute[a] is None) == (self.facts.absolute[b] is None):
                first = larger if group.is_below_median else smaller
                return self.granted(first, larger if first == smaller else smaller)
        return _colours_1989(self, a, b, group)
    finally:
        self.facts.colours = kept


def _absolute_ignored(self: Any, a: int, b: int, group: Any) -> Any:
    kept = self.facts.absolute
    if self.due_colour(a) == self.due_colour(b):
        self.facts.absolute = dict.fromkeys(kept)
    try:
        if self.facts.absolute is kept:
            return _colours_1989(self, a, b, group)
        smaller, larger = sorted((a, b), key=lambda tpn: self.number[tpn])
        return (smaller, larger)
    finally:
        self.facts.absolute = kept


def _alternate_only(self: Any, tpn: int) -> str | None:
    history = self.facts.colours[tpn]
    return OTHER[history[-1]] if history else None


def _compatible_always_as_in_round_1(self: Any, a: int, b: int) -> bool:
    if self.facts.met(a, b) or self.facts.forbidden(a, b):
        return False
    return self.facts.absolute[a] is None or self.facts.absolute[a] != self.facts.absolute[b]


_bye_1989 = F.article_8_bye


def _bye_of_smallest(self: Any, players: frozenset[int]) -> int | None:
    kept = self.number
    self.number = {tpn: -number for tpn, number in kept.items()}
    try:
        return _bye_1989(self, players)
    finally:
        self.number = kept


OF_1989 = (
    Mutant("fide-1989", "preface", ((fide_1989, "is_maxi_event", lambda snapshot: False),)),
    Mutant("fide-1989", "2", ((facts.Facts, "met", lambda self, a, b: False),)),
    Mutant("fide-1989", "8.1", ((F, "article_8_bye", _bye_of_smallest),)),
    Mutant("fide-1989", "8.2", ((F, "article_8_2_may_rest", lambda self, tpn: not self.facts.had(tpn, "+")),), "twice"),
    Mutant(
        "fide-1989",
        "8.2",
        ((F, "article_8_2_may_rest", lambda self, tpn: not self.facts.had(tpn, "U")),),
        "after a forfeit",
    ),
    Mutant("fide-1989", "8.3", ((facts.Facts, "__init__", _with_worth(0)),)),
    Mutant(
        "fide-1989",
        "9.1",
        (
            (
                F,
                "article_9_1_compatible",
                lambda self, a, b: not (self.facts.met(a, b) or self.facts.forbidden(a, b)),
            ),
        ),
    ),
    Mutant("fide-1989", "9.2", ((F, "article_9_2_groups", _all_from_above),)),
    Mutant("fide-1989", "9.4", ((F, "candidates", _reversed_candidates),)),
    Mutant("fide-1989", "9.6", ((F, "article_9_6_median", _split_above),)),
    Mutant("fide-1989", "10.2", ((F, "test_4_due_colours", lambda self, staying: 0),)),
    Mutant(
        "fide-1989",
        "10.3",
        ((F, "with_opponents_in", lambda self, out, direction, residents: frozenset(out)),),
    ),
    Mutant(
        "fide-1989",
        "10.6",
        (
            (
                F,
                "article_10_6_order",
                lambda self, floaters, direction: sorted(
                    floaters, key=lambda tpn: self.number[tpn] if direction == "down" else -self.number[tpn]
                ),
            ),
        ),
        "by number alone",
    ),
    Mutant(
        "fide-1989",
        "10.7",
        (
            (
                F,
                "article_10_6_order",
                lambda self, floaters, direction: sorted(
                    floaters, key=lambda tpn: (-self.score[tpn], self.number[tpn])
                ),
            ),
        ),
        "upwards as downwards",
    ),
    Mutant(
        "fide-1989",
        "10.8",
        (
            (
                F,
                "opponents_of_floater",
                lambda self, floater, group, left: _opponents_without_colours(self, floater, group, left),
            ),
        ),
    ),
    Mutant(
        "fide-1989",
        "10.9",
        ((F, "test_2_disadvantages", lambda self, out, incoming, direction, residents: ()),),
    ),
    Mutant("fide-1989", "10.10", ((F, "test_3_floated_before", lambda self, out: 0),)),
    Mutant(
        "fide-1989",
        "11.1 b",
        ((F, "candidates", lambda self, players, direction: _candidates(self, players, fide_1989.DOWN)),),
    ),
    Mutant("fide-1989", "11.2", ((F, "candidates", _wrong_exchanges),)),
    Mutant(
        "fide-1989",
        "12.2",
        ((F, "article_12_2_second_scrutiny", lambda self, players, direction, first: first),),
    ),
    Mutant("fide-1989", "12.3", ((F, "article_12_colours", _absolute_ignored),)),
    Mutant("fide-1989", "12.4", ((F, "article_12_colours", _histories_ignored),), "histories"),
    Mutant("fide-1989", "12.4", ((F, "article_12_colours", _never_below),), "below the median"),
    Mutant("fide-1989", "12.6", ((F, "due_colour", _alternate_only),)),
    Mutant("fide-1989", "12.7", ((F, "more_than_100_apart", lambda self, a, b: False),)),
    Mutant("fide-1989", "13", ((F, "article_9_1_compatible", _compatible_always_as_in_round_1),)),
    Mutant("fide-1989", "14.2", ((F, "article_14_2_first_colours", lambda self, smaller, larger: (smaller, larger)),)),
)


def _opponents_without_colours(self: Any, floater: int, group: Any, left: frozenset[int]) -> Iterator[int]:
    with patch.object(F, "clash", lambda self, a, b: False):
        yield from list(_opponents_of_floater(self, floater, group, left))


_transpositions = B.transpositions


def _last_first(self: Any, s1: list[int], s2: list[int], x: int, up: tuple[int, ...]) -> Any:
    """D1 from its end."""
    return _transpositions(self, s1, list(reversed(s2)), x, up)


def _exchanges_from_the_top(group: tuple[int, ...], p: int) -> Any:
    """D2 with the highest of S1 first."""
    with patch.object(dutch_1992, "place_in_table", lambda each: (sum(each[1]) - sum(each[0]), sorted(each[0]), [])):
        yield from list(_exchanges(group, p))


_exchanges = dutch_1992.exchanges
_preference = D.preference
_first_candidate = B.first_passing_candidate
_bracket = B.__init__


def _mild_is_strong(self: Any, tpn: int) -> Any:
    found = _preference(self, tpn)
    return found and (found[0], min(found[1], 1))


def _no_c1(self: Any, procedure: Any, moved: Any, residents: Any, below: Any, lower: Any) -> None:
    _bracket(self, procedure, moved, residents, below, lower)
    self.members = procedure.in_order(moved | residents)
    self.moved_down, self.without_opponent = moved, frozenset()


def _homogeneous(self: Any) -> Any:
    for pairs in self.homogeneous_candidates():
        return pairs, self.leaving(pairs)
    raise AssertionError


def _colour_of_higher(self: Any, higher: int, lower: int, *, skip: str) -> str:
    his, theirs = self.preference(higher), self.preference(lower)
    if his is None and theirs is None:
        first = self.facts.snapshot.first_colour.value
        return first if higher % 2 or skip == "round 1" else OTHER[first]
    if his is None or theirs is None:
        return his[0] if his is not None else OTHER[theirs[0]]
    if his[0] != theirs[0] and skip != "E1":
        return str(his[0])
    if his[1] != theirs[1] and skip != "E2":
        return str(his[0] if his[1] > theirs[1] else OTHER[theirs[0]])
    if skip != "E3":
        one, other = self.facts.colours[higher], self.facts.colours[lower]
        for had, they_had in zip(reversed(one), reversed(other), strict=False):
            if had != they_had:
                return OTHER[had]
    return str(his[0]) if skip != "E4" else OTHER[his[0]]


def _skipping(rule: str) -> Callable[..., str]:
    return lambda self, higher, lower: _colour_of_higher(self, higher, lower, skip=rule)


OF_1992 = (
    Mutant(
        "dutch-1992",
        "A2",
        ((D, "in_order", lambda self, players: sorted(players, key=lambda tpn: self.number[tpn])),),
    ),
    Mutant("dutch-1992", "A3", ((B, "first_passing_candidate", _homogeneous),)),
    Mutant("dutch-1992", "A5", ((facts.Facts, "__init__", _with_worth(0)),)),
    Mutant("dutch-1992", "A7", ((D, "is_above_half_in_last_round", lambda self, tpn: False),)),
    Mutant("dutch-1992", "A8", ((B, "x0", lambda self: len(self.members)),)),
    Mutant("dutch-1992", "B1", ((facts.Facts, "met", lambda self, a, b: False),), "a"),
    Mutant("dutch-1992", "B1", ((D, "bye_is_allowed", lambda self, tpn: True),), "b"),
    Mutant("dutch-1992", "B2", ((facts.Facts, "__init__", _no_absolute(facts.Facts)),)),
    Mutant("dutch-1992", "B4", ((D, "clashes", lambda self, a, b: False),)),
    Mutant("dutch-1992", "B5", ((dutch_1992, "TOLERANCES", ((2,), (), ())),)),
    Mutant("dutch-1992", "B6", ((dutch_1992, "TOLERANCES", ((1,), (1,), ())),)),
    Mutant("dutch-1992", "C1", ((B, "__init__", _no_c1),)),
    Mutant("dutch-1992", "C9", ((dutch_1992, "TOLERANCES", ((1, 2), (), ())),)),
    Mutant("dutch-1992", "C12", ((B, "all_find_residents_below", lambda self, leaving: True),)),
    Mutant("dutch-1992", "D1", ((B, "transpositions", _last_first),)),
    Mutant("dutch-1992", "D2", ((dutch_1992, "exchanges", _exchanges_from_the_top),)),
    Mutant("dutch-1992", "E1", ((D, "colour_of_higher", _skipping("E1")),)),
    Mutant("dutch-1992", "E2", ((D, "colour_of_higher", _skipping("E2")),)),
    Mutant("dutch-1992", "E3", ((D, "colour_of_higher", _skipping("E3")),)),
    Mutant("dutch-1992", "E4", ((D, "colour_of_higher", _skipping("E4")),)),
    Mutant("dutch-1992", "E4", ((D, "colour_of_higher", _skipping("round 1")),), "round 1"),
)


def _key_without(part: int) -> Callable[..., Any]:
    plain = U.bye_key

    def key(self: Any, tpn: int, group: Any) -> Any:
        parts = plain(self, tpn, group)
        return parts if len(parts) == 1 else (*parts[:part], *parts[part + 1 :])

    return key


def _all_one_column(self: Any, rest: Any) -> Any:
    return self.columns(rest)


_columns_5 = G.step_5_two_columns


def _anybody_moves(self: Any, rest: Any) -> Any:
    kept = self.procedure.facts.absolute
    self.procedure.facts.absolute = dict.fromkeys(kept)
    try:
        return _columns_5(self, rest)
    finally:
        self.procedure.facts.absolute = kept


def _other_end(self: Any, rest: Any) -> Any:
    """7.3, 7.4 with the averages the other way round."""
    kept = self.procedure.aro
    rest = list(rest)
    plain = self.columns(rest)
    self.procedure.aro = {tpn: -average for tpn, average in kept.items()}
    try:
        whites, blacks = _columns_5(self, rest)
    finally:
        self.procedure.aro = kept
    del plain
    return sorted(whites, key=self.procedure.white_order), sorted(blacks, key=self.procedure.black_order)


def _same_due(*skipped: str) -> Callable[..., Any]:
    def colours(self: Any, a: int, b: int) -> Any:
        colour = self.due[a]
        claims = {
            "2.3": {tpn: self.facts.absolute[tpn] is not None for tpn in (a, b)},
            "3.2": {tpn: abs(self.facts.difference[tpn]) for tpn in (a, b)},
        }
        for name, claim in claims.items():
            if name not in skipped and claim[a] != claim[b]:
                winner, loser = (a, b) if claim[a] > claim[b] else (b, a)
                return (winner, loser) if colour == "w" else (loser, winner)
        if "3.3" not in skipped:
            for had, they in zip(reversed(self.facts.colours[a]), reversed(self.facts.colours[b]), strict=False):
                if had != they:
                    return (a, b) if OTHER[had] == "w" else (b, a)
        return self.article_3_4_to_3_6(a, b)

    return colours


def _turn_by_number(self: Any) -> Any:
    """8.1 without columns: the floaters by number."""
    with patch.object(G, "columns", lambda self, players: (sorted(players), [])):
        return list(_step_4(self))


_step_4 = G.step_4_floaters_from_above

OF_DUBOV = (
    Mutant("dubov-1997", "2.1", ((facts.Facts, "met", lambda self, a, b: False),)),
    Mutant("dubov-1997", "2.2", ((facts.Facts, "had", lambda self, tpn, letters: False),)),
    Mutant("dubov-1997", "2.3", ((facts.Facts, "__init__", _no_absolute(facts.Facts)),)),
    Mutant("dubov-1997", "2.5", ((U, "may_move_up", lambda self, tpn: True),)),
    Mutant("dubov-1997", "2.6", ((G, "step_5_two_columns", _anybody_moves),)),
    Mutant("dubov-1997", "3.1", ((U, "colours", lambda self, a, b: self.article_3_4_to_3_6(a, b)),)),
    Mutant("dubov-1997", "3.2", ((U, "same_due_colour", _same_due("3.2")),)),
    Mutant("dubov-1997", "3.3", ((U, "same_due_colour", _same_due("3.3")),)),
    Mutant(
        "dubov-1997",
        "3.4",
        (
            (
                U,
                "article_3_4_to_3_6",
                lambda self, a, b: tuple(sorted((a, b), key=lambda tpn: (self.rating[tpn], -tpn))),
            ),
        ),
    ),
    Mutant(
        "dubov-1997",
        "3.5",
        (
            (
                U,
                "article_3_4_to_3_6",
                lambda self, a, b: tuple(sorted((a, b), key=lambda tpn: (-self.aro[tpn], -self.rating[tpn]))),
            ),
        ),
    ),
    Mutant("dubov-1997", "4", ((U, "bye_key", _key_without(0)),), "rating"),
    Mutant("dubov-1997", "4", ((U, "bye_key", _key_without(1)),), "domination"),
    Mutant("dubov-1997", "4", ((U, "bye_key", _key_without(2)),), "average"),
    Mutant("dubov-1997", "6.2", ((U, "white_order", lambda self, tpn: (self.rating[tpn], tpn)),), "white column"),
    Mutant("dubov-1997", "6.2", ((U, "black_order", lambda self, tpn: (self.aro[tpn], tpn)),), "black column"),
    Mutant("dubov-1997", "6.4", ((G, "kind", lambda self, tpn: 1),)),
    Mutant("dubov-1997", "7.1", ((G, "opponent_from_below", lambda self, tpn: None),)),
    Mutant("dubov-1997", "7.2", ((G, "step_2_odd_number", lambda self: None),)),
    Mutant("dubov-1997", "7.3", ((G, "step_5_two_columns", _all_one_column),), "equal columns"),
    Mutant("dubov-1997", "7.4", ((G, "step_5_two_columns", _other_end),), "who changes the column"),
    Mutant("dubov-1997", "8.1", ((G, "step_4_floaters_from_above", _turn_by_number),)),
    Mutant("dubov-1997", "8.2", ((U, "suits", lambda self, a, b: True),)),
)


def _tenth_half_up(total: Decimal) -> Decimal:
    return (total / 10).quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)


_values = jahr.values


def _without_exact(snapshot: TournamentSnapshot) -> Any:
    values = _values(snapshot)
    return {tpn: jahr.JahrValues(game=one.game, total=one.total) for tpn, one in values.items()}


def _by_number(snapshot: TournamentSnapshot) -> dict[int, int]:
    return {card.tpn: card.tpn for card in snapshot.cards}


def _played_or_forfeit(record: Any) -> bool:
    return facts.is_played(record) or (record.opponent is not None and record.result.value in "+-")


OF_JAHR = (
    Mutant("jahr", "2", ((jahr, "article_4_tenth", lambda total: Decimal(0)),)),
    Mutant("jahr", "4", ((jahr, "article_4_tenth", _tenth_half_up),)),
    Mutant("jahr", "6", ((jahr, "values", _without_exact),)),
    Mutant("jahr", "7", ((jahr, "positions", _by_number),)),
    Mutant("jahr", "8", ((jahr, "BYE_WORTH", 2),)),
    Mutant("jahr", "9", ((jahr, "is_played", _played_or_forfeit),)),
)


def _shifted(**change: int) -> Callable[..., Any]:
    plain = acceleration.progressive

    def progressive(snapshot: TournamentSnapshot, card: Any, round_number: int, worth: int) -> int:
        rounds = snapshot.rounds_announced or 0
        if "end" in change and round_number >= rounds - 1:
            earlier = max(1, rounds - 2)
            return int(plain(snapshot, card, min(round_number, earlier), worth))
        found = int(plain(snapshot, card, round_number, worth))
        return change.get(str(found), found) if "end" not in change else found

    return progressive


OF_PROGRESSIVE = (
    Mutant("dutch-1992", "group A", ((acceleration, "progressive", _shifted(**{"4": 2})),), "", "progressive"),
    Mutant("dutch-1992", "group B", ((acceleration, "progressive", _shifted(**{"2": 0})),), "", "progressive"),
    Mutant(
        "dutch-1992", "half points", ((acceleration, "progressive", _shifted(**{"1": 0, "3": 2})),), "", "progressive"
    ),
    Mutant("dutch-1992", "the end", ((acceleration, "progressive", _shifted(end=1)),), "", "progressive"),
)

MUTANTS = (*OF_1989, *OF_JAHR, *OF_1992, *OF_DUBOV, *OF_PROGRESSIVE)

__all__ = ["MUTANTS", "PAIR", "Mutant", "answer"]
