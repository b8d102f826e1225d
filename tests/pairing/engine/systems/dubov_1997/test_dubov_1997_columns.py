"""The Dubov system (FIDE 1997): the columns and their pairing (6.1, 6.2, 6.3, 7.3, 7.4, 2.6), the document's example.

Players are numbered in the order given.
"""

from __future__ import annotations

import pytest

from pairing.engine.systems.dubov_1997 import average_opponent_ratings, round_to_one_decimal
from tests.pairing.builders import meet_as, paired
from tests.pairing.engine.systems.dubov_1997.players import field, player

# -- 6.1, 6.2, 6.3: columns and their pairing ----------------------------------------------------------------------


def exact(tenths: int) -> tuple[int, ...]:
    """Ten opponents with a mean rating of so many tenths."""
    whole, higher = divmod(tenths, 10)
    return (whole,) * (10 - higher) + (whole + 1,) * higher


EXAMPLE = (
    # The black column of the example by ratings and the white one by AROs, unsorted.
    player(2380, "bw" * 5),
    player(2365, "bw" * 5),
    player(2310, "wb" * 5, exact(23405)),
    player(2305, "wb" * 5, exact(23100)),
    player(2300, "bw" * 5),
    player(2290, "wb" * 5, exact(23446)),
    player(2285, "wb" * 5, exact(23223)),
    player(2280, "bw" * 5),
    player(2275, "wb" * 5, exact(23184)),
    player(2270, "wb" * 5, exact(23337)),
    player(2260, "bw" * 5),
    player(2250, "bw" * 5),
)


def test_article_6_2_the_example_of_the_document():
    """2310.0-2380, 2318.4-2365, 2322.3-2300, 2333.7-2280, 2340.5-2260, 2344.6-2250."""
    snapshot = field(*EXAMPLE)
    averages = average_opponent_ratings(snapshot)
    ratings = {card.tpn: card.rating for card in snapshot.cards}
    pairs = sorted(
        (str(round_to_one_decimal(averages[game.white])), ratings[game.black]) for game in paired(snapshot).games
    )
    assert pairs == [
        ("2310.0", 2380),
        ("2318.4", 2365),
        ("2322.3", 2300),
        ("2333.7", 2280),
        ("2340.5", 2260),
        ("2344.6", 2250),
    ]


def test_article_6_3_the_example_with_a_pair_that_must_not_meet():
    """2310.0 (number 4) may not play 2380 (1): 4 gets the next black, 2365, and 2318.4 (9) gets 2380."""
    meet_as(field(*EXAMPLE, forbidden=[(1, 4)]), "1-9 2-4 3-11 5-7 6-12 8-10")


def test_article_6_2_whites_of_equal_aro_by_the_lower_rating():
    meet_as(field(player(1600, "b", 2000), player(1500, "b", 2000), player(1900, "w"), player(1800, "w")), "1-4 2-3")


def test_article_6_2_whites_equal_in_both_by_the_smaller_number():
    meet_as(field(player(1500, "b", 2000), player(1500, "b", 2000), player(1900, "w"), player(1800, "w")), "1-3 2-4")


def test_article_6_2_blacks_of_equal_rating_by_the_higher_aro():
    blacks = player(1800, "w", 2000), player(1800, "w", 2100)
    meet_as(field(player(1500, "b", 1900), player(1500, "b", 2000), *blacks), "1-4 2-3")


def test_article_6_2_blacks_equal_in_both_by_the_smaller_number():
    blacks = player(1800, "w", 2000), player(1800, "w", 2000)
    meet_as(field(player(1500, "b", 1900), player(1500, "b", 2000), *blacks), "1-3 2-4")


WHITES = (player(1500, "b", 1900), player(1500, "b", 2000), player(1500, "b", 2100))
BLACKS = (player(1900, "w"), player(1800, "w"), player(1700, "w"))


