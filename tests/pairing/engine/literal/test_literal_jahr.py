"""The literal twin of Jahr's method compared with the figures printed in "Szachy" 3/1981."""

from __future__ import annotations

from decimal import Decimal

import pytest

from tests.pairing.engine.literal import jahr, notation

A_AND_B = """jahr
    1 0 + + + H 3w0 2w0
    2 0 + + + H 4w0 1b1
    3 0 . . H . 1b1 .
    4 0 . + 5w0 . 2b1 .
    5 0 + + 4b1 . . .
"""
"""Before round 6 player 1 has 3.55 and player 2 has 3.62 points."""

RESTING = """jahr
    1 0 + + H . 2w0 . . U
    2 0 + + + 3w0 1b1 . . .
    3 0 + + + 2b1 . . . .
"""
"""Before round 8 player 1 has 2.83 points."""


def before_round(text: str, round_number: int):
    head, *lines = text.strip().splitlines()
    return jahr.values(
        notation.read("\n".join([head, *(" ".join(line.split()[: round_number + 1]) for line in lines)]))
    )


@pytest.mark.parametrize(
    ("total", "tenth"), [("3.62", "0.36"), ("1.55", "0.16"), ("1.45", "0.14"), ("2.83", "0.28"), ("1.56", "0.16")]
)
def test_article_4_rounding(total, tenth):
    assert jahr.article_4_tenth(Decimal(total)) == Decimal(tenth)


def test_article_5_example():
    assert before_round(A_AND_B, 6)[1].total == Decimal("3.55")
    assert before_round(A_AND_B, 6)[2].total == Decimal("3.62")
    after = jahr.values(notation.read(A_AND_B))
    assert after[1].total == Decimal("3.91")
    assert after[1].game == Decimal("3.5")


def test_article_6_exact_value_is_neither_divided_nor_rounded():
    assert jahr.values(notation.read(A_AND_B))[1].exact == Decimal("0.5") + Decimal("3.62")


def test_article_8_example():
    assert before_round(RESTING, 8)[1].total == Decimal("2.83")
    after = jahr.values(notation.read(RESTING))[1]
    assert after.total == Decimal("3.61")
    assert after.game == Decimal("3.0")
    assert after.exact == Decimal("3.3") + Decimal("2.83")


def test_article_9_forfeits_bring_no_auxiliary_points():
    after = jahr.values(notation.read("jahr\n1 0 2w1 2w+\n2 0 1b0 1b-"))
    assert after[1] == jahr.JahrValues(game=Decimal(2), total=Decimal(2), exact=Decimal(0))
    assert after[2] == jahr.JahrValues()


def test_article_6_order():
    assert [tpn for tpn, _ in sorted(jahr.positions(notation.read(A_AND_B)).items(), key=lambda item: item[1])] == [
        2,  # 4.5 points
        1,  # 3.5 points, 3.91 in all
        5,  # 3 points
        4,  # 2 points
        3,  # 1.5 points
    ]


def test_before_round_1_the_order_is_that_of_the_starting_list():
    assert jahr.positions(notation.read("jahr\n3 0\n1 0\n7 0")) == {1: 1, 3: 2, 7: 3}


def test_no_event_is_a_maxi_event():
    text = """{} rounds=2
        1 2500 5w1
        2 2400 6b1
        3 2000 7w1
        4 1500 8b1
        5 1000 1b0
        6 900 2w0
        7 800 3b0
        8 100 4w0"""
    games, bye = jahr.pair(notation.read(text.format("jahr")))
    assert bye is None
    due_black = {1, 3, 6, 8}
    assert all((white in due_black) != (black in due_black) for white, black in games)
