"""D1 and D2 of the 1992 rules, as in their tables: exclude candidates and check the next one.

All pairings of a group are listed in the order in which the tables bring them up; whichever of them bars still
allow, the first in that list must be paired.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations

import pytest

from pairing.engine.paired_round import PairedRound, ReasonKind
from tests.pairing.builders import first_round, paired

Pair = frozenset[int]
Pairing = frozenset[Pair]

TRANSPOSITIONS = ("5-6-8-7", "5-7-6-8", "5-7-8-6", "5-8-6-7", "5-8-7-6", "6-5-7-8", "6-5-8-7")
"""D1 a to g, for 8 players; then all numbers that these figures make, ascending."""

EXCHANGES_OF_8 = {
    "a": ("4", "5"), "b": ("4", "6"), "c": ("3", "5"), "d": ("4", "7"), "e": ("3", "6"), "f": ("2", "5"),
    "g": ("3", "7"), "h": ("2", "6"), "i": ("2", "7"),
    "j": ("34", "56"), "k": ("34", "57"), "l": ("24", "56"), "m": ("34", "67"), "n": ("24", "57"), "o": ("23", "56"),
    "p": ("24", "67"), "q": ("23", "57"), "r": ("23", "67"),
}  # fmt: skip
"""D2, both tables: who leaves S1, who comes in."""

EXCHANGES_OF_7 = {
    letter: ("".join(str(int(one) - 1) for one in out), "".join(str(int(one) - 1) for one in into))
    for letter, (out, into) in EXCHANGES_OF_8.items()
    if out != "23"
}
"""D2's note: all numbers less one, the last column of the second table superfluous."""


def candidates(size: int, exchanges: Sequence[tuple[str, str]]) -> Iterator[Pairing]:
    """The exchanges in order, each with the transpositions of S2 in ascending order."""
    p = size // 2
    for out, into in [("", ""), *exchanges]:
        leaving, entering = {int(one) for one in out}, {int(one) for one in into}
        s1 = sorted({*range(1, p + 1)} - leaving | entering)
        s2 = sorted({*range(p + 1, size + 1)} - entering | leaving)
        for order in sorted(permutations(s2)):
            yield frozenset(map(frozenset, zip(s1, order, strict=False)))


LISTS = {
    8: list(dict.fromkeys(candidates(8, [*EXCHANGES_OF_8.values()]))),
    7: list(dict.fromkeys(candidates(7, [*EXCHANGES_OF_7.values()]))),
}


def pairing_of(made: PairedRound) -> Pairing:
    return frozenset(frozenset((game.white, game.black)) for game in made.games)


def round_with(size: int, allowed: frozenset[Pair]) -> PairedRound:
    """Round 1 of so many players, in which only these pairs are allowed."""
    barred = [two for two in combinations(range(1, size + 1), 2) if frozenset(two) not in allowed]
    return paired(first_round(size, *barred, system="dutch-1992"))


@pytest.mark.parametrize("size", [7, 8])
def test_the_tables_bring_up_every_pairing(size):
    assert len(LISTS[size]) == 105


def test_d1_begins_as_the_document_lists_it():
    spelled = ["-".join(str(_partner(one, top)) for top in (1, 2, 3, 4)) for one in LISTS[8][:8]]
    assert spelled == ["5-6-7-8", *TRANSPOSITIONS]


@pytest.mark.parametrize("size", [7, 8])
def test_candidate_after_candidate(size):
    """With all earlier ones blocked and everything else allowed, each entry of the list comes in its turn."""
    for place, expected in enumerate(LISTS[size]):
        allowed = set(expected)
        for two in map(frozenset, combinations(range(1, size + 1), 2)):
            if not any(earlier <= allowed | {two} for earlier in LISTS[size][:place]):
                allowed.add(two)
        assert pairing_of(round_with(size, frozenset(allowed))) == expected


@pytest.mark.parametrize("size", [7, 8])
def test_the_first_of_the_list_that_any_bars_allow(size):
    rng = random.Random(size)
    pairs = [frozenset(two) for two in combinations(range(1, size + 1), 2)]
    paired_rounds = 0
    while paired_rounds < 250:
        allowed = frozenset(two for two in pairs if rng.random() < rng.choice([0.3, 0.5]))
        expected = next((one for one in LISTS[size] if one <= allowed), None)
        if expected is not None:
            assert pairing_of(round_with(size, allowed)) == expected
            paired_rounds += 1


@pytest.mark.parametrize(
    ("size", "exchanges"), [(8, EXCHANGES_OF_8), (7, EXCHANGES_OF_7)], ids=["8 players", "7 players"]
)
def test_d2_the_reasons_name_who_is_exchanged(size, exchanges):
    """If only one pairing is allowed, it comes from the first exchange that contains it."""
    first: dict[Pairing, tuple[str, str]] = {}
    for exchange in [("", ""), *exchanges.values()]:
        # The candidates before the exchange in the list are those without one.
        for candidate in [*candidates(size, [exchange])][_transpositions(size) :]:
            first.setdefault(candidate, exchange)
    for pairing, exchange in first.items():
        assert exchanged(round_with(size, pairing)) == exchange


def exchanged(made: PairedRound) -> tuple[str, str]:
    """The players who left S1 and who entered it, according to the reasons."""
    halves = {"S1": "", "S2": ""}
    reasons = [why for game in made.games for why in game.reasons] + list(made.bye.reasons if made.bye else ())
    moved = {(why.players[0], str(why.get_fact("half"))) for why in reasons if why.kind is ReasonKind.MOVED_TO_HALF}
    for player, half in sorted(moved):
        halves[half] += str(player)
    return halves["S2"], halves["S1"]


def _partner(pairing: Pairing, player: int) -> int:
    return next(other for two in pairing if player in two for other in two if other != player)


def _transpositions(size: int) -> int:
    return len([*permutations(range(size - size // 2))])
