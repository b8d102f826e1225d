"""The first Dutch system (1992): brackets, look-ahead, floats, the bye, the last round.

Where only scores matter, players come by them through requested byes (F, H, Z), which leave no colours behind.
`with_colours` gives players colours by games against others who are absent now.
"""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations

import pytest

from pairing.engine.paired_round import PairingImpossible, ReasonKind
from pairing.engine.rules.players import PlayerOrder
from pairing.engine.snapshot import Colour, PairingCard, Result, RoundRecord, TournamentSnapshot
from pairing.engine.systems import PAIRING_SYSTEMS
from pairing.engine.systems.dutch_1992.system import pair_next_round
from pairing.engine.trf import read_trf, snapshot_from_trf
from tests.pairing.builders import does_not_pair, first_round, meet_as, paired, pairs_as
from tests.pairing.engine.literal import dutch_1992
from tests.pairing.engine.literal.facts import NoLegalRound
from tests.pairing.engine.systems.dutch_1992.players import with_colours

SYSTEM = "dutch-1992"


# -- No legal round ------------------------------------------------------------------------------------------------


def test_b1_two_who_have_met_have_no_legal_round():
    does_not_pair("dutch-1992\n1 0 2w1\n2 0 1b0", 1, 2)


def test_b1_a_forfeited_pairing_may_be_made_again():
    # F2: no game was played, so nobody had a colour, and 1 gets the colour of round 1 again.
    pairs_as("dutch-1992\n1 0 2w+\n2 0 1b-", "1-2")


def test_b1_b_nobody_left_whom_the_bye_is_permitted():
    for had in "UF+":
        does_not_pair(f"dutch-1992\n1 0 {had}", 1)


def test_b2_both_must_have_the_same_colour():
    does_not_pair(with_colours("w1 w1", "w1 w1"), 1, 2)
    does_not_pair(with_colours("b1 w1 w1 w1", "w1 b1 w1 w1"), 1, 2)


def test_too_many_who_must_not_meet_one_another():
    does_not_pair(
        first_round(6, (3, 4), (3, 5), (3, 6), (4, 5), (4, 6), (5, 6), system=SYSTEM),
        3, 4, 5, 6,
    )  # fmt: skip


def test_an_empty_round_is_no_error():
    assert paired("dutch-1992\n1 0 F | Z").games == ()


# -- Round 1, the bye ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("colour", "boards"), [(Colour.WHITE, "1-4 5-2 3-6"), (Colour.BLACK, "4-1 2-5 6-3")])
def test_f4_e4_round_1(colour, boards):
    pairs_as(first_round(6, system=SYSTEM, colour=colour), boards)


def test_f4_an_odd_number_in_round_1():
    pairs_as(first_round(7, system=SYSTEM), "1-4 5-2 3-6 bye 7")


def test_round_1_of_an_accelerated_event_has_several_brackets():
    lines = "\n".join(f"{tpn} 0 fs={2 if tpn <= 4 else 0}" for tpn in range(1, 9))
    pairs_as(f"dutch-1992\n{lines}", "1-3 4-2 5-7 8-6")


@pytest.mark.parametrize(("third", "bye"), [("U", 2), ("F", 2), ("+", 2), ("b1", 3)])
def test_b1_b_who_may_not_have_the_bye(third, bye):
    assert paired(with_colours("w1", "b1", third)).bye.player == bye


@pytest.mark.parametrize("third", ["H", "Z", "-"])
def test_b1_b_half_a_point_or_none_does_not_bar(third):
    assert paired(with_colours("w1", "b1", third)).bye.player == 3


def test_b1_b_the_bye_goes_up_when_the_lowest_bracket_is_barred():
    meet_as(with_colours("b1 w1", "w1 b1", "w= U", "b= +"), "1-2 3-4")
    meet_as(with_colours("b1 w1 w1", "w1 b1 b1", "w1 b0 b1", "w= U Z", "b0 + Z"), "1-2 4-5 bye 3")


# -- A3, A6, C1: brackets ------------------------------------------------------------------------------------------


def test_a3_each_bracket_by_itself_and_the_odd_one_moves_down():
    # Three on 1: 1-2, 3 moves down. Four on 1/2: 3-4, then 5-6 of the remainder, 7 moves down.
    meet_as("dutch-1992\n" + "\n".join(f"{n} 0 {'FFFHHHHZ'[n - 1]}" for n in range(1, 9)), "1-2 3-4 5-6 7-8")


