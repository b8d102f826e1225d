"""The criteria in the reasons of dutch-2026, derived independently with the literal transcription."""

from __future__ import annotations

import pytest

from pairing.engine.paired_round import DecisionCause, PairingImpossible, ReasonKind
from pairing.engine.systems import PAIRING_SYSTEMS
from tests.pairing.engine.literal import dutch_2026, notation
from tests.pairing.engine.literal.events import play
from tests.pairing.engine.literal.facts import NoLegalRound
from tests.pairing.engine.reason_checks import RoundChecker
from tests.pairing.engine.reason_criteria_2026 import check_criteria


def test_everyone_who_comes_earlier_fails_on_the_criterion_named():
    named: set[str] = set()
    for seed in range(25):
        for snapshot, _ in play("dutch-2026", seed, dutch_2026.pair):
            try:
                named |= check_criteria(RoundChecker(snapshot, PAIRING_SYSTEMS["dutch-2026"](snapshot)))
            except PairingImpossible:
                continue
    assert {"C4", "C5", "C6", "C9", "C12"} <= named


def test_no_reason_without_a_round():
    with pytest.raises(NoLegalRound):
        dutch_2026.pair(notation.read("dutch-2026 rounds=3\n1 2000 2w1\n2 1900 1b0\n"))
    with pytest.raises(PairingImpossible) as refused:
        PAIRING_SYSTEMS["dutch-2026"](notation.read("dutch-2026 rounds=3\n1 2000 2w1\n2 1900 1b0\n"))
    assert set(refused.value.players) == {1, 2}


WITHOUT_A_ROUND_BELOW = """dutch-2026 rounds=7
1 2400 11w1 8b= 2w= 15b1
2 2300 12b1 16w1 1b= 5w1
5 2300 14w1 11b= 8w1 2b0
8 2300 15b1 1w= 5b0 11w1
11 1700 1b0 5w= 12b1 8b0
12 1300 2w0 14b1 11w0 U
14 1300 5b0 12w0 U 16b1
15 1200 8w0 U 16b1 1w0
16 0 U 2b0 15w0 14w0"""
"""12, 14 and 15 have two points, below them are 11, the only one who may have the bye, and 16."""


def test_who_may_not_leave_for_those_below_is_told_from_who_is_needed_in_the_bracket():
    """Without 15, 12 and 14 remain, who have met; 14 would be left with 16, whom 14 has met. So 12 moves down."""
    made = PAIRING_SYSTEMS["dutch-2026"](notation.read(WITHOUT_A_ROUND_BELOW))
    (board,) = (game for game in made.games if {game.white, game.black} == {12, 16})
    stayed = [
        (why.players, why.article, why.get_fact("because")) for why in board.reasons if why.kind is ReasonKind.STAYED
    ]
    assert stayed == [
        ((14, 12), "dutch-2026 C4", DecisionCause.BLOCKS_REST),
        ((15, 12), "dutch-2026 C6", DecisionCause.BLOCKS_GROUP),
    ]
