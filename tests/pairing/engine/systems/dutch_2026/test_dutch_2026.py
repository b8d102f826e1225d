"""Rounds by C.04.3 as in force since February 2026, each calculated by hand from the articles."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pairing.engine.paired_round import PairingImpossible, ReasonKind
from pairing.engine.snapshot import Colour
from pairing.engine.systems import PAIRING_SYSTEMS
from tests.pairing.engine.literal import notation


def pair(text: str):
    return PAIRING_SYSTEMS["dutch-2026"](notation.read(text))


def boards(text: str) -> str:
    """`1-2 4-3 bye 5`."""
    paired = pair(text)
    bye = f" bye {paired.bye.player}" if paired.bye else ""
    return " ".join(f"{game.white}-{game.black}" for game in paired.games) + bye


def fresh(players: int, head: str = "dutch-2026 rounds=5") -> str:
    return "\n".join([head, *(f"{tpn} {2500 - tpn}" for tpn in range(1, players + 1))])


def test_nobody_meets_the_same_opponent_twice_c1():
    # 1 and 2 have won, 3 and 4 lost: each is due the colour not had in round 1.
    assert boards("dutch-2026 rounds=5\n1 2000 3w1\n2 1900 4b1\n3 1800 1b0\n4 1700 2w0") == "2-1 3-4"
    with pytest.raises(PairingImpossible):
        boards("dutch-2026 rounds=5\n1 2000 2w1\n2 1900 1b0")


def test_a_forfeited_pairing_may_be_made_again():
    assert boards("dutch-2026 rounds=5\n1 2000 2+\n2 1900 1-") == "1-2"


@pytest.mark.parametrize("without_play", ["U", "F", "+"])
def test_no_bye_after_a_wins_points_without_play_c2(without_play):
    # 3 has the lowest score but may not get the bye; 2 has the next lowest.
    assert boards(f"dutch-2026 rounds=5\n1 2000 2w1 .\n2 1900 1b0 H\n3 1800 {without_play} .").endswith("bye 2")


def test_a_half_point_bye_does_not_stand_in_the_way_of_the_bye_c2():
    assert boards("dutch-2026 rounds=5\n1 2000 2w1\n2 1900 1b0\n3 1800 H\n").endswith("bye 2")
    assert boards("dutch-2026 rounds=5\n1 2000 2w1\n2 1900 1b0\n3 1800 Z\n") == "3-1 bye 2"


def test_the_bye_goes_to_who_missed_fewest_games_c9():
    # 3, 4 and 5 have no points, and 5 has missed a game: 4, the lowest of the others, gets the bye.
    text = "dutch-2026 rounds=9\n1 2000 3w1\n2 1900 4b1\n3 1800 1b0\n4 1700 2w0\n5 1600 Z\n"
    assert boards(text).endswith("bye 4")
    assert boards(text.replace("5 1600 Z", "5 1600 -")).endswith("bye 4")


def test_round_1_upper_half_against_lower_half_colours_by_number_5_2_5():
    assert boards(fresh(6)) == "1-4 5-2 3-6"


def with_missing(entry: str, head: str = "dutch-2026 rounds=5") -> str:
    """Ten players before round 1, of whom 1 and 3 have `entry` for it."""
    lines = (f"{tpn} {2500 - tpn}" + (f" | {entry}" if tpn in (1, 3) else "") for tpn in range(1, 11))
    return "\n".join([head, *lines])


@pytest.mark.parametrize("entry", ["H", "F", "Z", "."])
def test_players_who_have_yet_to_arrive_have_no_number_5_2_5(entry):
    # 2, 4, 5 and 6 are the first four of those who are paired, so 2 and 5 get White.
    assert boards(with_missing(entry)) == "2-7 8-4 5-9 10-6"


def test_numbers_of_the_starting_list_decide_where_the_event_reads_5_2_5_so():
    assert boards(with_missing("Z", "dutch-2026 rounds=5 reading=dutch-2026:5.2.5=list")) == "7-2 8-4 5-9 10-6"


@pytest.mark.parametrize(
    ("first", "fourth", "expected"),
    [
        # 1 has yet to arrive: 2 is the first of those who were paired in this or an earlier round.
        (".", "Z", "2-3"),
        ("Z", "Z", "2-3"),
        ("H", "Z", "2-3"),
        ("F", "Z", "2-3"),
        # 1 was paired in round 1, and is counted although absent now.
        ("4w1", "1b0", "3-2"),
        ("4+", "1-", "3-2"),
        ("4-", "1+", "3-2"),
        ("U", "Z", "3-2"),
    ],
)
def test_those_paired_in_an_earlier_round_count_although_absent_now_5_2_5(first, fourth, expected):
    head = "dutch-2026 rounds=5"
    assert boards(f"{head}\n1 2000 {first} | Z\n2 1900 H\n3 1800 H\n4 1700 {fourth} | Z") == expected
    assert boards(fresh(6, "dutch-2026 rounds=5 first=b")) == "4-1 2-5 6-3"
    assert boards(fresh(7)) == "1-4 5-2 3-6 bye 7"


def test_the_position_gives_the_colour_when_somebody_is_absent():
    # 2 is the first and 3 the second of the four who are paired.
    assert boards(fresh(5).replace("1 2499", "1 2499 | Z")) == "2-4 5-3"


def test_pairs_that_must_not_meet():
    assert boards(fresh(4, "dutch-2026 rounds=5 forbidden=1-3")) == "1-4 3-2"


def test_an_exchange_where_no_transposition_will_do_4_3():
    # 1 may meet only 2: one of S1 = {1, 2} must leave it. The smallest difference exchanges 2 and 3.
    assert boards(fresh(4, "dutch-2026 rounds=5 forbidden=1-3,1-4")) == "1-2 3-4"


def test_zero_point_absence_is_no_float_but_points_without_play_are_1_4():
    # All three have one point; the lowest, 3, would float, but not after a full-point bye, which is a downfloat (C14).
    plain = "dutch-2026 rounds=9\n1 2000 4w1\n2 1900 5b1\n3 1800 6w1\n4 1700 1b0\n5 1600 2w0\n6 1500 3b0\n"
    assert _floaters(plain) == {3}
    assert _floaters(plain.replace("3 1800 6w1", "3 1800 F").replace("6 1500 3b0", "6 1500 Z")) != {3}


def _floaters(text: str) -> set[int]:
    return {why.players[0] for game in pair(text).games for why in game.reasons if why.kind is ReasonKind.FLOATED}


def test_two_who_must_have_the_same_colour_meet_only_if_one_is_a_topscorer_c3():
    # Both have had White twice running and have two points of two: above half before the last round of three.
    text = "dutch-2026 rounds={}\n1 2000 3w1 4w1\n2 1900 4w1 3w1\n3 1800 1b0 2b0\n4 1700 2b0 1b0\n"
    with pytest.raises(PairingImpossible):
        boards(text.format(9))
    # 3 and 4 are not topscorers, and both must get White: no legal round even then.
    with pytest.raises(PairingImpossible):
        boards(text.format(3))
    assert (
        boards(
            text.format(3)
            .replace("3 1800 1b0 2b0", "3 1800 1b0 2b0 | Z")
            .replace("4 1700 2b0 1b0", "4 1700 2b0 1b0 | Z")
        )
        == "2-1"
    )


def test_those_two_leave_after_whom_nobody_leaves_the_next_bracket_c8():
    # Only 1 of the first four may meet the others. Below, 2 may only meet 7, 3 only 5, 4 only 6; 8 neither 5 nor 7.
    head = "dutch-2026 rounds=5 forbidden=2-3,2-4,3-4,2-5,2-6,2-8,3-6,3-7,3-8,4-5,4-7,4-8,5-8,7-8"
    lines = [f"{tpn} {2500 - tpn} {'FFFFHHHHZZ'[tpn - 1]}" for tpn in range(1, 11)]
    # With 3 and 4, who are last, 7 and 8 would be left; with 2 and 4, 5 and 8.
    assert boards("\n".join([head, *lines])) == "1-4 7-2 3-5 8-6 9-10"


def test_without_a_number_of_rounds_nobody_is_a_topscorer():
    text = "dutch-2026\n1 2000 3w1 4w1\n2 1900 4w1 3w1\n3 1800 1b0 2b0 | Z\n4 1700 2b0 1b0 | Z\n"
    with pytest.raises(PairingImpossible):
        boards(text)


def test_the_order_of_the_players_in_the_snapshot_changes_nothing():
    snapshot = notation.read(fresh(9))
    turned = replace(snapshot, cards=tuple(reversed(snapshot.cards)))
    assert PAIRING_SYSTEMS["dutch-2026"](snapshot) == PAIRING_SYSTEMS["dutch-2026"](turned)


def test_an_empty_round():
    paired = pair("dutch-2026 rounds=3\n1 2000 | Z\n2 1900 | Z\n")
    assert (paired.games, paired.bye) == ((), None)


def test_the_initial_colour_is_the_events():
    assert notation.read(fresh(2, "dutch-2026 first=b")).first_colour is Colour.BLACK
    assert boards(fresh(2, "dutch-2026 first=b")) == "2-1"