@pytest.mark.parametrize(
    ("forbidden", "expected"),
    [
        ([], "1-4 2-5 3-6"),
        ([(1, 4)], "1-5 2-4 3-6"),
        ([(3, 6)], "1-4 2-6 3-5"),  # the row before the last one changes
        ([(3, 6), (2, 6)], "1-6 2-4 3-5"),  # and if that is not enough, the one before
        ([(1, 4), (1, 5)], "1-6 2-4 3-5"),
        ([(2, 5), (2, 6)], "1-5 2-4 3-6"),  # 1 leaves 4 to 2
    ],
)
def test_article_6_3_the_first_black_who_leaves_the_rest_a_pairing(forbidden, expected):
    meet_as(field(*WHITES, *BLACKS, forbidden=forbidden), expected)


def test_article_6_3_a_white_who_has_met_all_blacks_plays_the_next_white():
    whites = (*WHITES, player(1500, "b", 2200))
    blacks = (*BLACKS, player(1600, "w"))
    met_all = [(1, 5), (1, 6), (1, 7), (1, 8)]
    meet_as(field(*whites, *blacks, forbidden=met_all), "1-2 3-5 4-6 7-8")
    meet_as(field(*whites, *blacks, forbidden=[*met_all, (1, 2)]), "1-3 2-5 4-6 7-8")


def test_article_6_3_as_few_pairs_inside_a_column_as_can_be():
    # 1 can only have 4, so 2 has no black: two pairs inside the columns are needed, and no more than that.
    forced = [(1, 5), (1, 6), (1, 2), (1, 3), (2, 5), (2, 6)]
    meet_as(field(*WHITES, *BLACKS, forbidden=forced), "1-4 2-3 5-6")


def test_article_6_1_without_due_colour_to_the_shorter_column():
    # 1 and 2 go to the black column, then both are equally long: 3 is white, 4 black. 3 has no games, so ARO 0.
    taken = field(
        player(1700),
        player(1600),
        player(1500),
        player(1400),
        player(1300, "b", 1900),
        player(1300, "b", 2000),
    )
    meet_as(taken, "1-3 2-5 4-6")


def test_article_7_3_surplus_whites_with_the_lowest_aro_are_moved():
    aro = (2100, 2000, 1900, 1800)
    taken = field(*(player(rating, "b", aro[place]) for place, rating in enumerate((1800, 1700, 1600, 1500))))
    meet_as(taken, "1-4 2-3")


def test_article_7_3_of_equal_aro_the_higher_rating_is_moved():
    # 1 is moved and is first in the black column; 2 would be below 4.
    whites = player(1700, "b", 1900), player(1600, "b", 1900), player(1500, "b", 2000)
    meet_as(field(*whites, player(1650, "w")), "1-2 3-4")


def test_article_7_3_of_equal_aro_and_rating_the_smaller_number_is_moved():
    # 1 is moved and is below 4; the first white is 2.
    whites = player(1700, "b", 1900), player(1700, "b", 1900), player(1500, "b", 2000)
    meet_as(field(*whites, player(1750, "w")), "1-3 2-4")


def test_article_7_4_surplus_blacks_with_the_highest_aro_are_moved():
    # 2 is moved, the second white after 4.
    blacks = player(1700, "w", 1900), player(1600, "w", 2100), player(1650, "w", 2000)
    meet_as(field(*blacks, player(1500, "b", 1950)), "1-4 2-3")


def test_article_7_4_of_equal_aro_the_lower_rating_is_moved():
    blacks = player(1700, "w", 2000), player(1600, "w", 2000), player(1650, "w", 1900)
    meet_as(field(*blacks, player(1500, "b", 1950)), "1-4 2-3")


def test_article_7_4_of_equal_aro_and_rating_the_smaller_number_is_moved():
    blacks = player(1700, "w", 2000), player(1700, "w", 2000), player(1650, "w", 1900)
    meet_as(field(*blacks, player(1500, "b", 1950)), "1-3 2-4")


def test_article_2_6_who_must_have_white_is_not_moved():
    # 1 has the lowest ARO but has had Black twice running: the next player, 2, is moved.
    whites = player(1700, "bb", 1800), player(1600, "b", 1900), player(1500, "b", 2000)
    meet_as(field(*whites, player(1650, "w")), "1-4 2-3")