def test_c1_players_without_opponent_move_down_first():
    # 1 and 2 may not meet; half of the members have moved down, so the next bracket counts as homogeneous.
    meet_as("dutch-1992 forbidden=1-2\n1 0 F\n2 0 F\n3 0 H\n4 0 H", "1-3 2-4")


def test_c1_positions_are_counted_without_its_players():
    # 1 has no opponent among the five on 1; the four others play each other.
    bars = ",".join(f"1-{other}" for other in (2, 3, 4, 5))
    meet_as(f"dutch-1992 forbidden={bars}\n1 0 F\n2 0 F\n3 0 F\n4 0 F\n5 0 F\n6 0 H", "1-6 2-4 3-5")


def test_c6_two_moved_down_play_the_highest_residents_in_turn():
    bars = "1-2"
    scores = "FFHHHHH"
    lines = "\n".join(f"{tpn} 0 {score}" for tpn, score in enumerate(scores, start=1))
    # 5, 6, 7 remain: 5-6, and 7 has the bye.
    meet_as(f"dutch-1992 forbidden={bars}\n{lines}", "1-3 2-4 5-6 bye 7")


def test_c7_a_player_moved_down_takes_the_next_where_the_first_is_barred():
    lines = "\n".join(f"{tpn} 0 {score}" for tpn, score in enumerate("FFHHHHH", start=1))
    meet_as(f"dutch-1992 forbidden=1-2,1-3\n{lines}", "1-4 2-3 5-6 bye 7")


def test_c14_a_player_moved_down_who_cannot_be_paired_joins_s2():
    # 1 and 2 move down; both can only play 3. So 1-3 is the only pair of S1, and 2, in the remainder, is left over.
    lines = "\n".join(f"{tpn} 0 {score}" for tpn, score in enumerate("FFHHHHZ", start=1))
    bars = "1-2," + ",".join(f"{a}-{b}" for a in (1, 2) for b in (4, 5, 6))
    # Remainder 2, 4, 5, 6: only one pair is possible, as 2 has no opponent there: 4-5 is the first, 2 and 6 move.
    made = "dutch-1992 forbidden=" + bars + "\n" + lines
    meet_as(made, "1-3 2-7 4-5 bye 6")


# -- C12, C13: looking ahead ---------------------------------------------------------------------------------------


def test_c13_the_lowest_bracket_must_be_paired():
    meet_as("dutch-1992 forbidden=3-4\n1 0 F\n2 0 F\n3 0 H\n4 0 H", "1-3 2-4")


def test_c13_reaches_over_several_brackets():
    # Only 1 can play 5, only 2 can play 6: no pair is possible above.
    bars = "5-6," + ",".join(f"{a}-5,{b}-6" for a, b in ((2, 1), (3, 3), (4, 4)))
    meet_as(f"dutch-1992 forbidden={bars}\n1 0 F\n2 0 F\n3 0 H\n4 0 H\n5 0 Z\n6 0 Z", "1-5 2-6 3-4")


SIX = "1 0 F\n2 0 F\n3 0 F\n4 0 H\n5 0 Z\n6 0 Z"


@pytest.mark.parametrize(
    ("bars", "pairs"),
    [
        ("1-5", "1-2 3-4 5-6"),
        ("3-4", "1-3 2-4 5-6"),
        ("3-4,2-4", "1-4 2-3 5-6"),
    ],
)
def test_c12_another_player_moves_down_if_the_first_has_no_opponent_in_the_next_bracket(bars, pairs):
    meet_as(f"dutch-1992 forbidden={bars}\n{SIX}", pairs)


def test_c12_is_dropped_where_nobody_has_an_opponent_there():
    # Then 3 goes on with 4 to the last bracket.
    meet_as(f"dutch-1992 forbidden=1-4,2-4,3-4\n{SIX}", "1-2 3-5 4-6")


def test_c12_comes_before_the_colours():
    # 1 is due black, 2 and 3 white: 1-2, 1-3 and no clash; 2-3 clashes. Only 1 can play 4.
    made = with_colours("w1", "b1", "b1", "w=", "w0", "b0", head="dutch-1992 forbidden=2-4,3-4")
    meet_as(made, "1-4 2-3 5-6")


