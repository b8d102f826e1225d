"""Facts for reasons that several systems and the evidence of a round give alike."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

from pairing.engine.matching import MaximumMatching, bitmask_members
from pairing.engine.paired_round import DecisionCause, ReasonFact
from pairing.engine.rules.compatibility import CompatibilityGraph
from pairing.engine.rules.players import FloatDirection, PairingPlayer
from pairing.engine.snapshot import HalfPoints, PairingNumber

Facts: TypeAlias = dict[str, ReasonFact]

MAX_NAMED_PLAYERS = 12
"""Name at most this many players in one fact."""


def shortage_facts(
    company: CompatibilityGraph, matching: MaximumMatching, *, roots: int = -1, whole: bool = False
) -> Facts:
    """Return the smallest group of players with too few opponents (all groups if `whole`), and their only opponents.

    Only players without a partner in the bitmask `roots` are looked at.
    """
    trees: list[tuple[int, int]] = []
    for root in bitmask_members(matching.exposed & roots):
        tree = matching.grow_tree(root)
        trees.append((tree.outer, tree.inner))
    outer, inner = min(trees, key=lambda tree: (tree[0].bit_count(), tree[0]))
    if whole:
        for more, fewer in trees:
            outer |= more
            inner |= fewer
    blocked, only = ([company.players[place].tpn for place in bitmask_members(mask)] for mask in (outer, inner))
    facts: Facts = {"blocked": tuple(blocked[:MAX_NAMED_PLAYERS]), "only": tuple(only[:MAX_NAMED_PLAYERS])}
    facts["each_other"] = any(matching.neighbours(place) & outer for place in bitmask_members(outer))
    if len(blocked) > MAX_NAMED_PLAYERS:
        facts["more_blocked"] = len(blocked) - MAX_NAMED_PLAYERS
    return facts


def floater_facts(players: Iterable[PairingPlayer], score: HalfPoints) -> Facts:
    """Return the players who floated up or down into a group with this score."""
    members = list(players)
    up = tuple(player.tpn for player in members if player.pairing_score < score)
    down = tuple(player.tpn for player in members if player.pairing_score > score)
    return {name: players for name, players in (("moved_up", up), ("moved", down)) if players}


MAX_LISTED_HALF = 12
"""List both halves of a group if neither has more players than this."""


def half_facts(group: Sequence[PairingNumber], pairs: int) -> Facts:
    """Return the upper and lower halves of a group before any exchange. Empty for a large group."""
    upper, lower = tuple(group[:pairs]), tuple(group[pairs:])
    return {"upper": upper, "lower": lower} if max(len(upper), len(lower)) <= MAX_LISTED_HALF else {}


class KeptPlayer(NamedTuple):
    """A player who could not leave their group, and why. `round` is the round of an earlier float, or 0."""

    tpn: PairingNumber
    cause: DecisionCause
    round: int = 0


def kept_facts(kept: Sequence[KeptPlayer]) -> Facts:
    """Return the players who could not leave a group, and why. Empty if there are none or too many."""
    if not 0 < len(kept) <= 2 * MAX_LISTED_HALF:
        return {}
    return {
        "kept": tuple(one.tpn for one in kept),
        "kept_because": ",".join(one.cause for one in kept),
        "kept_rounds": tuple(one.round for one in kept),
    }


def earlier_float_facts(players: Iterable[PairingPlayer], direction: FloatDirection, back: Iterable[int]) -> Facts:
    """Return the players who floated in this direction in certain earlier rounds, and which rounds those were."""
    rounds = tuple(back)
    floated = [
        (player.tpn, len(player.floats) + 1 - ago)
        for player in players
        for ago in rounds
        if player.float_rounds_ago(ago) is direction
    ]
    if not 0 < len(floated) <= MAX_NAMED_PLAYERS:
        return {}
    return {
        "again": tuple(tpn for tpn, _ in floated),
        "again_rounds": tuple(number for _, number in floated),
        "again_direction": direction.value,
    }
