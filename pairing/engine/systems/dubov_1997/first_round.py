"""The first round (article 5): top half against bottom half of a group."""

from __future__ import annotations

from collections.abc import Iterator

from pairing.engine.matching import bitmask_members
from pairing.engine.paired_round import DecisionCause, ReasonKind, make_reason
from pairing.engine.rule_interpretations import FIRST_ROUND_COLOURS, RULE_INTERPRETATIONS, format_interpretation
from pairing.engine.snapshot import Colour
from pairing.engine.systems.dubov_1997.procedure_state import (
    DubovEvent,
    Pair,
    ScoreGroupInProgress,
    article_reference,
    explain_passed_over,
)

COLOURS_BY_NUMBER = RULE_INTERPRETATIONS[FIRST_ROUND_COLOURS].alternative_value


def pair_first_round_group(group: ScoreGroupInProgress, event: DubovEvent) -> Iterator[Pair]:
    """Pair the halves in order (5); colours alternate from pair to pair, or by odd and even numbers.

    If that opponent is impossible, the player gets the first possible of the bottom half from its top, then of their
    own half from its bottom.
    """
    # Places are in the order of pairing numbers.
    left = list(bitmask_members(group.member_mask))
    top, bottom = left[: len(left) // 2], left[len(left) // 2 :]
    colour = event.first_colour
    while top or bottom:
        chooser = (top or bottom).pop(0)
        pair = _pair(chooser, top, bottom, group, event)
        opponent = pair.opponent
        (top if opponent in top else bottom).remove(opponent)
        odd = event.entrants[chooser].tpn % 2 == 1
        by_number = event.first_colour if odd else event.first_colour.opposite
        given = by_number if event.has_interpretation(FIRST_ROUND_COLOURS, COLOURS_BY_NUMBER) else colour
        reading = (
            None
            if by_number is colour
            else format_interpretation(FIRST_ROUND_COLOURS, event.interpretations[FIRST_ROUND_COLOURS])
        )
        yield pair._replace(white=chooser if given is Colour.WHITE else opponent, interpretation=reading)
        colour = colour.opposite


def _pair(chooser: int, top: list[int], bottom: list[int], group: ScoreGroupInProgress, event: DubovEvent) -> Pair:
    candidates = [*bottom, *reversed(top)]
    tried: list[int] = []

    def in_turn() -> Iterator[int]:
        for candidate in candidates:
            tried.append(candidate)
            yield candidate

    group.matching.fix_first_possible_pair(chooser, in_turn())
    *passed, opponent = tried
    one, other = event.entrants[chooser], event.entrants[opponent]
    why = make_reason(article_reference("5"), ReasonKind.OPPONENT, one.tpn, other.tpn, step="halves", place=len(tried))
    over = (
        explain_passed_over(one, event.entrants[candidate], "5", DecisionCause.BLOCKS_GROUP) for candidate in passed
    )
    return Pair(chooser, opponent, group, (why, *over))
