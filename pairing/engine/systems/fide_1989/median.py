"""Article 9.6: a median group that cannot be paired takes back pairs from the groups around it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pairing.engine.matching import Matching, mask_of
from pairing.engine.paired_round import Cause, ReasonKind, reason
from pairing.engine.rules.compatibility import Company
from pairing.engine.rules.completion import no_legal_round
from pairing.engine.rules.field import Contender
from pairing.engine.systems.fide_1989.groups import Event, Floater, Group, Pair, Side, article


class Widened(NamedTuple):
    """The median group with all who joined it, and the pairs that still stand above and below it."""

    group: Group
    above: list[Pair]
    below: list[Pair]


def widen(group: Group, above: Sequence[Pair], below: Sequence[Pair], event: Event) -> Widened:
    """Split pairs, the one formed last first, until the blocked median group can be paired.

    `above` and `below` are the pairs of each side in the order in which they were formed. Raises
    PairingImpossible where all players together cannot be paired.
    """
    widened = Widened(group, list(above), list(below))
    outside = [player for pair in (*above, *below) for player in (pair.chooser, pair.opponent)]
    everyone = Company((*group.members(), *outside), any_colour=event.any_colour)
    matching = Matching(everyone.graph, mask_of(range(len(everyone.players) - len(outside))))
    incoming = list(group.incoming)
    while matching.deficiency:
        if not widened.above and not widened.below:
            raise no_legal_round(everyone, article("2"))
        for floater in _split(widened, incoming, group):
            incoming.append(floater)
            matching.bring_in(everyone.places[floater.player.tpn])
    return widened._replace(group=group.joined_by(incoming))


def _split(widened: Widened, incoming: Sequence[Floater], median: Group) -> tuple[Floater, Floater]:
    """Split the pair formed last on the side that sent fewer floaters; above where neither sent fewer."""
    from_above = sum(floater.origin is Side.ABOVE for floater in incoming)
    from_below = len(incoming) - from_above
    below_gives = (from_above > from_below and widened.below) or not widened.above
    pair = widened.below.pop() if below_gives else widened.above.pop()

    def join(player: Contender) -> Floater:
        why = reason(
            article("9.6"),
            ReasonKind.FLOATED,
            player.tpn,
            from_half_points=pair.group.score,
            to_half_points=median.score,
            direction="down" if pair.group.side.pairs_down else "up",
            because=Cause.BLOCKED_MEDIAN,
        )
        return Floater(player, pair.group.side, (*pair.group.floats_of(player), why))

    return join(pair.chooser), join(pair.opponent)
