"""Reasons of the 1989 rules for some pairings. `tests/pairing/engine/test_reasons_hold.py` checks all."""

from __future__ import annotations

import pytest

from pairing.engine.paired_round import DecisionCause, PairedRound, ReasonFact, ReasonKind
from tests.pairing.builders import first_round, paired
from tests.pairing.engine.reason_checks import all_reasons


def passed_over(made: PairedRound, chooser: int) -> list[tuple[int, str, ReasonFact]]:
    """The opponents a player did not get, in the order of the rule."""
    return [
        (why.players[1], why.article.removeprefix("fide-1989 art. "), why.get_fact("because"))
        for why in all_reasons(made)
        if why.kind is ReasonKind.PASSED_OVER and why.players[0] == chooser
    ]


def test_all_candidates_before_the_opponent_are_named_in_their_order():
    made = paired(first_round(6, (1, 4), (1, 5), (2, 3), (2, 4), (2, 5)))
    assert passed_over(made, 1) == [
        (4, "9.1", DecisionCause.FORBIDDEN),
        (5, "9.1", DecisionCause.FORBIDDEN),
        (6, "11.4", DecisionCause.BLOCKS_GROUP),
    ]
    assert passed_over(made, 2) == [(5, "9.1", DecisionCause.FORBIDDEN)]


def test_an_exchange_for_colours_is_said_to_be_one():
    made = paired(
        """fide-1989
        1 0 5w1
        2 0 6b1
        3 0 7w1
        4 0 8b1
        5 0 1b0
        6 0 2w0
        7 0 3b0
        8 0 4w0"""
    )
    assert passed_over(made, 1) == [(3, "12.2", DecisionCause.SAME_DUE_COLOUR)]
    top = made.games[0].reasons
    assert [why.article for why in top if why.kind is ReasonKind.OPPONENT] == ["fide-1989 art. 12.2"]


def test_a_floater_says_why_they_and_not_another():
    made = paired("fide-1989\n1 0 3w1\n2 0 4b1\n3 0 1b0\n4 0 2w0\n5 0 U")
    told = [(why.kind, why.players, why.get_fact("because")) for game in made.games for why in game.reasons]
    assert (ReasonKind.FLOATED, (2,), DecisionCause.ODD_GROUP) in told
    assert (ReasonKind.STAYED, (5, 2), DecisionCause.FLOATED_BEFORE) in told


def test_in_a_maxi_event_the_rating_gap_is_told():
    # By colour 2 would float, but the rating is too far from 3, who is unrated and counts as 0.
    made = paired(
        """fide-1989 rounds=2
        1 2000 4w1
        2 2000 5w1
        3 0 6b1
        4 0 1b0
        5 0 2b0
        6 0 3w0"""
    )
    gaps = [why for game in made.games for why in game.reasons if why.get_fact("because") is DecisionCause.RATING_GAP]
    assert [(why.players, why.get_fact("gap")) for why in gaps] == [((2, 3), 2000)]


def test_split_pairs_of_the_median_say_that_it_was_blocked():
    made = paired("fide-1989 forbidden=3-4\n1 0 F\n2 0 F\n3 0 H\n4 0 H\n5 0 Z\n6 0 Z")
    moved = [
        why.players[0]
        for game in made.games
        for why in game.reasons
        if why.get_fact("because") is DecisionCause.BLOCKED_MEDIAN
    ]
    assert sorted(moved) == [1, 2]


def test_the_bye_names_those_it_passed_over():
    made = paired("fide-1989\n1 0 F Z\n2 0 F F\n3 0 U Z")
    assert [(why.kind, why.players, why.get_fact("because")) for why in made.bye.reasons] == [
        (ReasonKind.BYE, (1,), None),
        (ReasonKind.BYE_PASSED_OVER, (3,), DecisionCause.HAD_BYE),
    ]


@pytest.mark.parametrize(
    ("records", "cause", "round_number"), [("U Z", DecisionCause.HAD_BYE, 1), ("Z U", DecisionCause.HAD_BYE, 2)]
)
def test_the_round_is_named_in_which_somebody_has_rested(records: str, cause: DecisionCause, round_number: int):
    made = paired(f"fide-1989\n1 0 F Z\n2 0 F F\n3 0 {records}")
    (passed_over,) = [why for why in made.bye.reasons if why.kind is ReasonKind.BYE_PASSED_OVER]
    assert (passed_over.players, passed_over.get_fact("because")) == ((3,), cause)
    assert passed_over.get_fact("round") == round_number
