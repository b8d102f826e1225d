"""The rules of 1987-89 with an article broken."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

from tests.pairing.conformance.mutant import Mutant, with_worth
from tests.pairing.engine.literal import facts, fide_1989
from tests.pairing.engine.literal.facts import OTHER

F = fide_1989.Procedure


def _reversed_candidates(self: Any, players: frozenset[int], direction: str) -> tuple[int, list[int]]:
    """Neighbours play: the first against the second."""
    ranked = sorted(players, key=lambda tpn: self.number[tpn], reverse=direction == fide_1989.UP)
    return ranked[0], ranked[1:]


_candidates = F.candidates


def _wrong_exchanges(self: Any, players: frozenset[int], direction: str) -> tuple[int, list[int]]:
    """The lower half is offered from its end."""
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
    """9.6 without counting: the group above gives first."""
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
    Mutant("fide-1989", "8.3", ((facts.Facts, "__init__", with_worth(0)),)),
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
