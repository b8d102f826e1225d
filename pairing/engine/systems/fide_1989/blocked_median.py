"""A blocked median group takes in split pairs from the groups around it (9.6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pairing.engine.matching import MaximumMatching, bitmask_of
from pairing.engine.paired_round import DecisionCause, ReasonKind, make_reason
from pairing.engine.rules.compatibility import CompatibilityGraph
from pairing.engine.rules.players import PairingPlayer
from pairing.engine.rules.round_completion import no_legal_round_error
from pairing.engine.systems.fide_1989.procedure_state import (
    Fide1989Event,
    Floater,
    MedianSide,
    Pair,
    ScoreBracket,
    article_reference,
)


class WidenedMedian(NamedTuple):
    """The median group with all who joined it, and the remaining pairs above and below it."""

    group: ScoreBracket
    above: list[Pair]
    below: list[Pair]


def widen_median_group(
    group: ScoreBracket, above: Sequence[Pair], below: Sequence[Pair], event: Fide1989Event
) -> WidenedMedian:
    """Split pairs, the last formed first, until the blocked median group can be paired.

    `above` and `below` are each side's pairs in the order they were formed. Raises PairingImpossible if all players
    together cannot be paired.
    """
    widened = WidenedMedian(group, list(above), list(below))
    outside = [player for pair in (*above, *below) for player in (pair.chooser, pair.opponent)]
    everyone = CompatibilityGraph((*group.all_players(), *outside), any_colour=event.any_colour)
    matching = MaximumMatching(everyone.complement_graph, bitmask_of(range(len(everyone.players) - len(outside))))
    incoming = list(group.incoming)
    while matching.deficiency:
        if not widened.above and not widened.below:
            raise no_legal_round_error(everyone, article_reference("2"))
        for floater in _split(widened, incoming, group):
            incoming.append(floater)
            matching.add_vertex(everyone.places[floater.player.tpn])
    return widened._replace(group=group.with_incoming(incoming))


def _split(widened: WidenedMedian, incoming: Sequence[Floater], median: ScoreBracket) -> tuple[Floater, Floater]:
    """Split the last pair on the side that sent fewer floaters, or above if neither did."""
    from_above = sum(floater.origin is MedianSide.ABOVE for floater in incoming)
    from_below = len(incoming) - from_above
    below_gives = (from_above > from_below and widened.below) or not widened.above
    pair = widened.below.pop() if below_gives else widened.above.pop()

    def join(player: PairingPlayer) -> Floater:
        why = make_reason(
            article_reference("9.6"),
            ReasonKind.FLOATED,
            player.tpn,
            from_half_points=pair.group.score,
            to_half_points=median.score,
            direction="down" if pair.group.side.is_paired_downwards else "up",
            because=DecisionCause.BLOCKED_MEDIAN,
        )
        return Floater(player, pair.group.side, (*pair.group.float_reasons(player), why))

    return join(pair.chooser), join(pair.opponent)
