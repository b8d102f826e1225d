"""The reason given for all rejected candidates is the one for each, in any combination."""

from __future__ import annotations

from itertools import permutations

from pairing.engine.paired_round import (
    DecisionCause,
    PairingReason,
    ReasonKind,
    ReasonRun,
    build_reason_sequence,
    make_reason,
)
from pairing.engine.rules.colour_preferences import colour_preference
from pairing.engine.rules.compatibility import CompatibilityGraph
from pairing.engine.rules.players import PairingPlayer
from pairing.engine.rules.rejected_candidates import collect_rejection_reasons
from pairing.engine.snapshot import Colour

WHITE, BLACK = Colour.WHITE, Colour.BLACK


def contender(tpn: int, *colours: Colour, met: int | None = None) -> PairingPlayer:
    return PairingPlayer(
        tpn=tpn,
        number=tpn,
        rating=0,
        score=2,
        fictitious=0,
        colours=colours,
        preference=colour_preference(colours),
        met_in_round={} if met is None else {met: 1},
        forbidden_opponents=frozenset(),
        floats=(),
        results=(),
        is_to_be_paired=True,
    )


COMPANY = CompatibilityGraph(
    [
        contender(1, WHITE, WHITE, met=6),
        contender(2, WHITE, WHITE),
        contender(3, WHITE, WHITE),
        contender(4, BLACK, WHITE),
        contender(5, BLACK, WHITE),
        contender(6, WHITE, WHITE, met=1),
        contender(7, BLACK),
        contender(8, BLACK, WHITE),
    ]
)
OF_EACH = {
    2: DecisionCause.SAME_ABSOLUTE_COLOUR,
    3: DecisionCause.SAME_ABSOLUTE_COLOUR,
    4: DecisionCause.SAME_DUE_COLOUR,
    5: DecisionCause.SAME_DUE_COLOUR,
    6: DecisionCause.MET,
    7: DecisionCause.BLOCKS_GROUP,
    8: DecisionCause.RATING_GAP,
}


def tell(candidate: int) -> PairingReason:
    tpn = candidate + 1
    return make_reason("an article", ReasonKind.PASSED_OVER, 1, tpn, because=OF_EACH[tpn])


def told(passed: tuple[int, ...]) -> tuple[PairingReason | ReasonRun, ...]:
    return collect_rejection_reasons(
        COMPANY, 0, passed, tell, alike=frozenset({1, 2, 3, 4, 5, 7}), single=frozenset({7})
    )


def test_a_reason_is_the_same_alone_or_among_others():
    for passed in permutations(range(1, 8), 5):
        assert build_reason_sequence(told(passed)) == tuple(tell(one) for one in passed)


def test_those_next_to_one_another_of_whom_the_same_is_said_are_one_run():
    assert told((3, 4)) == (ReasonRun(first=tell(3), others=(5,)),)
    assert told((1, 2, 4)) == (ReasonRun(first=tell(1), others=(3,)), tell(4))
