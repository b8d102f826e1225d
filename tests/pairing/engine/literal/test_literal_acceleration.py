"""The literal accelerations compared with the table of Appendix Q and the examples of C.04.5.1."""

from __future__ import annotations

import pytest

from tests.pairing.engine.literal import notation
from tests.pairing.engine.literal.acceleration import fictitious_points, progressive_table

TABLE = {
    ("A", 9): "4 4 4 4 4 4 4 4 4 4 4 4",
    ("B", 9): "2 2 2 3 3 3 4 4 4 4 4 4",
    ("C", 9): "0 0 0 1 1 1 2 2 2 4 4 4",
    ("C", 12): "0 0 0 1 1 1 2 2 2 3 3 3",
    ("C", 11): "0 0 0 1 1 1 2 2 2 3 3 4",
}
"""Fictitious half points by real points 0, 0.5, 1, ..., 5.5."""


@pytest.mark.parametrize(("group", "rounds"), TABLE)
def test_progressive_table(group, rounds):
    row = [progressive_table(group, gained, 1, rounds) for gained in range(12)]
    assert " ".join(map(str, row)) == TABLE[group, rounds]


@pytest.mark.parametrize("round_number", [8, 9])
def test_progressive_ends_before_the_last_round_but_one(round_number):
    assert {progressive_table(group, 9, round_number, 9) for group in "ABC"} == {0}


def test_progressive_counts_what_was_gained_by_play_and_not_what_was_asked_for():
    given = fictitious_points(
        notation.read("""fide-1989 rounds=9 acceleration=progressive limits=2000,1600
        1 2000 F H F
        2 1999 F H F
        3 1600 U + 4w=
        4 1599 + 5w= 3b=
        5 0 . 4b= .""")
    )
    assert given == {1: (4,) * 4, 2: (2, 2, 2, 2), 3: (2, 2, 3, 3), 4: (0, 0, 1, 1), 5: (0, 0, 0, 0)}


@pytest.mark.parametrize(("players", "upper"), [(6, 4), (7, 4), (8, 4), (9, 6), (12, 6), (13, 8)])
def test_baku_upper_group(players, upper):
    text = "fide-1989 rounds=9 acceleration=baku\n" + "\n".join(f"{tpn} 0" for tpn in range(1, players + 1))
    assert [tpn for tpn, points in fictitious_points(notation.read(text)).items() if points == (2,)] == list(
        range(1, upper + 1)
    )


@pytest.mark.parametrize(
    ("rounds", "points"), [(9, (2, 2, 2, 1, 1, 0, 0, 0, 0)), (8, (2, 2, 1, 1, 0, 0, 0, 0)), (5, (2, 2, 1, 0, 0))]
)
def test_baku_rounds(rounds, points):
    text = f"fide-1989 rounds={rounds} acceleration=baku\n1 0" + " ." * (rounds - 1)
    assert fictitious_points(notation.read(text))[1] == points


def test_manual_points_come_before_the_acceleration():
    text = "fide-1989 rounds=9 acceleration=baku\n1 0 . fs=1,3\n2 0 ."
    assert fictitious_points(notation.read(text)) == {1: (1, 3), 2: (2, 2)}
