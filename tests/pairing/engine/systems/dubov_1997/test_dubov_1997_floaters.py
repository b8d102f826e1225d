"""The Dubov system (FIDE 1997): who moves up, who floats down, and floaters' opponents (2.5, 6.4, 7.1, 7.2, 8).

Players are numbered in the order given; `score` parts them into groups. A dot among the colours of a player is an
upfloat in that round, so one at the end bars him from moving up now.
"""

from __future__ import annotations

import pytest

from tests.pairing.builders import meet_as
from tests.pairing.engine.systems.dubov_1997.players import Player, field, player

# -- 2.5: who may move up ------------------------------------------------------------------------------------------


def odd_group_above(candidate: Player, *others: Player) -> tuple[Player, ...]:
    """Three above, fewer of them due Black; 1 plays 3, and 2 plays whoever moves up. The candidate is the strongest."""
    above = player(1900, "b", 1000, score=2), player(1800, "b", 1100, score=2), player(1700, "w", score=2)
    return (*above, candidate, *(others or (player(1500, "w"), player(1400, "w"))))


def test_article_2_5_the_strongest_moves_up():
    meet_as(field(*odd_group_above(player(1600, "w"))), "1-3 2-4 5-6")


def test_article_2_5_not_twice_running():
    upfloated = player(1600, "bw", upfloats=[1])
    meet_as(field(*odd_group_above(upfloated)), "1-3 2-5 4-6")


def test_article_2_5_twice_with_a_round_between():
    meet_as(field(*odd_group_above(player(1600, "bbww", upfloats=[1, 2])), rounds=9), "1-3 2-4 5-6")


@pytest.mark.parametrize(
    ("rounds", "expected"),
    [
        (None, "1-3 2-5 4-6"),
        (9, "1-3 2-5 4-6"),
        (10, "1-3 2-4 5-6"),
        (6, "1-3 2-4 5-6"),  # the last round
    ],
)
def test_article_2_5_three_times_in_all_or_four_in_a_long_event(rounds, expected):
    meet_as(field(*odd_group_above(player(1600, "wbwbw", upfloats=[0, 1, 2])), rounds=rounds), expected)


def test_article_2_5_four_times_are_enough_in_a_long_event_too():
    meet_as(field(*odd_group_above(player(1600, "wbwbw", upfloats=[0, 1, 2, 3])), rounds=10), "1-3 2-5 4-6")


def test_article_2_5_an_upfloat_by_forfeit_counts():
    meet_as(field(*odd_group_above(player(1600, "w."))), "1-3 2-5 4-6")


# -- 7.1: players without an opponent ------------------------------------------------------------------------------


def test_article_7_1_due_the_other_colour_before_a_higher_rating():
    below = player(1800, "b"), player(1600, "w"), player(1500, "w")
    meet_as(field(player(1700, "b", score=2), *below), "1-3 2-4")


def test_article_7_1_due_no_colour_suits_everyone():
    below = player(1800), player(1600, "w"), player(1500, "w")
    meet_as(field(player(1700, "b", score=2), *below), "1-2 3-4")


def test_article_7_1_of_equal_rating_the_lower_aro():
    below = player(1600, "w", 2000), player(1600, "w", 1900), player(1600, "w", 2000)
    meet_as(field(player(1700, "b", score=2), *below), "1-3 2-4")


def test_article_7_1_all_equal_the_smaller_number():
    meet_as(field(player(1700, "b", score=2), *[player(1600, "w", 2000)] * 3), "1-2 3-4")


def test_article_7_1_the_nearest_group_where_anyone_will_do():
    below = player(1300, "b", score=1), player(1800, "w"), player(1700, "w")
    meet_as(field(player(1700, "b", score=2), *below), "1-2 3-4")
    # Nobody in the next group is suitable: the floater comes from further down, and then 2 is alone.
    meet_as(field(player(1700, "b", score=2), *below, forbidden=[(1, 2)]), "1-3 2-4")


def test_article_7_1_the_others_must_keep_a_legal_round():
    below = player(1600, "w"), player(1500, "w"), player(1400, "w")
    meet_as(field(player(1700, "b", score=2), *below, forbidden=[(3, 4)]), "1-3 2-4")