# -- A8, B4, C11: colours due --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("colours", "pairs"),
    [
        # With w players due White and b due Black, S1 and S2 in order.
        ("w w b b", "1-3 2-4"),
        ("w b w b", "1-4 2-3"),
        ("w b b w", "1-3 2-4"),
        # Three are due the same colour: x = 1, and the first candidate has exactly one pair with a clash.
        ("w w w b", "1-3 2-4"),
        ("w b w w", "1-3 2-4"),
        ("b w w w", "1-3 2-4"),
        ("w w w w", "1-3 2-4"),
        ("w w b w b b", "1-5 2-6 3-4"),
        ("w b w w b w", "1-4 2-6 3-5"),
    ],
)
def test_b4_due_colours_as_far_as_x_allows(colours, pairs):
    # A player who had White is due Black, which does not change who clashes with whom.
    meet_as(with_colours(*(f"{colour}1" for colour in colours.split())), pairs)


def test_c11_x_grows_where_who_met_whom_leaves_no_other_way():
    # x = 0; but 1 may only play 3, who is due the same colour.
    meet_as(with_colours("w1", "b1", "w1", "b1", head="dutch-1992 forbidden=1-4,1-2"), "1-3 2-4")


def test_b4_players_without_preference_clash_with_nobody():
    meet_as(with_colours("w1", "w1", "w1", "F"), "1-3 2-4")
    meet_as(with_colours("w1", "F", "w1", "w1"), "1-3 2-4")


def test_b2_absolute_preferences_keep_two_apart():
    meet_as(with_colours("w1 w1", "b1 w1", "w1 w1", "b1 w1"), "1-4 2-3")


# -- B5, B6, C9, C10: floats ---------------------------------------------------------------------------------------


def test_b5_not_down_twice_running():
    meet_as("dutch-1992\n1 0 F\n2 0 F\n3 0 U\n4 0 H", "1-3 2-4")


def test_b6_not_down_as_two_rounds_before():
    meet_as("dutch-1992\n1 0 F F\n2 0 F F\n3 0 U F\n4 0 F H", "1-3 2-4")


def test_b6_three_rounds_before_is_past():
    meet_as("dutch-1992\n1 0 F F F\n2 0 F F F\n3 0 U F F\n4 0 F F H", "1-2 3-4")


def test_c9_drops_b6_before_b5():
    # 2 and 3 floated in the last round, 1 in the round before: 1 floats, after an exchange of 1 and 2.
    meet_as("dutch-1992\n1 0 U F\n2 0 F U\n3 0 F U\n4 0 F H", "1-4 2-3")


def test_c9_drops_both_where_all_floated():
    meet_as("dutch-1992\n1 0 F U\n2 0 F U\n3 0 F U\n4 0 F H", "1-2 3-4")


def test_c11_comes_after_c9():
    # 1 and 3 floated in the last round. 1-3 would keep both, but with a clash; the float rules are relaxed first.
    meet_as(with_colours("w1 U", "b1 F", "w1 U", "b= F"), "1-2 3-4")


UPFLOAT = """
    1 0 F fs=0,2
    2 0 6b1
    3 0 F
    4 0 F
    6 0 2w0 fs=2,0 | Z"""
"""In round 1 player 6 had fictitious points and met 2, who so floated up; now 1 comes down to 2, 3 and 4."""


def test_b5_not_up_twice_running():
    meet_as(f"dutch-1992{UPFLOAT}", "1-3 2-4")


def test_c10_drops_b5_where_nobody_else_can_be_met():
    meet_as(f"dutch-1992 forbidden=1-3,1-4{UPFLOAT}", "1-2 3-4")


@pytest.mark.parametrize(("rounds_since", "pairs"), [(1, "1-3 2-4"), (2, "1-2 3-4")])
def test_b6_not_up_as_two_rounds_before(rounds_since, pairs):
    idle, none = " F" * rounds_since, ",0" * rounds_since
    meet_as(
        f"""dutch-1992
        1 0 F{idle} fs={"0," * (rounds_since + 1)}2
        2 0 6b1{idle}
        3 0 F{idle}
        4 0 F{idle}
        6 0 2w0{idle} fs=2{none} | Z""",
        pairs,
    )


def test_c10_drops_b6_before_b5():
    # 2 floated up in round 2, 3 in round 1; 4 may not meet 1.
    meet_as(
        """dutch-1992 forbidden=1-4
        1 0 F F fs=0,0,2
        2 0 F 7b1
        3 0 6b1 F
        4 0 F F
        6 0 3w0 Z fs=2,0,0 | Z
        7 0 Z 2w0 fs=0,4,0 | Z""",
        "1-3 2-4",
    )


# -- The last round ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rounds", "pairs"), [(2, "1-2 3-4"), (3, "1-3 2-4")])
def test_floats_do_not_count_in_the_last_round_above_half(rounds, pairs):
    meet_as(f"dutch-1992 rounds={rounds}\n1 0 F\n2 0 F\n3 0 U\n4 0 H", pairs)


