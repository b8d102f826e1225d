"""Article 10 and 9.6 of the FIDE Swiss rules of 1989: who floats, floaters' opponents, the blocked median.

Where only scores matter, players come by them through requested byes (F, H, Z), which leave no colours behind.
"""

from __future__ import annotations

import pytest

from pairing.engine.rules.players import PlayerOrder
from pairing.engine.systems.fide_1989.system import pair_next_round
from tests.pairing.builders import event, meet_as, pairs_as

# -- 10: who floats ----------------------------------------------------------------------------------------------------

THREE_WINNERS = """fide-1989 rounds={}
    1 2000 4w1
    2 2000 5w1
    3 {} 6b1
    4 1400 1b0
    5 1400 2b0
    6 1400 3w0"""


def test_article_10_2_due_colours_decide_then_numbers():
    pairs_as(THREE_WINNERS.format(3, 1500), "3-1 4-2 5-6")


@pytest.mark.parametrize(("rating_of_3", "pairs"), [(1900, "3-1 4-2 5-6"), (1899, "2-1 3-4 5-6")])
def test_article_10_2_within_100_points_in_a_maxi_event(rating_of_3, pairs):
    pairs_as(THREE_WINNERS.format(2, rating_of_3), pairs)


def test_article_10_2_numbers_where_colours_do_not_decide():
    # Downwards the largest number, upwards the smallest.
    meet_as("fide-1989\n1 0 F\n2 0 F\n3 0 F\n4 0 Z\n5 0 Z\n6 0 Z", "1-2 3-4 5-6")


def test_article_10_3_a_floater_should_have_an_opponent_there():
    text = "fide-1989{}\n1 0 F\n2 0 F\n3 0 F\n4 0 H"
    meet_as(text.format(""), "1-2 3-4")
    meet_as(text.format(" forbidden=3-4"), "1-3 2-4")


def test_article_10_3_two_floaters_need_two_opponents():
    # 1, 2, 3 and 4 can only meet as 1-2; two leave, and both need an opponent in the median group. Only 5 can meet 4.
    text = "fide-1989 forbidden=1-3,1-4,2-3,2-4,3-4,4-6\n1 0 F\n2 0 F\n3 0 F\n4 0 F\n5 0 H\n6 0 H"
    meet_as(text, "1-2 3-6 4-5")


def test_article_10_9_who_came_in_stays():
    # 1 floats from 2 points to the group of 1.5; from there 3 floats on, not 1.
    meet_as("fide-1989\n1 0 F F\n2 0 F H\n3 0 F H\n4 0 F Z", "1-2 3-4")


def test_article_10_10_who_floated_in_the_round_before_stays():
    # 5 had the bye in round 1: of the three on one point 2 floats.
    pairs_as("fide-1989\n1 0 3w1\n2 0 4b1\n3 0 1b0\n4 0 2w0\n5 0 U", "5-1 2-3 bye 4")


def test_article_10_5_on_to_the_next_group_with_residents():
    # Two points, and nobody on 1.5: the median group of one point is next.
    meet_as("fide-1989\n1 0 F F\n2 0 F Z\n3 0 F Z\n4 0 F Z", "1-2 3-4")


# -- 10.6 to 10.8: floaters that came in -------------------------------------------------------------------------------


def test_article_10_6_3_floaters_from_above_come_first_in_the_median():
    # Both want 3, the smallest number: 2 comes from above; 6, from below, gets the largest number left.
    meet_as("fide-1989\n2 0 F\n3 0 H\n4 0 H\n5 0 H\n6 0 H\n7 0 Z", "2-3 4-5 6-7")


def test_article_10_6_2_most_points_before_smallest_number():
    # 5 (2 points) and 1, 2 (1.5, who have met) move down to 3, 4, 6 and 7: 5 chooses first.
    text = """fide-1989 forbidden=1-2,1-5,2-5
        1 0 F H F
        2 0 F H F
        3 0 F H Z
        4 0 F H Z
        5 0 F F F
        6 0 F H Z
        7 0 Z Z Z
        8 0 Z Z Z"""
    meet_as(text, "1-4 2-6 3-5 7-8")


TO_HEAD = """fide-1989 rounds={}
    1 2400 8w1 F
    2 2300 9w1 H
    3 {} 10b1 H
    4 2100 11b1 H
    8 1000 1b0 Z
    9 1000 2b0 Z
    10 1000 3w0 Z
    11 1000 4w0 Z
    12 1000 . . | Z"""


def test_article_10_8_an_opponent_of_the_other_colour_first():
    meet_as(TO_HEAD.format(4, 2190), "1-3 2-4 8-10 9-11")


@pytest.mark.parametrize(("rating_of_3", "pairs"), [(2200, "1-3 2-4 8-10 9-11"), (2199, "1-2 3-4 8-10 9-11")])
def test_article_10_8_within_100_points_of_the_head_in_a_maxi_event(rating_of_3, pairs):
    meet_as(TO_HEAD.format(3, rating_of_3), pairs)


# -- 9.6: the blocked median -------------------------------------------------------------------------------------------


def test_article_9_6_more_from_above_so_the_group_below_gives_a_pair():
    text = "fide-1989 forbidden=1-4,2-4,3-4\n1 0 F\n2 0 F\n3 0 F\n4 0 H\n5 0 Z\n6 0 Z"
    meet_as(text, "1-2 3-5 4-6")


def test_article_9_6_more_from_below_so_the_group_above_gives_a_pair():
    text = "fide-1989 forbidden=4-5,4-6,4-7\n1 0 F\n2 0 F\n4 0 H\n5 0 Z\n6 0 Z\n7 0 Z"
    meet_as(text, "1-4 2-5 6-7")


def test_article_9_6_as_many_from_both_sides_so_the_group_above_gives_a_pair():
    text = "fide-1989 forbidden=3-4\n1 0 F\n2 0 F\n3 0 H\n4 0 H\n5 0 Z\n6 0 Z"
    meet_as(text, "1-3 2-4 5-6")


def test_article_9_6_the_pair_formed_last_is_split():
    text = "fide-1989 forbidden=5-6\n1 0 F\n2 0 F\n3 0 F\n4 0 F\n5 0 H\n6 0 H"
    meet_as(text, "1-3 2-5 4-6")


def test_article_9_6_when_a_side_has_no_pair_left_the_other_gives():
    text = "fide-1989 forbidden=3-4\n3 0 H\n4 0 H\n5 0 Z\n6 0 Z"
    meet_as(text, "3-5 4-6")


def test_no_event_is_a_maxi_event_under_another_order():
    snapshot = event(THREE_WINNERS.format(2, 1899))
    same = PlayerOrder(system="jahr", positions={tpn: tpn for tpn in range(1, 7)})
    made = pair_next_round(snapshot, order=same)
    assert [(game.white, game.black) for game in made.games] == [(3, 1), (4, 2), (5, 6)]