def test_article_7_1_the_highest_rating_chooses_first_and_the_pairs_are_not_fixed():
    # 3 moves up for 1 and 4 for 2; in the columns 2 is first by ARO and gets 3.
    above = player(1800, "b", 2000, score=2), player(1700, "b", 1000, score=2)
    below = player(1600, "w"), player(1500, "w"), player(1400, "w"), player(1300, "w")
    meet_as(field(*above, *below, forbidden=[(1, 2)]), "1-4 2-3 5-6")


def test_article_7_1_who_gets_nobody_floats_down():
    # Nobody may move up twice running: 1 joins the lower group, where 2 is the strongest suitable opponent.
    below = player(1600, "bw", upfloats=[1]), player(1500, "w."), player(1400, "w.")
    meet_as(field(player(1700, "b", score=2), *below), "1-2 3-4")


def test_article_7_1_a_floater_without_an_opponent_floats_on():
    # 1 has no opponent in the second group either, and nobody below may move up.
    second = player(1600, "w.", score=1), player(1500, "w.", score=1)
    third = player(1400, "w."), player(1300, "w."), player(1200, "w.")
    forbidden = [(1, 2), (1, 3)]
    meet_as(field(player(1700, "b", score=2), *second, *third, forbidden=forbidden), "1-4 2-3 5-6")


# -- 7.2: an odd number --------------------------------------------------------------------------------------------


def test_article_7_2_due_the_colour_of_the_fewer_before_a_higher_rating():
    meet_as(field(*odd_group_above(player(1600, "b"))), "1-3 2-5 4-6")


def test_article_7_2_due_no_colour_is_not_due_the_colour_of_the_fewer():
    meet_as(field(*odd_group_above(player(1600))), "1-3 2-5 4-6")


def test_article_7_2_equally_many_due_each_colour_nobody_is_asked():
    # 4 is the strongest, and due White like 1. 3, due no colour, goes to the shorter, black column, below 2.
    above = player(1900, "b", 1000, score=2), player(1800, "w", score=2), player(1700, score=2)
    taken = field(*above, player(1600, "b", 1100), player(1500, "w"), player(1400, "w"))
    meet_as(taken, "1-2 3-4 5-6")


def test_article_7_2_of_equal_rating_the_lower_aro_then_the_smaller_number():
    others = player(1600, "w", 1400), player(1600, "w", 1400)
    meet_as(field(*odd_group_above(player(1600, "w", 1500), *others)), "1-3 2-5 4-6")
    meet_as(field(*odd_group_above(player(1600, "w", 1400), *others)), "1-3 2-4 5-6")


def test_article_7_2_who_has_met_all_of_them_does_not_help():
    snapshot = field(*odd_group_above(player(1600, "w")), forbidden=[(1, 4), (2, 4), (3, 4)])
    meet_as(snapshot, "1-3 2-5 4-6")


def test_article_7_2_the_group_must_be_pairable_with_the_floater():
    # 1 and 3 have met: the floater must be able to play one of them, and 4 could only play 2.
    snapshot = field(*odd_group_above(player(1600, "w")), forbidden=[(1, 3), (1, 4), (3, 4)])
    meet_as(snapshot, "1-5 2-3 4-6")


def test_article_7_2_the_lower_groups_must_be_pairable_without_the_floater():
    snapshot = field(*odd_group_above(player(1600, "w")), forbidden=[(5, 6)])
    meet_as(snapshot, "1-3 2-5 4-6")


def test_article_7_2_the_nearest_group_where_anyone_will_do():
    above = player(1900, "b", 1000, score=2), player(1800, "b", 1100, score=2), player(1700, "w", score=2)
    below = player(1300, "b", score=1), player(1600, "w"), player(1500, "w")
    # 4 moves up, though due White like most: three whites are one too many, and 1 has the lowest ARO.
    meet_as(field(*above, *below), "1-2 3-4 5-6")
    # 4 may not move up twice running, so 5 does. Then 4 is alone, and 6 moves up to play 4.
    barred = player(1300, "wb", score=1, upfloats=[1])
    meet_as(field(*above, barred, *below[1:]), "1-3 2-5 4-6")