def test_floats_count_in_the_last_round_at_exactly_half():
    meet_as("dutch-1992 rounds=3\n1 0 F Z\n2 0 F Z\n3 0 Z U\n4 0 H Z", "1-3 2-4")


def test_two_above_half_may_meet_though_both_had_the_same_colour_twice():
    pairs_as(with_colours("w1 w1", "w1 w1", head="dutch-1992 rounds=3"), "2-1")
    does_not_pair(with_colours("w1 w1", "w1 w1", head="dutch-1992 rounds=4"), 1, 2)
    does_not_pair(with_colours("w1 w1", "w1 w1"), 1, 2)


def test_one_above_half_is_enough_and_the_other_gets_the_due_colour():
    pairs_as(with_colours("w1 w1", "w1 w0", head="dutch-1992 rounds=3"), "1-2")
    does_not_pair(with_colours("w1 w0", "w1 w0", head="dutch-1992 rounds=3"), 1, 2)


def test_above_half_is_counted_without_fictitious_points():
    text = with_colours("w1 w0", "w1 w0", head="dutch-1992 rounds=3")
    cards = tuple(replace(card, fictitious=(0, 0, 4)) if card.tpn < 3 else card for card in text.cards)
    does_not_pair(replace(text, cards=cards), 1, 2)


# -- Orders, snapshots, whole events -------------------------------------------------------------------------------


def test_another_order_replaces_the_numbers_everywhere_but_in_the_parity_of_colours():
    made = pair_next_round(
        first_round(4, system=SYSTEM), order=PlayerOrder(system="jahr", positions={1: 4, 2: 3, 3: 2, 4: 1})
    )
    assert [(game.white, game.black) for game in made.games] == [(2, 4), (3, 1)]
    assert made.system == "jahr"


def test_jahrs_order_goes_with_this_procedure():
    made = PAIRING_SYSTEMS["jahr"](replace(first_round(4), system="jahr", procedure="dutch-1992"))
    assert [(game.white, game.black) for game in made.games] == [(1, 3), (4, 2)]


def test_the_order_of_the_cards_is_irrelevant():
    text = with_colours("w1", "b1 ", "w=", "b=", "w0", "b0", "U")
    backwards = replace(text, cards=tuple(reversed(text.cards)))
    assert paired(text) == paired(backwards)


@pytest.mark.parametrize("seed", range(6))
def test_with_many_forbidden_pairs_it_agrees_with_the_literal_transcription(seed):
    """So several players leave a bracket together, and look-ahead and completion disagree."""
    rng = random.Random(seed)
    for _ in range(60):
        size = rng.randint(6, 9)
        rounds = rng.randint(1, 2)
        share = rng.choice([0.2, 0.4, 0.55])
        taken = TournamentSnapshot(
            cards=tuple(
                PairingCard(
                    tpn=tpn, records=tuple(RoundRecord(result=Result(rng.choice("UFHHZZ"))) for _ in range(rounds))
                )
                for tpn in range(1, size + 1)
            ),
            rounds_paired=rounds,
            system=SYSTEM,
            forbidden_pairs=frozenset(
                frozenset(two) for two in combinations(range(1, size + 1), 2) if rng.random() < share
            ),
        )
        try:
            games, bye = dutch_1992.pair(taken)
        except NoLegalRound:
            continue
        made = paired(taken)
        assert tuple((game.white, game.black) for game in made.games) == games
        assert (made.bye.player if made.bye else None) == bye


def test_real_events_are_paired(event_files):
    for path in sorted(event_files.glob("*.trf")):
        taken = snapshot_from_trf(read_trf(path.read_bytes(), name=path.name), system=SYSTEM)
        present = {card.tpn for card in taken.cards if card.unavailable is None}
        made = paired(taken)
        seated = [tpn for game in made.games for tpn in (game.white, game.black)]
        assert sorted(seated + ([made.bye.player] if made.bye else [])) == sorted(present), path.name


def test_a_round_that_cannot_be_paired_says_why_nobody_may_sit_out():
    with pytest.raises(PairingImpossible) as refused:
        paired("dutch-1992 rounds=5\n1 0 U 3w1 2w1\n2 0 3w1 U 1b0\n3 0 2b0 1b0 U")
    barred = [why.players for why in refused.value.causes if why.kind is ReasonKind.BYE_PASSED_OVER]
    assert barred == [(1,), (2,), (3,)]
