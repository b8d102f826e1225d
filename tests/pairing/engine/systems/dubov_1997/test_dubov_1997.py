"""The Dubov system (FIDE 1997): byes, colours, the first round. Other files test groups, columns and reasons.

In the fields players are numbered in the order given. `player(1800, "wb", 2010)` is rated 1800, had White, then Black,
and met opponents rated 2010; he is due White.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest

from pairing.engine.snapshot import Colour, TournamentSnapshot
from pairing.engine.systems.dubov_1997 import (
    average_opponent_ratings,
    downfloaters,
    format_mixed_number,
    round_to_one_decimal,
)
from pairing.engine.trf import read_trf, snapshot_from_trf
from tests.pairing.builders import does_not_pair, event, first_round, meet_as, paired, pairs_as
from tests.pairing.engine.literal import dubov_1997, notation
from tests.pairing.engine.literal.compare import by_engine
from tests.pairing.engine.literal.facts import NoLegalRound
from tests.pairing.engine.systems.dubov_1997.players import field, player

SYSTEM = "dubov-1997"

# -- No legal round ------------------------------------------------------------------------------------------------


def test_two_who_have_met_have_no_legal_round():
    does_not_pair("dubov-1997\n1 0 2w1\n2 0 1b0", 1, 2)


def test_absolute_colours_hold_in_the_last_round_too():
    does_not_pair(field(player(1500, "bb"), player(1500, "bb"), rounds=3), 1, 2)


def test_nobody_left_whom_the_bye_is_permitted():
    does_not_pair("dubov-1997\n1 0 U", 1)


def test_a_forfeited_pairing_may_be_made_again():
    meet_as("dubov-1997\n1 0 2+\n2 0 1-", "1-2")


def test_an_empty_round_is_no_error():
    assert paired("dubov-1997\n1 0 F | Z").games == ()


# -- 1, 9: ARO -----------------------------------------------------------------------------------------------------


def test_aro_counts_played_games_only():
    snapshot = event(
        """dubov-1997
        1 1500 2w1 3bW 4w+ U
        2 2000 1b0 Z   Z   Z | Z
        3 1901 Z   1wL Z   Z
        4 2800 Z   Z   1b- Z
        5 1700 H   .   F   -"""
    )
    assert average_opponent_ratings(snapshot) == {1: Fraction(3901, 2), 2: 1500, 3: 1500, 4: 0, 5: 0}


def test_aro_counts_an_opponent_met_twice_twice():
    snapshot = event("dubov-1997\n1 0 2w1 2b= 3w1\n2 2000 1b0 1w= .\n3 1000 . . 1b0")
    assert average_opponent_ratings(snapshot)[1] == Fraction(5000, 3)


@pytest.mark.parametrize(
    ("average", "shown"),
    [
        (Fraction(0), "0.0"),
        (Fraction(7033, 3), "2344.3"),
        (Fraction(23445, 10), "2344.5"),
        (Fraction(234425, 100), "2344.3"),
        (Fraction(234424, 100), "2344.2"),
        (Fraction(4689, 2), "2344.5"),
        (Fraction(46919, 20), "2346.0"),
    ],
)
def test_article_9_the_list_has_one_decimal_half_a_tenth_up(average, shown):
    assert round_to_one_decimal(average) == Decimal(shown)
    assert str(round_to_one_decimal(average)) == shown


def test_averages_in_full():
    assert format_mixed_number(Fraction(7033, 3)) == "2344 1/3"
    assert format_mixed_number(Fraction(2344)) == "2344"


# -- 1: due colours ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("colours", ["b", "wb", "bwb", "wwbb", "wbwbb"])
def test_article_1_due_white(colours):
    """More games with Black, or equally many and the latest with Black."""
    pairs_as(field(player(1400), player(1500, colours)), "2-1")


@pytest.mark.parametrize("colours", ["w", "bw", "wbw", "bbww", "bwbww"])
def test_article_1_due_black(colours):
    pairs_as(field(player(1600), player(1500, colours)), "1-2")


# -- 2.2, 4: the bye -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("third", "bye"), [("+", 2), ("U", 2), ("F", 2), ("H", 3), ("Z", 3), ("-", 3)])
def test_article_2_2_a_point_without_play_bars(third, bye):
    """All three differ only in how the third got points: the largest number would get the bye."""
    assert paired(field(*[player(1500)] * 2, player(1500, without_play=third))).bye.player == bye


def test_article_4_the_lowest_rating_rests():
    assert paired(field(player(1800), player(1500), player(1600))).bye.player == 2


def test_article_4_the_lowest_group_rests():
    assert paired(field(player(1200, score=1), player(1800), player(1100, score=1))).bye.player == 2


def test_article_4_equal_ratings_the_dominating_colour_rests():
    # Two of three are due Black: of 1 and 2 it is 2, though 1 has the higher ARO.
    assert paired(field(player(1500, "b", 2000), player(1500, "w"), player(1800, "w"))).bye.player == 2


def test_article_4_domination_counts_those_who_may_not_rest():
    # Without 3, equal numbers would be due each colour, and the larger number would get the bye.
    taken = field(player(1500, "b"), player(1500, "w"), player(1400, "b", without_play="F"))
    assert paired(taken).bye.player == 1


def test_article_4_who_is_due_no_colour_does_not_dominate():
    assert paired(field(player(1500, "b", 0), player(1500), player(1800, "b"))).bye.player == 1


def test_article_4_no_domination_the_higher_aro_rests():
    taken = field(player(1500, "b", 2000), player(1500, "w", 1900), player(1600))
    assert paired(taken).bye.player == 1


def test_article_4_all_equal_the_larger_number_rests():
    assert paired(field(player(1500, "b"), player(1500, "b"), player(1800, "b"))).bye.player == 2


def test_article_4_a_bye_that_leaves_no_legal_round_is_not_given():
    meet_as(field(player(1800), player(1700), player(1500), forbidden=[(1, 2)]), "1-3 bye 2")


def test_article_4_the_next_group_when_nobody_of_the_lowest_may_rest():
    taken = field(player(1800, score=2), player(1900, score=1), player(1500, without_play="U"))
    assert paired(taken).bye.player == 2


# -- 3: colours ----------------------------------------------------------------------------------------------------


def test_article_3_1_both_due_colours():
    pairs_as(field(player(1800, "w", 2000), player(1500, "b")), "2-1")


def test_article_3_2_the_greater_difference():
    # Both are due White: 2 has had Black once more than White, 1 equally often.
    pairs_as(field(player(1800, "wb", 2000), player(1500, "b")), "2-1")


def test_article_3_an_absolute_preference_stands_before_the_difference():
    # 2 had Black twice running, but equally often; 1 has a difference but no absolute preference.
    pairs_as(field(player(1800, "b", 2000), player(1500, "wwbb")), "2-1")


def test_article_3_3_the_latest_place_where_the_histories_differ():
    # Three games ago one had White and the other Black; the ARO would give White to the former.
    pairs_as(field(player(1800, "bbwwb", 2000), player(1500, "bwbwb")), "2-1")
    pairs_as(field(player(1800, "bwbwb"), player(1500, "bbwwb", 2000)), "1-2")


def test_article_3_3_stops_where_the_shorter_history_ends():
    # "b" and "bwb" both differ by one and agree as far as both go: the ARO decides.
    pairs_as(field(player(1800, "bwb", 2000), player(1500, "b", 1900)), "1-2")


def test_article_3_4_white_to_the_higher_aro():
    pairs_as(field(player(1500, "b", 1900), player(1800, "b", (1901,))), "2-1")
    pairs_as(field(player(1500, "b", 1901), player(1800, "b", 1900)), "1-2")
    pairs_as(field(player(1500, "w", 1901), player(1800, "w", 1900)), "1-2")


def test_article_3_4_compares_fractions():
    # 1900 1/3 against 1900 2/5; in the games that both have, they had the same colours.
    three = player(1500, "bwb", (1900, 1900, 1901))
    five = player(1800, "wbbwb", (1901, 1901, 1900, 1900, 1900))
    pairs_as(field(three, five), "2-1")


def test_article_3_5_white_to_the_lower_rating():
    pairs_as(field(player(1800, "b"), player(1500, "b")), "2-1")
    pairs_as(field(player(1800), player(1500)), "2-1")


def test_article_3_all_equal_white_to_the_larger_number():
    pairs_as(field(player(1500, "w"), player(1500, "w")), "2-1")


def test_article_3_who_was_moved_for_balance_has_no_claim_from_it():
    # Both are due White. 2 has the lower ARO and goes to the black column; by 3.4 alone 1 would still get White,
    # but 2 has the greater difference.
    pairs_as(field(player(1800, "wb", 2000), player(1700, "b", 1000)), "2-1")


# -- 5: the first round --------------------------------------------------------------------------------------------


def test_article_5_top_half_against_bottom_half():
    pairs_as(first_round(8, system=SYSTEM), "1-5 6-2 3-7 8-4")
    pairs_as(first_round(8, system=SYSTEM, colour=Colour.BLACK), "5-1 2-6 7-3 4-8")


def test_article_5_colours_go_by_the_position_of_those_present():
    pairs_as("dubov-1997\n1 0\n2 0 | Z\n3 0\n4 0\n5 0", "1-4 5-3")


def test_article_5_the_last_of_the_list_rests():
    meet_as("dubov-1997\n1 1000\n2 2000\n3 2000", "1-2 bye 3")
    meet_as(first_round(3, (1, 2), system=SYSTEM), "1-3 bye 2")


def test_article_5_with_acceleration_the_last_of_the_lowest_group_rests():
    meet_as("dubov-1997\n1 0\n2 0 fs=2\n3 0\n4 0 fs=2\n5 0 fs=2\n6 0 fs=2\n7 0 fs=2", "1-5 2-6 4-7 bye 3")


def test_article_5_barred_pairs_take_the_bottom_half_from_its_top():
    pairs_as(first_round(6, (1, 4), system=SYSTEM), "1-5 4-2 3-6")


def test_article_5_barred_pairs_take_the_top_half_from_its_bottom():
    pairs_as(first_round(6, (1, 4), (1, 5), (1, 6), system=SYSTEM), "1-3 4-2 5-6")


def test_article_5_every_choice_leaves_the_rest_a_round():
    # 3 can only play 4, so 1 may not get 4.
    pairs_as(first_round(6, (3, 5), (3, 6), (1, 3), (2, 3), system=SYSTEM), "1-5 6-2 3-4")


def test_article_5_each_group_of_an_acceleration_for_itself():
    text = "\n".join([SYSTEM, *(f"{tpn} 0 fs={2 if tpn < 5 else 0}" for tpn in range(1, 9))])
    pairs_as(text, "1-3 4-2 5-7 8-6")


def test_article_5_an_odd_group_of_an_acceleration_takes_the_highest_rating_from_below():
    ratings = {4: 1500, 5: 1400, 6: 1600, 7: 1400, 8: 1400}
    text = "\n".join([SYSTEM, *(f"{tpn} {ratings.get(tpn, 2000)} fs={2 if tpn < 4 else 0}" for tpn in range(1, 9))])
    pairs_as(text, "1-3 6-2 4-7 8-5")


# -- Cramped fields ------------------------------------------------------------------------------------------------


def cramped(seed: int) -> TournamentSnapshot:
    """Few ratings, AROs and colours, many forbidden pairs, and some who may not move up."""
    dice = Random(seed)
    players = [
        player(
            dice.choice((1500, 1600, 1700)),
            dice.choice(("", "w", "b", "wb", "bb", "w.")),
            dice.choice((1500, 1600)),
            score=dice.choice((0, 0, 1, 2)),
        )
        for _ in range(dice.randint(8, 11))
    ]
    share = dice.choice((0.2, 0.4, 0.6))
    numbers = range(1, len(players) + 1)
    return field(*players, forbidden=[pair for pair in combinations(numbers, 2) if dice.random() < share])


def test_cramped_fields_are_paired_as_the_literal_transcription_pairs_them(monkeypatch):
    """Many events in which the floaters must suit the group and those below, and the first set of neither does."""
    crossings = []

    def cheapest_crossing(*arguments):
        crossings.append(crossing(*arguments))
        return crossings[-1]

    crossing = downfloaters.find_cheapest_floaters
    monkeypatch.setattr(downfloaters, "find_cheapest_floaters", cheapest_crossing)
    for seed in range(600):
        snapshot = cramped(seed)
        try:
            expected = dubov_1997.pair(snapshot)
        except NoLegalRound:
            expected = None
        assert by_engine(snapshot) == expected, notation.written(snapshot)
    assert len(crossings) >= 10
    assert {len(out) for out in crossings} >= {2, 3}


# -- Real events ---------------------------------------------------------------------------------------------------


def test_real_events_are_paired(event_files):
    for path in sorted(event_files.glob("*.trf")):
        taken = snapshot_from_trf(read_trf(path.read_bytes(), name=path.name), system=SYSTEM)
        present = sorted(card.tpn for card in taken.cards if card.unavailable is None)
        made = paired(taken)
        seated = [tpn for game in made.games for tpn in (game.white, game.black)]
        assert sorted(seated + ([made.bye.player] if made.bye else [])) == present, path.name
