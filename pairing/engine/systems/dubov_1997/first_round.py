"""Article 5: the first round pairs the top half of a group with the bottom half."""

from __future__ import annotations

from collections.abc import Iterator

from pairing.engine.matching import members
from pairing.engine.paired_round import Cause, ReasonKind, reason
from pairing.engine.readings import FIRST_COLOURS, READINGS, stated
from pairing.engine.snapshot import Colour
from pairing.engine.systems.dubov_1997.groups import Event, Group, Pair, article, passed_over

BY_NUMBER = READINGS[FIRST_COLOURS].other


def pair_halves(group: Group, event: Event) -> Iterator[Pair]:
    """5: first against first, second against second; the colours alternate from pair to pair, or by odd and even.

    A player who cannot have the opponent so given takes the first he can of the bottom half from its top, then of his
    own half from its bottom.
    """
    # Places go by pairing number.
    left = list(members(group.members))
    top, bottom = left[: len(left) // 2], left[len(left) // 2 :]
    colour = event.first_colour
    while top or bottom:
        chooser = (top or bottom).pop(0)
        pair = _pair(chooser, top, bottom, group, event)
        opponent = pair.opponent
        (top if opponent in top else bottom).remove(opponent)
        odd = event.entrants[chooser].tpn % 2 == 1
        by_number = event.first_colour if odd else event.first_colour.opposite
        given = by_number if event.reads(FIRST_COLOURS, BY_NUMBER) else colour
        reading = None if by_number is colour else stated(FIRST_COLOURS, event.readings[FIRST_COLOURS])
        yield pair._replace(white=chooser if given is Colour.WHITE else opponent, reading=reading)
        colour = colour.opposite


def _pair(chooser: int, top: list[int], bottom: list[int], group: Group, event: Event) -> Pair:
    candidates = [*bottom, *reversed(top)]
    tried: list[int] = []

    def in_turn() -> Iterator[int]:
        for candidate in candidates:
            tried.append(candidate)
            yield candidate

    group.matching.pair_first(chooser, in_turn())
    *passed, opponent = tried
    one, other = event.entrants[chooser], event.entrants[opponent]
    why = reason(article("5"), ReasonKind.OPPONENT, one.tpn, other.tpn, step="halves", place=len(tried))
    over = (passed_over(one, event.entrants[candidate], "5", Cause.BLOCKS_GROUP) for candidate in passed)
    return Pair(chooser, opponent, group, (why, *over))
