"""FIDE Swiss rules of 1987, amended 1988 and 1989: the document's examples and each article's limits.

Where only scores matter, players come by them through requested byes (F, H, Z), which leave no colours behind.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from pairing.engine.rules.players import PlayerOrder
from pairing.engine.snapshot import Colour
from pairing.engine.systems.fide_1989.system import pair_next_round
from tests.pairing.builders import does_not_pair, event, first_round, meet_as, paired, pairs_as
from tests.pairing.engine.exchange_tables import ARTICLE_11_2, ARTICLE_11_3

# -- No legal round ------------------------------------------------------------------------------------------------


def test_two_who_have_met_have_no_legal_round():
    does_not_pair("fide-1989\n1 0 2w1\n2 0 1b0", 1, 2)


def test_too_many_who_must_not_meet_one_another():
    does_not_pair(first_round(6, (3, 4), (3, 5), (3, 6), (4, 5), (4, 6), (5, 6)), 3, 4, 5, 6)


def test_same_absolute_colours_have_no_legal_round_before_the_last():
    text = """fide-1989 rounds={}
        1 0 3w1 4w1
        2 0 4w1 3w1
        3 0 1b0 2b0 | Z
        4 0 2b0 1b0 | Z"""
    does_not_pair(text.format(4), 1, 2)
    pairs_as(text.format(3), "2-1")  # 13; equal in everything (12.4), so the smaller number gets Black, its due colour


def test_nobody_left_whom_the_bye_is_permitted():
    does_not_pair("fide-1989\n1 0 U", 1)
    does_not_pair("fide-1989\n1 0 +", 1)


def test_an_empty_round_is_no_error():
    assert paired("fide-1989\n1 0 F | Z").games == ()


# -- 8: the bye ----------------------------------------------------------------------------------------------------


def test_article_8_1_largest_number_of_the_lowest_group():
    meet_as("fide-1989\n1 0 F\n2 0 Z\n3 0 Z\n4 0 F\n5 0 F", "1-4 2-5 bye 3")


def test_article_8_2_not_twice():
    pairs_as(
        """fide-1989
        1 0 3w1 2b=
        2 0 4b1 1w=
        3 0 1b0 5w1
        4 0 2w0 U
        5 0 U 3b0""",
        "1-4 5-2 bye 3",
    )


@pytest.mark.parametrize(("third", "bye"), [("+", 2), ("U", 2), ("F", 3), ("H", 3), ("Z", 3)])
def test_article_8_2_who_may_not_rest(third, bye):
    # All three have half a point, and only how 3 got it matters; F and similar codes do not exclude 3.
    scores = {"+": "F", "U": "F"}.get(third, third)
    assert paired(f"fide-1989\n1 0 {scores}\n2 0 {scores}\n3 0 {third}").bye.player == bye


def test_article_8_2_bars_a_forfeit_winner_with_a_named_opponent_too():
    assert paired("fide-1989\n1 0 F\n2 0 F\n3 0 4+\n4 0 3- | Z").bye.player == 2


def test_bye_goes_up_when_the_lowest_group_is_barred():
    meet_as("fide-1989\n1 0 F Z\n2 0 F F\n3 0 U Z", "2-3 bye 1")


def test_bye_leaves_the_others_a_legal_round():
    assert paired(first_round(3, (1, 2))).bye.player == 2


# -- 14: round 1 ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("colour", "odd_is_white"), [(Colour.WHITE, True), (Colour.BLACK, False)])
def test_article_14_2_forty_players_by_either_lot(colour, odd_is_white):
    boards = [f"{top}-{top + 20}" if (top % 2 == 1) is odd_is_white else f"{top + 20}-{top}" for top in range(1, 21)]
    assert boards[:4] in (["1-21", "22-2", "3-23", "24-4"], ["21-1", "2-22", "23-3", "4-24"])
    pairs_as(first_round(40, colour=colour), " ".join(boards))


def test_article_14_1_odd_number():
    pairs_as(first_round(7), "1-4 5-2 3-6 bye 7")


def test_round_1_of_an_accelerated_event_has_several_groups():
    # Below the median group pairing goes upwards; the colours depend on the parity of the higher player.
    lines = "\n".join(f"{tpn} 0 fs={2 if tpn <= 4 else 0}" for tpn in range(1, 9))
    pairs_as(f"fide-1989\n{lines}", "1-3 4-2 5-7 8-6")


def test_median_of_an_accelerated_event_is_the_score_of_the_player_in_the_middle():
    # The third of 6 has 1 point: the three on 0 are below the median, and 4 floats up to the largest number there.
    lines = "\n".join(f"{tpn} 0 fs={2 if tpn <= 3 else 0}" for tpn in range(1, 7))
    meet_as(f"fide-1989\n{lines}", "1-2 3-4 5-6")


# -- 9.4, 11: the first scrutiny -------------------------------------------------------------------------------------


def test_article_9_4_eight_players():
    meet_as(first_round(8), "1-5 2-6 3-7 4-8")


@pytest.mark.parametrize(("barred", "pairs"), ARTICLE_11_2)
def test_article_11_2_exchanges_for_player_1(barred, pairs):
    meet_as(first_round(6, *barred), pairs)


@pytest.mark.parametrize(("barred", "pairs"), ARTICLE_11_3)
def test_article_11_3_exchanges_for_player_2(barred, pairs):
    meet_as(first_round(6, (1, 4), (1, 5), *barred), pairs)


@pytest.mark.parametrize(
    ("barred", "pairs"),
    [
        ("", "7-10 8-11 9-12"),
        ("9-12", "7-10 8-12 9-11"),
        ("9-12,8-12", "7-12 8-10 9-11"),
        ("9-12,8-12,7-12", "7-9 8-11 10-12"),
        ("9-12,8-12,7-12,10-12", "7-9 8-10 11-12"),
    ],
)
def test_article_11_1_b_below_the_median_from_the_bottom_up(barred, pairs):
    # All losers are due White, so no exchange can avoid a clash.
    winners = "\n".join(f"{tpn} 0 {tpn + 6}w1" for tpn in range(1, 7))
    losers = "\n".join(f"{tpn} 0 {tpn - 6}b0" for tpn in range(7, 13))
    meet_as(f"fide-1989 forbidden={barred}\n{winners}\n{losers}", f"1-4 2-5 3-6 {pairs}")


def test_article_11_4_who_has_nobody_is_moved_on():
    # 2 can only meet 3, whom 1 needs: 2 leaves the group with the largest number that can be spared.
    text = "fide-1989 forbidden=1-2,1-4,2-4\n1 0 F\n2 0 F\n3 0 F\n4 0 F\n5 0 Z\n6 0 Z"
    meet_as(text, "1-3 2-5 4-6")


# -- 12.2, 12.7: the second scrutiny -----------------------------------------------------------------------------------

EIGHT = """fide-1989 rounds={}
    1 2500 5w1
    2 2400 6b1
    3 2000 7w1
    4 {} 8b1
    5 1000 1b0
    6 1000 2w0
    7 1000 3b0
    8 1000 4w0"""


def test_article_12_2_opponents_are_exchanged_for_their_colours():
    pairs_as(EIGHT.format(3, 1900), "4-1 2-3 5-8 7-6")


@pytest.mark.parametrize(("rating_of_4", "pairs"), [(1900, "4-1 2-3 5-8 7-6"), (1899, "3-1 2-4 5-8 7-6")])
def test_article_12_7_only_within_100_points_in_a_maxi_event(rating_of_4, pairs):
    # The first scrutiny gives 1-3 and 2-4; with 2-3, 3 (2000) would be where 4 was, and 2 (2400) in 1's place (2500).
    pairs_as(EIGHT.format(2, rating_of_4), pairs)


def test_article_12_2_no_more_clashes_than_must_be():
    # Four due White, two due Black: one pair must clash, and the highest player gets the first opponent with a clash.
    text = """fide-1989
        1 0 7b1
        2 0 8b1
        3 0 9w1
        4 0 10b1
        5 0 11b1
        6 0 12w1
        7 0 1w0 | Z
        8 0 2w0 | Z
        9 0 3b0 | Z
        10 0 4w0 | Z
        11 0 5w0 | Z
        12 0 6b0 | Z"""
    meet_as(text, "1-4 2-6 3-5")


# -- 12, 13: colours ---------------------------------------------------------------------------------------------------


def two_players(first: str, second: str, *, rounds: int = 99) -> str:
    """Players 1 and 2 with these colours (a dot if not played), each against separate opponents, all drawn."""
    lines = {1: ["1 0"], 2: ["2 0"]}
    others: list[str] = []
    for player, colours in ((1, first), (2, second)):
        for index, colour in enumerate(colours):
            if colour == ".":
                lines[player].append("H")
                continue
            opponent = 10 * player + index
            lines[player].append(f"{opponent}{colour}=")
            cells = ["."] * len(colours)
            cells[index] = f"{player}{'b' if colour == 'w' else 'w'}="
            others.append(f"{opponent} 0 {' '.join(cells)} | Z")
    return "\n".join([f"fide-1989 rounds={rounds}", " ".join(lines[1]), " ".join(lines[2]), *others])


@pytest.mark.parametrize(
    ("first", "second", "board"),
    [
        ("wb", "bb", "2-1"),  # 12.3: 2 must have white, 1 is only due it
        ("bww", "wbb", "2-1"),  # both absolute, for different colours
        ("w", "b", "2-1"),  # 12.5: both get their due colour
        (".", "w", "1-2"),  # only 2 is due a colour
        ("w.", ".b", "2-1"),
        ("wbwb", "bwwb", "1-2"),  # 12.4: they first differ three games ago, when 1 had Black
        ("wb", ".b", "1-2"),  # 12.4: equal as far as the shorter history goes; in the median the smaller number
        ("wb", "wb", "1-2"),  # 12.4: identical
        (".", ".", "1-2"),  # 14.2: TPN 1 had white
    ],
)
def test_article_12_colours(first, second, board):
    pairs_as(two_players(first, second), board)


def test_article_12_4_below_the_median_the_larger_number_gets_the_due_colour():
    pairs_as("fide-1989\n1 0 3w0\n2 0 4w0\n3 0 1b1 | Z\n4 0 2b1 | Z", "1-2")
    pairs_as("fide-1989\n1 0 3w1\n2 0 4w1\n3 0 1b0 | Z\n4 0 2b0 | Z", "2-1")


def test_article_13_lifts_the_bar_of_colours_in_the_last_round_only():
    text = two_players("bwbb", "bwbb", rounds=6)
    does_not_pair(text, 1, 2)
    pairs_as(two_players("bwbb", "bwbb", rounds=5), "1-2")


# -- Order -------------------------------------------------------------------------------------------------------------


def test_another_order_replaces_the_numbers_everywhere_but_in_the_parity_of_colours():
    # From the other end: 6 is the highest and its TPN is even, so it gets the colour that TPN 1 did not get.
    upside_down = PlayerOrder(system="jahr", positions={tpn: 7 - tpn for tpn in range(1, 7)})
    made = pair_next_round(first_round(6), order=upside_down)
    assert [(game.white, game.black) for game in made.games] == [(3, 6), (5, 2), (1, 4)]
    assert made.system == "jahr"


def test_the_order_of_the_cards_is_irrelevant():
    snapshot = event(EIGHT.format(3, 1900))
    assert paired(replace(snapshot, cards=snapshot.cards[::-1])) == paired(snapshot)
