"""E and F3 of the 1992 rules: who gets which colour. Two players, so that only the colours are open."""

from __future__ import annotations

import pytest

from pairing.engine.paired_round import ColourCause, ReasonFact, ReasonKind
from tests.pairing.builders import first_round, paired, pairs_as
from tests.pairing.engine.systems.dutch_1992.players import with_colours


@pytest.mark.parametrize(
    ("higher", "lower", "board"),
    [
        # E1: both get their due colour, or one player is due none.
        ("w=", "b=", "2-1"),
        ("b=", "w=", "1-2"),
        ("H", "w=", "1-2"),
        ("w=", "H", "2-1"),
        # E2: absolute before strong, strong before mild.
        ("w= b= w= Z", "w= w= Z Z", "1-2"),
        ("w= w= Z Z", "w= b= w= Z", "2-1"),
        ("b= w=", "w= H", "1-2"),
        ("w= H", "b= w=", "2-1"),
        # E3: the latest games with different colours: in the first case 1 had Black, in the second White.
        ("w= b= b= w=", "b= w= b= w=", "1-2"),
        ("b= w= b= w=", "w= b= b= w=", "2-1"),
        # E4: the histories are equal, or one ends first.
        ("w=", "w=", "2-1"),
        ("b=", "b=", "1-2"),
        ("b= w=", "b= w=", "2-1"),
        ("w= b= w=", "H Z w=", "2-1"),
    ],
)
def test_e1_to_e4(higher, lower, board):
    pairs_as(with_colours(higher, lower), board)


def test_f3_gaps_are_moved_to_the_front():
    # w b - b w counts as - w b b w: against - b w b w the third-latest game decides, in which 1 had Black. If the
    # gap stayed in its place, round 1 would decide, in which 1 had White.
    pairs_as(with_colours("w= b= Z b= w=", "b= w= Z b= w="), "1-2")
    pairs_as(with_colours("w= b= Z b= w=", "b= Z w= b= w="), "1-2")


def test_f2_unplayed_games_have_no_colour():
    pairs_as("dutch-1992\n1 0 3w+\n2 0 4b=\n3 0 1b- | Z\n4 0 2w= | Z", "2-1")


def test_e2_knows_no_degrees_within_a_kind():
    # The last round: 1 has two more Whites than Blacks, 2 one more; both preferences are strong. The latest game
    # decides.
    pairs_as(with_colours("w1 w1 w1 b1", "b1 w1 F w1", head="dutch-1992 rounds=5"), "1-2")


@pytest.mark.parametrize(("numbers", "boards"), [((1, 2, 3, 4), "1-3 4-2"), ((2, 3, 4, 5), "4-2 3-5")])
def test_without_any_colour_the_parity_of_the_higher_players_number_decides(numbers, boards):
    pairs_as("dutch-1992\n" + "\n".join(f"{tpn} 0 H" for tpn in numbers), boards)


@pytest.mark.parametrize(
    ("higher", "lower", "article", "because", "claim"),
    [
        ("w=", "b=", "dutch-1992 E1", ColourCause.BOTH_DUE, 1),
        ("H", "w=", "dutch-1992 E1", ColourCause.ONLY_ONE_DUE, 2),
        ("w= w= Z Z", "w= b= w= Z", "dutch-1992 E2", ColourCause.ABSOLUTE, 1),
        ("b= w=", "w= H", "dutch-1992 E2", ColourCause.STRONGER, 2),
        ("w= b= b= w=", "b= w= b= w=", "dutch-1992 E3", ColourCause.HISTORY, 1),
        ("w=", "w=", "dutch-1992 E4", ColourCause.HIGHER_PLAYER, 1),
        ("H", "H", "dutch-1992 E4", ColourCause.NUMBER_PARITY, 1),
    ],
)
def test_the_reason_names_the_rule(higher: str, lower: str, article: str, because: ReasonFact, claim: int):
    why = paired(with_colours(higher, lower)).games[0].reasons[-1]
    assert why.kind is ReasonKind.COLOUR
    assert (why.article, why.get_fact("because"), why.get_fact("claim")) == (article, because, claim)


def test_e3_says_how_many_games_back():
    why = paired(with_colours("w= b= b= w=", "b= w= b= w=")).games[0].reasons[-1]
    assert why.get_fact("games_back") == 3


def test_round_1_says_whose_number_decided():
    made = paired(first_round(4, system="dutch-1992"))
    assert [game.reasons[-1].get_fact("claim") for game in made.games] == [1, 2]