# -- 6.4: who floats down ------------------------------------------------------------------------------------------

BELOW = (player(1400, "w."), player(1300, "b."), player(1200, "w."))
"""Three who may not move up; the first and the third suit a floater who is due White."""


def three_above(*ratings_and_aros: tuple[int, int]) -> tuple[Player, ...]:
    return tuple(player(rating, "b", aro, score=2) for rating, aro in ratings_and_aros)


def test_article_6_4_the_lowest_rating_floats():
    meet_as(field(*three_above((1800, 1500), (1500, 1500), (1700, 1500)), *BELOW), "1-3 2-4 5-6")


def test_article_6_4_of_equal_rating_the_higher_aro():
    meet_as(field(*three_above((1800, 1500), (1600, 1600), (1600, 1500)), *BELOW), "1-3 2-4 5-6")


def test_article_6_4_all_equal_the_larger_number():
    meet_as(field(*three_above((1800, 1500), (1600, 1500), (1600, 1500)), *BELOW), "1-2 3-4 5-6")


def test_article_6_4_those_who_stay_must_be_pairable():
    above = three_above((1800, 1500), (1500, 1500), (1700, 1500))
    meet_as(field(*above, *BELOW, forbidden=[(1, 3)]), "1-2 3-4 5-6")


def test_article_6_4_those_below_must_be_pairable_with_the_floater():
    # 5 can only play 3.
    above = three_above((1800, 1500), (1500, 1500), (1700, 1500))
    forbidden = [(1, 5), (2, 5), (4, 5), (5, 6)]
    meet_as(field(*above, *BELOW, forbidden=forbidden), "1-2 3-5 4-6")


LOWEST = player(1000, "b.", score=-2)


def test_article_6_4_first_who_has_an_opponent_in_the_next_group():
    # 2 has the lowest rating but could only play 6, who is not in the next group. So 3 floats, then 5.
    next_group = player(1400, "w."), player(1300, "w.")
    snapshot = field(
        *three_above((1800, 1500), (1500, 1500), (1700, 1500)), *next_group, LOWEST, forbidden=[(2, 4), (2, 5)]
    )
    meet_as(snapshot, "1-2 3-4 5-6")


def test_article_6_4_who_came_down_floats_last():
    # 3 moves down and has the lowest rating of the new group; of the players who belong there 5 floats.
    next_group = player(1400, "w."), player(1300, "w.")
    snapshot = field(*three_above((1800, 1500), (1700, 1500), (1100, 1500)), *next_group, LOWEST)
    meet_as(snapshot, "1-2 3-4 5-6")


def test_article_6_4_as_few_as_possible():
    # Two in the lower group must not meet: exactly two move down to them, those with the lowest ratings.
    above = (
        player(1800, "b", score=2),
        player(1700, "w", score=2),
        player(1600, "b", score=2),
        player(1500, "w", score=2),
    )
    below = player(1400, "w."), player(1300, "b.")
    meet_as(field(*above, *below, forbidden=[(5, 6)]), "1-2 3-5 4-6")


def test_article_6_4_a_set_that_suits_both_sides_where_the_first_of_either_does_not():
    # 1 and 2 must not meet, nor 3 and 4, so one of each pair stays; the list 1500, 1700 is the lowest.
    above = tuple(player(rating, "b", score=2) for rating in (1800, 1700, 1600, 1500))
    below = player(1400, "w."), player(1300, "w.")
    snapshot = field(*above, *below, forbidden=[(1, 2), (3, 4), (5, 6), (4, 5)])
    meet_as(snapshot, "1-3 2-5 4-6")


