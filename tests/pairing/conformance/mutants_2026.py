"""The rules of 2026 with an article or a criterion broken."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from pairing.engine.snapshot import Result
from tests.pairing.conformance.mutant import Change, Mutant
from tests.pairing.engine.literal import dutch_2026, facts
from tests.pairing.engine.literal.counted import Counted
from tests.pairing.engine.literal.dutch_2026 import NOTHING, STRONG
from tests.pairing.engine.literal.dutch_2026_exchanges import exchanges as _exchanges
from tests.pairing.engine.literal.facts import OTHER, is_played

P, B = dutch_2026.Procedure, dutch_2026.Bracket

_of_pair = B._of_pair
_of_downfloaters = B.of_downfloaters
_transpositions = B.transpositions
_floated = P.floated


def _without(index: int) -> tuple[Change, ...]:
    """One of C10 to C21, by its place in a quality, treated as always kept."""

    def blind(quality: tuple[Any, ...]) -> tuple[Any, ...]:
        return (*quality[:index], NOTHING[index], *quality[index + 1 :])

    return (
        (B, "_of_pair", lambda self, a, b: blind(_of_pair(self, a, b))),
        (B, "of_downfloaters", lambda self, leaving: blind(_of_downfloaters(self, leaving))),
    )


def _last_first(self: Any, s1: list[int], s2: list[int], made: Any, limbo: Any) -> Iterator[Any]:
    """4.2 in reverse order."""
    return _transpositions(self, s1, list(reversed(s2)), made, limbo)


def _whatever_exchange(size: int, count: int) -> Any:
    """4.3 in reverse order."""
    return list(reversed(list(_exchanges(size, count))))


def _absences_float(self: Any, tpn: int, back: int) -> str | None:
    """1.4 as before 2026: absent players floated down."""
    number = self.facts.round_number - back
    record = self.facts.cards[tpn].records[number - 1] if number >= 1 else None
    if record is not None and not is_played(record) and record.result in (Result.ZERO_POINT_BYE, Result.ABSENT):
        return "down"
    return _floated(self, tpn, back)


def _any_colours(self: Any, a: int, b: int) -> bool:
    return not (self.facts.met(a, b) or self.facts.forbidden(a, b))


def _highest_bye(self: Any, players: Any) -> int | None:
    """C5 reversed."""
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
    return max(found, default=None)


def _colour_of_higher(self: Any, higher: int, lower: int, *, skip: str) -> str:
    his, theirs = self.preference(higher), self.preference(lower)
    if his is None and theirs is None:
        first = self.facts.snapshot.first_colour.value
        return first if self.facts.parity_number(higher) % 2 or skip == "5.2.5" else OTHER[first]
    if his is None or theirs is None:
        return his[0] if his is not None else OTHER[theirs[0]]
    if his[0] != theirs[0]:
        return str(his[0]) if skip != "5.2.1" else OTHER[his[0]]
    if his[1] != theirs[1] and skip != "5.2.2":
        return str(his[0] if his[1] > theirs[1] else OTHER[theirs[0]])
    if skip != "5.2.3":
        one, other = self.facts.colours[higher], self.facts.colours[lower]
        for had, they_had in zip(reversed(one), reversed(other), strict=False):
            if had != they_had:
                return OTHER[had]
    return str(his[0]) if skip != "5.2.4" else OTHER[his[0]]


def _skipping(rule: str) -> Callable[..., str]:
    return lambda self, higher, lower: _colour_of_higher(self, higher, lower, skip=rule)


def _mild_is_strong(self: Any, tpn: int) -> Any:
    found = _preference(self, tpn)
    return found and (found[0], max(found[1], STRONG))


_preference = P.preference


def _numbers(arrived: str, *, first_round_only: bool = False) -> Callable[[Any, int], int]:
    """5.2.5 with the position among those to be paired and those who had one of these results before."""

    def parity_number(self: Any, tpn: int) -> int:
        if first_round_only and self.round_number > 1:
            return tpn
        return sum(other in self.to_pair or self.had(other, arrived) for other in self.cards if other <= tpn)

    return parity_number


_CRITERIA = ("C10", "C11", "C12", "C13", "C14", "C15", "C16", "C17", "C18", "C19", "C20", "C21")


def _mutant(article: str, *changes: Change, key: str = "") -> Mutant:
    return Mutant("dutch-2026", article, changes, key)


OF_2026 = (
    _mutant("1.2", (P, "in_order", lambda self, players: sorted(players))),
    _mutant("1.4", (P, "floated", _absences_float)),
    _mutant("1.7", (P, "preference", _mild_is_strong)),
    _mutant("1.8", (P, "is_topscorer", lambda self, tpn: False)),
    _mutant("C1", (facts.Facts, "met", lambda self, a, b: False)),
    _mutant("C2", (P, "may_rest", lambda self, tpn: True)),
    _mutant("C3", (P, "may_meet", _any_colours)),
    _mutant("C5", (P, "_lowest_bye", _highest_bye)),
    _mutant("C7", (B, "scores", lambda self, players: ())),
    _mutant("C8", (B, "next_bracket", lambda self, mdps: ())),
    _mutant("C9", (P, "unplayed", lambda self, tpn: 0)),
    *(_mutant(criterion, *_without(index)) for index, criterion in enumerate(_CRITERIA)),
    _mutant("4.2", (B, "transpositions", _last_first)),
    _mutant("4.3", (dutch_2026, "exchanges", _whatever_exchange)),
    *(
        _mutant(rule, (P, "colour_of_higher", _skipping(rule)))
        for rule in ("5.2.1", "5.2.2", "5.2.3", "5.2.4", "5.2.5")
    ),
    _mutant("5.2.5", (Counted, "parity_number", lambda self, tpn: tpn), key="list"),
    _mutant("5.2.5", (Counted, "parity_number", _numbers("10=WDL*+-U", first_round_only=True)), key="round 1"),
    _mutant("5.2.5", (Counted, "parity_number", _numbers("10=WDL*+-UFHZ")), key="requested"),
    _mutant("5.2.5", (Counted, "parity_number", _numbers("10=WDL*U")), key="forfeited"),
)

RARE_2026 = {
    "C10": """dutch-2026 first=b bye=2 rounds=5
        1 2228 5b1 2b1 3b= 4w1
        2 2081 6w1 1w0 8b1 3w=
        3 2081 7w= 4b1 1w= 2b=
        4 1964 8b= 3w0 6w1 1b0
        5 1814 1w0 6b= 7w1 8b=
        6 1661 2b0 5w= 4b0 7b1
        7 1615 3b= 8w= 5b0 6w0
        8 1585 4w= 7b= 2w0 5w=""",
    "C17": """dutch-2026 first=w bye=2 rounds=5
        1 1852 5w1 4b= 2w0
        2 1730 6b= 8w1 1b1
        3 1600 7w1 9b1 4w=
        4 1573 8b1 1w= 3b=
        5 1554 1b0 6w1 7b1
        6 1458 2w= 5b0 9w1
        7 1426 3b0 U 5w0
        8 1308 4w0 2b0 U
        9 1281 U 3w0 6b0""",
    "5.2.5 requested": """dutch-2026 first=w bye=2 rounds=5
        1 2200 H | Z
        2 2100 Z
        3 2000 Z
        4 1900 6w=
        5 1800 7b=
        6 1700 4b=
        7 1600 5w=""",
}
"""Events on which a rule decides that random play seldom asks: made by hand, or found among thousands that cite it."""
