"""The rules of 1992 with an article broken."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from unittest.mock import patch

from tests.pairing.conformance.mutant import Mutant, no_absolute, with_worth
from tests.pairing.engine.literal import dutch_1992, facts
from tests.pairing.engine.literal.facts import OTHER

D, B = dutch_1992.Procedure, dutch_1992.Bracket


_transpositions = B.transpositions


def _last_first(self: Any, s1: list[int], s2: list[int], x: int, up: tuple[int, ...]) -> Any:
    """D1 in reverse order."""
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
    Mutant("dutch-1992", "A5", ((facts.Facts, "__init__", with_worth(0)),)),
    Mutant("dutch-1992", "A7", ((D, "is_above_half_in_last_round", lambda self, tpn: False),)),
    Mutant("dutch-1992", "A8", ((B, "x0", lambda self: len(self.members)),)),
    Mutant("dutch-1992", "B1", ((facts.Facts, "met", lambda self, a, b: False),), "a"),
    Mutant("dutch-1992", "B1", ((D, "bye_is_allowed", lambda self, tpn: True),), "b"),
    Mutant("dutch-1992", "B2", ((facts.Facts, "__init__", no_absolute(facts.Facts)),)),
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
