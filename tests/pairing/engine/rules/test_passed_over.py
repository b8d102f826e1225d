"""What is told of all who were passed over is what is told of each, whoever stands beside whom."""

from __future__ import annotations

from itertools import permutations

from pairing.engine.paired_round import Cause, Reason, ReasonKind, reason
from pairing.engine.reason_runs import Run, as_reasons
from pairing.engine.rules.colours import colour_preference
from pairing.engine.rules.compatibility import Company
from pairing.engine.rules.field import Contender
from pairing.engine.rules.passed_over import tell_all
from pairing.engine.snapshot import Colour

WHITE, BLACK = Colour.WHITE, Colour.BLACK


def contender(tpn: int, *colours: Colour, met: int | None = None) -> Contender:
    return Contender(
        tpn=tpn,
        number=tpn,
        rating=0,
        score=2,
        fictitious=0,
        colours=colours,
        preference=colour_preference(colours),
        met_in={} if met is None else {met: 1},
        forbidden=frozenset(),
        floats=(),
        results=(),
        to_be_paired=True,
    )


COMPANY = Company(
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
    2: Cause.SAME_ABSOLUTE_COLOUR,
    3: Cause.SAME_ABSOLUTE_COLOUR,
    4: Cause.SAME_DUE_COLOUR,
    5: Cause.SAME_DUE_COLOUR,
    6: Cause.MET,
    7: Cause.BLOCKS_GROUP,
    8: Cause.RATING_GAP,
}


def tell(candidate: int) -> Reason:
    tpn = candidate + 1
    return reason("an article", ReasonKind.PASSED_OVER, 1, tpn, because=OF_EACH[tpn])


def told(passed: tuple[int, ...]) -> tuple[Reason | Run, ...]:
    return tell_all(COMPANY, 0, passed, tell, alike=frozenset({1, 2, 3, 4, 5, 7}), single=frozenset({7}))


def test_each_is_told_as_he_would_be_alone_in_any_order():
    for passed in permutations(range(1, 8), 5):
        assert as_reasons(told(passed)) == tuple(tell(one) for one in passed)


def test_those_next_to_one_another_of_whom_the_same_is_said_are_one_run():
    assert told((3, 4)) == (Run(first=tell(3), others=(5,)),)
    assert told((1, 2, 4)) == (Run(first=tell(1), others=(3,)), tell(4))
