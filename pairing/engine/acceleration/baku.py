"""Baku acceleration (FIDE Handbook C.04.5.1): the upper half starts with fictitious points."""

from __future__ import annotations

from collections.abc import Mapping

from pairing.engine.acceleration.announced_rounds import announced_rounds
from pairing.engine.snapshot import HalfPoints, PairingNumber, TournamentSnapshot


def fictitious_points(snapshot: TournamentSnapshot) -> Mapping[PairingNumber, tuple[HalfPoints, ...]]:
    """Return the fictitious half points of every player, one for each round up to the one to be paired.

    A whole point is what a win gives in the event, half a point what a draw gives.
    """
    rounds = announced_rounds(snapshot)
    accelerated = accelerated_group(snapshot)
    worth = {2: snapshot.points.win, 1: snapshot.points.draw, 0: 0}
    by_round = tuple(
        worth[fictitious_points_in_round(number, rounds)] for number in range(1, snapshot.round_number + 1)
    )
    none = (0,) * snapshot.round_number
    return {card.tpn: by_round if card.tpn in accelerated else none for card in snapshot.cards}


def accelerated_group(snapshot: TournamentSnapshot) -> frozenset[PairingNumber]:
    """Return group GA: the first players by TPN. Its size is the one counted before round 1, if known."""
    size = snapshot.accelerated_players
    if size is None:
        size = accelerated_group_size(len(snapshot.cards))
    return frozenset(sorted(card.tpn for card in snapshot.cards)[:size])


def accelerated_group_size(players: int) -> int:
    """Return the size of group GA: 2 x ceil(N / 4)."""
    return 2 * -(-players // 4)


def fictitious_points_in_round(number: int, rounds: int) -> HalfPoints:
    """Return GA's fictitious half points in that round: two, then one, then none."""
    accelerated_rounds = -(-rounds // 2)
    full_rounds = -(-accelerated_rounds // 2)
    if number <= full_rounds:
        return 2
    return 1 if number <= accelerated_rounds else 0