def test_article_6_4_one_of_a_worse_kind_outweighs_all_ratings():
    # Two must float: one of 1 and 2, one of 3 and 4. 4 has the lowest rating, but opponents only further down (7, 8).
    # 5 must play one of the floaters; the other leaves 6 for one of the three below 5. In the next group 3 is the first
    # of the two white floaters: they have the same ARO, and 3 has the lower rating.
    above = tuple(player(rating, "b", score=2) for rating in (1800, 1700, 1600, 1500))
    next_group = player(1400, "w."), player(1300, "w.")
    lowest = player(1200, "w.", score=-2), player(1100, "w.", score=-2)
    forbidden = [(1, 2), (3, 4), (4, 5), (4, 6), (5, 6), (5, 7), (5, 8)]
    meet_as(field(*above, *next_group, *lowest, forbidden=forbidden), "1-4 2-6 3-5 7-8")


def test_article_6_4_nobody_for_whom_another_was_moved_up():
    # 4 moves up for 1, who can play nobody above; 2 and 3 have met and nobody else may move up, so both float.
    above = tuple(player(rating, "b", score=2) for rating in (1800, 1700, 1600))
    below = player(900, "w"), player(1400, "w."), player(1300, "w.")
    meet_as(field(*above, *below, forbidden=[(1, 2), (1, 3), (2, 3)]), "1-4 2-6 3-5")


# -- 8: the floaters that came down --------------------------------------------------------------------------------


def two_floaters(first: str, second: str, *residents: Player) -> tuple[Player, ...]:
    """1 and 2 must not meet, and nobody may move up to them: both move down."""
    return player(1800, first, score=2), player(1700, second, score=2), *residents


def test_article_8_1_the_white_floater_first():
    # 3 suits both, as 3 is due no colour, and is the strongest.
    residents = player(1600, "."), player(1500, "."), player(1400, "."), player(1300, ".")
    meet_as(field(*two_floaters("w", "b", *residents), forbidden=[(1, 2)]), "1-4 2-3 5-6")
    meet_as(field(*two_floaters("b", "w", *residents), forbidden=[(1, 2)]), "1-3 2-4 5-6")


def test_article_8_1_white_floaters_by_their_aro():
    residents = player(1600, "."), player(1500, "."), player(1400, "."), player(1300, ".")
    floaters = player(1800, "b", 2000, score=2), player(1700, "b", 1900, score=2)
    meet_as(field(*floaters, *residents, forbidden=[(1, 2)]), "1-4 2-3 5-6")


def test_article_8_1_black_floaters_by_their_rating():
    residents = player(1600, "."), player(1500, "."), player(1400, "."), player(1300, ".")
    floaters = player(1700, "w", 2000, score=2), player(1800, "w", 1900, score=2)
    meet_as(field(*floaters, *residents, forbidden=[(1, 2)]), "1-4 2-3 5-6")


def test_article_8_1_without_due_colour_the_first_by_rating_is_white():
    # Only forfeits: 2 has the higher rating and goes to the white column, 1 to the black one.
    residents = player(1600, "."), player(1500, "."), player(1400, "."), player(1300, ".")
    floaters = player(1700, score=2), player(1800, score=2)
    meet_as(field(*floaters, *residents, forbidden=[(1, 2)]), "1-4 2-3 5-6")


def one_floater(colours: str, *residents: Player) -> tuple[Player, ...]:
    return player(1800, colours, score=2), *residents


def test_article_8_2_due_the_other_colour_before_a_higher_rating():
    residents = player(1700, "b."), player(1600, "w."), player(1500, "w.")
    meet_as(field(*one_floater("b", *residents)), "1-3 2-4")


def test_article_8_2_of_equal_rating_the_lowest_aro():
    residents = player(1600, "w.", (2000, 2000)), player(1600, "w.", (1900, 1900)), player(1600, "w.", (2000, 2000))
    meet_as(field(*one_floater("b", *residents)), "1-3 2-4")


def test_article_8_2_all_equal_the_smallest_number():
    meet_as(field(*one_floater("b", *[player(1600, "w.")] * 3)), "1-2 3-4")


def test_article_8_2_the_rest_must_stay_pairable():
    residents = player(1600, "w."), player(1500, "w."), player(1400, "w.")
    meet_as(field(*one_floater("b", *residents), forbidden=[(3, 4)]), "1-3 2-4")
