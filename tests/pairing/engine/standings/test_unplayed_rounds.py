"""C.07, articles 15 and 16: unplayed rounds, with the examples of FIDE's Arbiters' Manual of 2026."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pairing.engine.snapshot import Result, TournamentSnapshot
from pairing.engine.standings import TieBreakEdition, rank_players
from tests.pairing.engine.standings.rows import around_one, column, event

OLD, NEW = TieBreakEdition.AUGUST_2024, TieBreakEdition.MARCH_2026

ONE_BYE = around_one("1:5", "1:5", "0:6.5", "Z", "1:4.5", "=:6", "1:5", "=:6.5", "1:5.5", "1:6")
"""Seven points of ten rounds, the fourth not played at his wish."""
FORFEIT_WON = around_one("1:5", "1:5.5", "=:5", "1:4.5", "0:6", "1:5.5", "+:4.5~2", "=:6.5", "1:6")
"""Seven points of nine rounds; the opponent of the seventh did not come any more."""
LEFT_AT_THE_END = around_one("=:3.5", "1:6", "1:6.5", "0:7.5", "1:6.5", "=:8", "1:6.5", "1:7", "-:7.5", "Z")
"""Six points of ten rounds: he did not come to the ninth and withdrew."""


@pytest.mark.parametrize(
    ("rounds", "code", "old", "new"),
    [
        (ONE_BYE, "BH", "57.0", "55.0"),
        (ONE_BYE, "BH/C1", "50.0", "50.0"),
        (ONE_BYE, "SB", "37.25", "37.25"),
        (FORFEIT_WON, "BH", "51.0", "49.5"),
    ],
)
def test_examples_of_the_arbiters_manual(rounds, code, old, new):
    assert (column(rounds, code, OLD)[1], column(rounds, code, NEW)[1]) == (old, new)


def test_16_4_1_does_not_cap_a_dummy_that_is_below_the_scheduled_opponent():
    """Unplayed: the player's own 6 count, not the opponent's 7.5; the last round is capped at ten draws."""
    opponents = 3.5 + 6 + 6.5 + 7.5 + 6.5 + 8 + 6.5 + 7
    assert column(LEFT_AT_THE_END, "BH", OLD)[1] == f"{opponents + 6 + 6:.1f}"
    assert column(LEFT_AT_THE_END, "BH", NEW)[1] == f"{opponents + 6 + 5:.1f}"


def test_16_4_2_does_not_cap_a_dummy_of_at_most_half_the_points():
    rounds = around_one("0:1", "0:2", "1:1", "U")
    assert column(rounds, "BH", OLD)[1] == column(rounds, "BH", NEW)[1] == "6.0"


def test_16_4_2_holds_where_the_file_does_not_say_who_the_forfeits_opponent_was():
    """Three points of four: the dummy of the forfeit without an opponent has two."""
    assert column(around_one("1:1", "1:2", "0:3", "+"), "BH")[1] == "8.0"


@pytest.mark.parametrize(
    ("rounds", "counted"),
    [
        ("1 0 0 0", "1.0"),  # played to the end
        ("1 0 H 0", "1.5"),  # 16.2.3: a half-point bye followed by a game stays worth half a point
        ("1 0 Z 0", "1.0"),  # and a zero-point bye nothing
        ("1 0 Z U", "2.0"),  # the allocated bye is not voluntary
        ("1 0 Z F", "2.0"),  # nor is the full-point bye
        ("1 0 Z +", "2.0"),  # nor the forfeit won
        ("1 0 - -", "1.0"),  # 16.2.4: a forfeit loss counts as a forfeit loss
        ("1 0 0 Z", "1.5"),  # 16.2.5: in the last round
        ("1 0 Z Z", "2.0"),  # followed by voluntary rounds only
        ("1 0 Z -", "1.5"),  # a forfeit lost is one of them
        ("1 Z - Z", "2.0"),
    ],
)
def test_16_3_the_score_that_opponents_count(rounds, counted):
    """Player 1 beat player 2 in round 1. Player 2's further rounds are given, with 3 as opponent."""
    own = {"0": "3w0", "-": "3w-", "+": "3w+"}
    reply = {"0": "2b1", "-": "2b+", "+": "2b-"}
    letters = rounds.split()[1:]
    lines = [
        "1 2000 2w0 " + " ".join(["Z", *"UU"]),
        "2 1900 1b1 " + " ".join(own.get(letter, letter) for letter in letters),
        "3 1800 U " + " ".join(reply.get(letter, "U") for letter in letters),
    ]
    snapshot = event("\n".join(lines), rounds=4)
    # Player 1 has three points, so each of the three unplayed rounds counts two: a draw in each of four rounds.
    assert float(column(snapshot, "BH")[1]) - 6 == float(counted)


def test_16_5_a_cut_leaves_the_lowest_opponent_where_a_round_was_not_played_at_the_players_wish():
    """The dummy of round 2 (1.5) is cut, not the opponent with a half."""
    rounds = around_one("1:0.5", "H", "0:3")
    assert column(rounds, "BH")[1] == "5.0"
    assert column(rounds, "BH/C1")[1] == "3.5"
    assert column(rounds, "BH/C2")[1] == "3.0"


