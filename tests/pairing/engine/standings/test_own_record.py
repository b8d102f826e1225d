"""C.07: article 7 (a player's own record), 8.2 (how averages are shown), 9.2 (Koya) and 14 (cuts)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pairing.engine.snapshot import PairingCard, PointSystem, Result, RoundRecord, TournamentSnapshot
from pairing.engine.standings import rank_players
from pairing.engine.standings.inputs import TieBreakBasis
from pairing.engine.standings.tie_break_columns import CutReason, TieBreakContribution, cut_extreme_terms
from tests.pairing.engine.standings.rows import column, event

FIVE = event(
    """
    1 2100  2w1  3b1  4w0
    2 2000  1b0  5w1    U
    3 1900  4w1  1w0  5b-
    4 1800  3b0    F  1b1
    5 1700    H  2b0  3w+
    """
)


@pytest.mark.parametrize(
    ("code", "values"),
    [
        ("WIN", "2 2 1 2 1"),  # 7.1: with the allocated bye, the full-point bye and the forfeit
        ("WON", "2 1 1 1 0"),  # 7.2: over the board
        ("BPG", "1 1 0 2 1"),  # 7.3: 3 did not play the game with Black
        ("BWG", "1 0 0 1 0"),  # 7.4
        ("REP", "3 3 2 3 2"),  # 7.6: less the lost forfeit and the half-point bye
        ("PS", "5.0 3.0 3.0 3.0 2.5"),  # 7.5
        ("PS/C1", "4.0 3.0 2.0 3.0 2.0"),  # 14.1.1: without the score after round 1
        ("PS/C2", "2.0 2.0 1.0 2.0 1.5"),
        ("PS/C5", "0.0 0.0 0.0 0.0 0.0"),
        ("TPN", "1 2 3 4 5"),
        ("STD", "2.0 2.0 1.0 2.0 1.5"),  # 7.7
    ],
)
def test_own_record(code, values):
    assert column(FIVE, code) == dict(enumerate(values.split(), start=1))


def test_7_1_a_bye_of_half_a_point_is_no_win():
    assert column(replace(FIVE, points=PointSystem(pairing_allocated_bye=1)), "WIN")[2] == "1"
    assert column(replace(FIVE, points=PointSystem(pairing_allocated_bye=1)), "STD")[2] == "1.5"


def test_7_7_a_game_that_both_lose_is_no_loss_in_standard_points():
    """As many points as the opponent; two players who both did not come have nothing."""
    games = (("0", "0"), ("-", "-"))
    cards = [
        PairingCard(
            tpn=tpn,
            records=tuple(RoundRecord(result=Result(pair[tpn - 1]), opponent=3 - tpn, colour=None) for pair in games),
        )
        for tpn in (1, 2)
    ]
    snapshot = TournamentSnapshot(cards=tuple(cards), rounds_paired=2, system="fide-1989")
    assert column(snapshot, "STD") == {1: "0.5", 2: "0.5"}


def test_7_8_and_10_6_sort_both_ways():
    tied = event("1 1500 Z\n2 1700 Z\n3 1600 Z")
    assert [row.tpn for row in rank_players(tied, ("TPN",))] == [1, 2, 3]
    assert [row.tpn for row in rank_players(tied, ("TPN/R",))] == [3, 2, 1]
    assert [row.tpn for row in rank_players(tied, ("RTNG",))] == [2, 3, 1]
    assert [row.tpn for row in rank_players(tied, ("RTNG/R",))] == [1, 3, 2]


@pytest.mark.parametrize(
    ("code", "values"),
    [
        ("KS", "1.0 1.0 1.0 1.0 0.0"),  # half of the points is 1.5: all but 3 have it
        ("KS/L+1", "1.0 0.0 1.0 1.0 0.0"),  # two points: 1, 2 and 4
        ("KS/L+2", "0.0 0.0 0.0 0.0 0.0"),
        ("KS/L-1", "2.0 1.0 1.0 1.0 1.0"),  # one point: everyone; the forfeit counts against 3
    ],
)
def test_9_2_koya(code, values):
    assert column(FIVE, code) == dict(enumerate(values.split(), start=1))


def term(round_number: int, weight: int, value: int, *, voluntary: bool = False) -> TieBreakContribution:
    return TieBreakContribution(round_number, None, weight, value, TieBreakBasis.OPPONENT, voluntary)


@pytest.mark.parametrize(("rounds", "average"), [(8, "32.00"), (9, "40.500"), (26, "338.000"), (27, "364.5000")])
def test_8_2_an_average_has_the_decimals_that_so_many_rounds_need(rounds: int, average: str):
    """Two players who draw every game with each other: each has n/2 points and a Buchholz of n times that."""
    drawn = event(f"1 2000 {'2w= ' * rounds}\n2 1900 {'1b= ' * rounds}")
    assert column(drawn, "AOB") == {1: average, 2: average}


def test_14_1_without_cuts_all_terms_stay():
    terms = [term(1, 3, 3), term(2, 1, 1)]
    assert cut_extreme_terms(terms, low=0, high=0) == (terms, [])


def test_14_1_1_of_equal_opponents_the_lowest_product_goes():
    assert cut_extreme_terms([term(1, 3, 6), term(2, 3, 0), term(3, 5, 0)], low=1, high=0)[1] == [
        (term(2, 3, 0), CutReason.LOW)
    ]


def test_14_3_the_median_cuts_the_least_first_then_the_most_significant():
    kept, dropped = cut_extreme_terms([term(1, 7, 7), term(2, 2, 2)], low=1, high=1)
    assert (kept, [why for _, why in dropped]) == ([], [CutReason.LOW, CutReason.HIGH])


def test_14_4_a_cut_of_more_than_there_is_leaves_nothing():
    assert cut_extreme_terms([term(1, 2, 2)], low=2, high=2)[0] == []


def test_16_5_2_each_further_cut_asks_anew():
    """The lowest value is 3; the voluntary rounds of 3 and 4 are not lower, so they are cut first, one by one."""
    terms = [term(1, 3, 3), term(2, 5, 5), term(3, 6, 4, voluntary=True), term(4, 6, 3, voluntary=True)]
    assert [each.round for each in cut_extreme_terms(terms, low=1, high=0)[0]] == [1, 2, 3]
    assert [each.round for each in cut_extreme_terms(terms, low=2, high=0)[0]] == [1, 2]
    assert [each.round for each in cut_extreme_terms(terms, low=3, high=0)[0]] == [2]


def test_16_5_1_equal_values_are_those_of_the_voluntary_round():
    terms = [term(1, 2, 2), term(2, 4, 2, voluntary=True)]
    assert [each.round for each in cut_extreme_terms(terms, low=1, high=0)[0]] == [1]
