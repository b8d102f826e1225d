"""C.07, article 6, and the order of 1992 (F10)."""

from __future__ import annotations

from pairing.engine.standings import rank_players
from tests.pairing.engine.standings.rows import column, event


def ranks(snapshot, *codes, lots=None):
    return {row.tpn: row.rank for row in rank_players(snapshot, codes, lots=lots)}


NOT_MET = event("1 2000 3w1\n2 1900 4w1\n3 1800 1b0\n4 1700 2b0")
MET = event("1 2000 2w0 3w1\n2 1900 1b1 4w0\n3 1800 4w0 1b0\n4 1700 3b1 2b1")
"""1, 2 have a point each, and 2 beat 1; 4 has two, 3 none."""


def test_players_who_have_not_met_stay_tied():
    assert ranks(NOT_MET, "DE") == {1: 1, 2: 1, 3: 3, 4: 3}
    assert set(column(NOT_MET, "DE").values()) == {"0"}


def test_6_2_the_winner_of_their_game_stands_first():
    assert ranks(MET, "DE") == {4: 1, 2: 2, 1: 3, 3: 4}
    assert column(MET, "DE") == {4: "0", 2: "1", 1: "2", 3: "0"}


def test_6_2_players_still_tied_begin_anew():
    """Among the four, 1 has 2.5, 4 has 1.5, 2 and 3 have 1 each; the game between these two decides."""
    snapshot = event(
        """
        1 2000 Z Z 2w1 3w1 4w=
        2 1900 F H 1b0 4w0 3w1
        3 1800 F H 4w1 1b0 2b0
        4 1700 F Z 3b0 2b1 1b=
        """
    )
    assert {row.points for row in rank_players(snapshot, ())} == {5}
    assert column(snapshot, "DE") == {1: "1", 4: "2", 2: "3", 3: "4"}


def test_6_1_1_a_forfeit_is_no_game_between_them():
    snapshot = event("1 2000 2w+ Z\n2 1900 1b- U")
    assert ranks(snapshot, "DE") == {1: 1, 2: 1}
    assert ranks(snapshot, "DE/P") == {1: 1, 2: 2}


def test_6_1_2_two_games_count_their_average():
    """1 won once, then drew: 0.75 to 0.25."""
    snapshot = event("1 2000 2w1 2b= Z\n2 1900 1b0 1w= U")
    assert ranks(snapshot, "DE") == {1: 1, 2: 2}


def test_6_3_certain_whatever_the_missing_game_would_bring():
    """1 beat 2 and 3, who have not met: 1 is first, and they stay tied."""
    snapshot = event("1 2000 2w1 3b1 Z\n2 1900 1b0 F U\n3 1800 F 1w0 F")
    assert {row.points for row in rank_players(snapshot, ())} == {4}
    assert column(snapshot, "DE") == {1: "1", 2: "2", 3: "2"}


def test_6_3_not_certain_if_the_missing_game_could_catch_up():
    """1 beat 2 and drew with 3; 3 could still get 1.5 by beating 2."""
    snapshot = event("1 2000 2w1 3b= H\n2 1900 1b0 F U\n3 1800 H 1w= F")
    assert {row.points for row in rank_players(snapshot, ())} == {4}
    assert set(column(snapshot, "DE").values()) == {"0"}


def test_direct_encounter_looks_at_those_still_tied_when_its_turn_comes():
    """1, 2 and 3 beat each other in a circle; after the number of wins 1 and 2 are left, and 1 beat 2."""
    snapshot = event(
        """
        1 2000 2w1 3b0 F
        2 1900 1b0 F 3w1
        3 1800 F 1w1 2b0
        """
    )
    assert set(column(snapshot, "DE").values()) == {"0"}
    circle = event("1 2000 2w1 3b0 H H\n2 1900 1b0 H 3w1 H\n3 1800 F 1w1 2b0 Z")
    assert ranks(circle, "WIN", "DE") == {3: 1, 1: 2, 2: 3}


def test_f10_the_games_between_them_count_for_the_first_place_only():
    """2 and 1 are second here, so F10 leaves them to the average rating: 1 met 1900 and 1800; 2 met 2000 and 1700."""
    assert column(MET, "DE1") == dict.fromkeys((1, 2, 3, 4), "-")
    assert ranks(MET, "DE1", "AR") == {4: 1, 1: 2, 2: 2, 3: 4}


def test_f10_first_place():
    first = event("1 2000 2w0 U\n2 1900 1b1 Z\n3 1800 Z Z")
    assert column(first, "DE1") == {1: "0.0", 2: "1.0", 3: "-"}
    assert ranks(first, "DE1", "AR", "LOT") == {2: 1, 1: 2, 3: 3}


def test_f10_a_lot_is_data_and_without_one_the_place_is_shared():
    assert ranks(NOT_MET, "DE1", "LOT") == {1: 1, 2: 1, 3: 3, 4: 3}
    assert ranks(NOT_MET, "DE1", "LOT", lots={2: 1, 1: 2}) == {2: 1, 1: 2, 3: 3, 4: 3}


def test_f10_the_average_is_kept_exactly():
    """1851/2 and 2777/3 would both be 925.5 and 925.7; a third of a point decides."""
    snapshot = event("1 2000 3w1 4b0 5w0\n2 1900 4w0 5b1 3b0\n3 1000 1b0 Z 2w1\n4 900 2b1 1w1 Z\n5 877 Z 2w0 1b1")
    averages = column(snapshot, "AR")
    assert averages[1] == averages[2] == "925.7"
