"""Runs of equal reasons are stored as one and read as the original reasons."""

from __future__ import annotations

import pickle

from pairing.engine.paired_round import (
    DecisionCause,
    PairedGame,
    ReasonKind,
    ReasonRun,
    ReasonSequence,
    build_reason_sequence,
    list_reason_entries,
    make_reason,
)

GROUP = make_reason("an article", ReasonKind.SCORE_GROUP, half_points=4)


def passed(candidate: int):
    return make_reason(
        "another", ReasonKind.PASSED_OVER, 1, candidate, because=DecisionCause.SAME_DUE_COLOUR, colour="w"
    )


EACH = (GROUP, passed(7), passed(9), passed(8), passed(3), GROUP)
TOLD = (GROUP, ReasonRun(first=passed(7), others=(9, 8)), passed(3), GROUP)


def test_a_run_is_read_as_its_reasons_in_their_order():
    made = build_reason_sequence(TOLD)
    assert tuple(made) == EACH
    assert len(made) == 6
    assert [*reversed(made)] == [*reversed(EACH)]
    assert (made[0], made[3], made[-1], made[1:3]) == (EACH[0], EACH[3], EACH[-1], EACH[1:3])
    assert passed(9) in made
    assert passed(4) not in made


def test_reasons_are_equal_to_a_tuple_of_the_same_and_to_no_other():
    made = build_reason_sequence(TOLD)
    assert made == EACH
    assert made == ReasonSequence(EACH)
    assert hash(made) == hash(EACH)
    assert repr(made) == repr(EACH)
    assert made != EACH[:-1]
    game = PairedGame(board=1, white=1, black=3, reasons=made)
    assert game == PairedGame(board=1, white=1, black=3, reasons=EACH)
    assert pickle.loads(pickle.dumps(game)) == game  # noqa: S301


def test_without_a_run_reasons_are_a_tuple():
    made = build_reason_sequence([GROUP, passed(7)])
    assert type(made) is tuple
    assert list_reason_entries(made) is made


def test_what_is_kept_can_be_handed_on():
    assert list_reason_entries(build_reason_sequence(TOLD)) == TOLD
    assert TOLD[1].players == (1, 7, 9, 8)
    assert TOLD[1].get_fact("because") is DecisionCause.SAME_DUE_COLOUR