def test_16_5_a_bye_not_asked_for_is_cut_only_if_it_is_the_lowest():
    """The pairing-allocated bye (1.5) is not voluntary, so the half is cut."""
    assert column(around_one("=:0.5", "U", "0:3"), "BH/C1")[1] == "4.5"


def test_16_5_a_voluntary_round_below_the_least_significant_value_stays():
    """Sonneborn-Berger: the absence is worth 0 and is kept; the draw with the weaker opponent (0.5) is cut."""
    rounds = around_one("=:1", "1:2", "Z")
    assert column(rounds, "SB")[1] == "2.50"
    assert column(rounds, "SB/C1")[1] == "2.00"


def test_15_1_forfeits_are_unplayed_unless_they_are_said_to_count():
    """Against the dummy (1 point, at most) or against the scheduled opponent (3)."""
    rounds = around_one("1:2", "-:3", "0:2")
    assert column(rounds, "BH")[1] == "5.0"
    assert column(rounds, "BH/P")[1] == "7.0"
    assert column(rounds, "BH/C1/P")[1] == "5.0"


@pytest.mark.parametrize("rest", "UZ")
def test_15_2_in_a_round_robin_forfeits_are_regular_games_and_nobody_meets_a_dummy(rest: str):
    """Five players who end with 3.5, 3.5, 2, 0.5 and 0.5 points. Everybody met everybody, so BH is 10 less their own.

    5 loses by forfeit to 3 and to 1; one player rests in each round, for nothing.
    """
    rounds = """
        1 2000 R   2w= 3b1 4w1 5b+
        2 1900 5w1 1b= R   3w1 4b1
        3 1800 4w1 5b+ 1w0 2b0 R
        4 1700 3b0 R   5w= 1b0 2w0
        5 1600 2b0 3w- 4b= R   1w-
        """
    played = event(rounds.replace("R", rest), rounds=5)
    points = replace(played.points, pairing_allocated_bye=0)
    table = replace(played, system="round-robin", points=points)
    assert column(table, "BH") == {1: "6.5", 2: "6.5", 3: "8.0", 4: "9.5", 5: "9.5"}
    assert column(table, "BH/C1") == {1: "6.0", 2: "6.0", 3: "7.5", 4: "9.0", 5: "9.0"}
    assert column(table, "SB") == {1: "4.75", 2: "4.75", 3: "1.00", 4: "0.25", 5: "0.25"}
    assert column(table, "FB")[1] == "7.0"  # 8.3: 5 ends with a point, 4 with one, 2 with three
    assert column(table, "KS")[1] == "1.5"  # 9.2: with four games each, 2 and 3 have half of the possible points


def test_an_adjourned_game_brings_nothing_until_it_is_finished():
    """It is shown as pending (Dutch system 1992, F9), so it is no draw in a table, but they have met."""
    snapshot = event("1 2000 2w1 3b=\n2 1900 1b0 4w=\n3 1800 4w1 1w=\n4 1700 3b0 2b=")
    text = "1 2000 2w1 3b*\n2 1900 1b0 4w=\n3 1800 4w1 1w*\n4 1700 3b0 2b="
    adjourned = event_with_adjourned(text)
    assert [row.points for row in rank_players(snapshot, ())] == [3, 3, 1, 1]
    assert [row.points for row in rank_players(adjourned, ())] == [2, 2, 1, 1]
    assert column(adjourned, "BH")[1] == "1.5"
    assert column(adjourned, "ARO")[1] == "1850"
    assert column(adjourned, "TPR")[1] == str(1900 + 800)


def event_with_adjourned(text: str) -> TournamentSnapshot:
    """The reader does not know adjourned games, so they are added here."""
    snapshot = event(text.replace("*", "="))
    cards = []
    for card, line in zip(snapshot.cards, text.splitlines(), strict=True):
        words = line.split()[2:]
        records = tuple(
            replace(record, result=Result.ADJOURNED) if word.endswith("*") else record
            for record, word in zip(card.records, words, strict=True)
        )
        cards.append(replace(card, records=records))
    return replace(snapshot, cards=tuple(cards))


def test_8_3_the_final_round_is_drawn_forfeits_too_and_its_byes_are_as_in_16_3():
    """1 and 3 have one and a half each, as their unplayed game counts as a draw; 2 and 4 have half a point by 16.3."""
    final_round_not_played = event(
        """
        1 2000 2w1 3b+
        2 1900 1b0 H
        3 1800 4w1 1w-
        4 1700 3b0 Z
        """,
        rounds=2,
    )
    assert column(final_round_not_played, "FB") == {1: "2.0", 2: "2.0", 3: "2.0", 4: "1.5"}


def test_8_3_before_the_final_round_is_paired_there_is_nothing_to_draw():
    one_of_two = event("1 2000 2w1\n2 1900 1b0", rounds=2)
    assert column(one_of_two, "FB") == column(one_of_two, "BH") == {1: "0.0", 2: "1.0"}
