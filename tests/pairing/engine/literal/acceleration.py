"""Fictitious points of the accelerations, transcribed from the Vega manual's Appendix Q and FIDE C.04.5.1."""

from __future__ import annotations

from math import ceil

from pairing.engine.snapshot import PairingCard, TournamentSnapshot
from tests.pairing.engine.literal.facts import points

COUNTS_AS_GAINED = frozenset("1=0WDL*+-U")


def fictitious_points(snapshot: TournamentSnapshot, bye_worth: int = 2) -> dict[int, tuple[int, ...]]:
    """Every player's fictitious half points in round 1, 2, ..., and the round to be paired.

    Points given by hand stand before those of the acceleration.
    """
    rounds = range(1, snapshot.rounds_paired + 2)
    given = {}
    for card in snapshot.cards:
        if card.fictitious:
            by_hand = card.fictitious + (0,) * len(rounds)
            given[card.tpn] = by_hand[: len(rounds)]
        elif snapshot.acceleration == "progressive":
            given[card.tpn] = tuple(progressive(snapshot, card, r, bye_worth) for r in rounds)
        elif snapshot.acceleration == "baku":
            given[card.tpn] = tuple(baku(snapshot, card, r) for r in rounds)
        else:
            given[card.tpn] = (0,) * len(rounds)
    return given


def is_accelerated(snapshot: TournamentSnapshot) -> bool:
    """Whether an acceleration, or manual fictitious points, apply in this event."""
    return snapshot.acceleration != "none" or any(card.fictitious for card in snapshot.cards)


def progressive(snapshot: TournamentSnapshot, card: PairingCard, round_number: int, bye_worth: int) -> int:
    """Appendix Q: the fictitious half points of one player when that round is paired."""
    assert snapshot.rounds_announced is not None
    gained = sum(points(r, bye_worth) for r in card.records[: round_number - 1] if r.result.value in COUNTS_AS_GAINED)
    return progressive_table(group(card.rating, snapshot.group_limits), gained, round_number, snapshot.rounds_announced)


def progressive_table(group: str, gained: int, round_number: int, rounds: int) -> int:
    """Appendix Q: `gained` and the answer in half points, group "A", "B" or "C"."""
    if round_number >= rounds - 1:
        return 0
    if group == "A":
        return 4
    if gained >= rounds:  # n/2 points are n half points
        return 4
    if group == "B":
        return 4 if gained >= 6 else 3 if gained >= 3 else 2
    return 3 if gained >= 9 else 2 if gained >= 6 else 1 if gained >= 3 else 0


def group(rating: int, limits: tuple[int, int] | None) -> str:
    """Appendix Q: group A from the first limit up, C below the second."""
    upper, lower = limits or (2000, 1600)
    return "A" if rating >= upper else "C" if rating < lower else "B"


def baku(snapshot: TournamentSnapshot, card: PairingCard, round_number: int) -> int:
    """C.04.5.1: the fictitious half points of one player when that round is paired."""
    assert snapshot.rounds_announced is not None
    numbers = sorted(each.tpn for each in snapshot.cards)
    upper_group = numbers[: 2 * ceil(len(numbers) / 4)]
    accelerated_rounds = ceil(snapshot.rounds_announced / 2)
    full_point_rounds = ceil(accelerated_rounds / 2)
    if card.tpn not in upper_group or round_number > accelerated_rounds:
        return 0
    return 2 if round_number <= full_point_rounds else 1
