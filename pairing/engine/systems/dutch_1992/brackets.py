"""Brackets (A3, A5, A8 and C1) and the data shared by the steps of the procedure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from pairing.engine.paired_round import PairingReason, ReasonEntry
from pairing.engine.rules.compatibility import CompatibilityGraph
from pairing.engine.rules.players import PairingPlayer
from pairing.engine.snapshot import Colour, HalfPoints, PairingNumber


@cache
def article_reference(number: str) -> str:
    """Return a reference to an article of this document, as used in reasons."""
    return f"dutch-1992 {number}"


class Downfloater(NamedTuple):
    """A player moved down, and why, bracket by bracket."""

    player: PairingPlayer
    reasons: tuple[PairingReason, ...]


class Pair(NamedTuple):
    """Two paired players, the chooser first."""

    chooser: PairingPlayer
    opponent: PairingPlayer
    reasons: tuple[ReasonEntry, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bracket:
    """A score group and the players moved down to it, without the players whom C1 moves on.

    `company` holds its members in A2 order, the first `moved_down_count` of them moved down. `without_opponent` are
    C1's players. `following` are the residents of the next lower score group, None in the lowest bracket.
    """

    score: HalfPoints
    company: CompatibilityGraph
    moved_down_count: int
    without_opponent: tuple[PairingPlayer, ...]
    next_group_residents: tuple[PairingPlayer, ...] | None
    arrivals: Mapping[PairingNumber, tuple[PairingReason, ...]]

    @property
    def size(self) -> int:
        return len(self.company.players)

    @property
    def is_heterogeneous(self) -> bool:
        """Return True if some members are moved down, but fewer than half (A3)."""
        return 0 < 2 * self.moved_down_count < self.size

    def min_colour_conflicts(self, pairs: int) -> int:
        """Return how many of `pairs` pairs must violate a preference (A8, C14). Each pair not made saves one."""
        white, black = (self.company.due_colour_mask(colour).bit_count() for colour in (Colour.WHITE, Colour.BLACK))
        most = self.size // 2
        return max(0, max(0, max(white, black) - (self.size + 1) // 2) - (most - pairs))


def make_bracket(
    score: HalfPoints,
    arrivals: Sequence[Downfloater],
    residents: Sequence[PairingPlayer],
    following: Sequence[PairingPlayer] | None,
) -> Bracket:
    """Build a bracket. Players without a compatible opponent move down first (C1), except in the lowest one."""
    # Moved-down players have higher scores than residents, so they come first in A2 order.
    everyone = CompatibilityGraph([*sorted((one.player for one in arrivals), key=a2_sort_key), *residents])
    lonely = [
        player
        for player, neighbours in zip(everyone.players, everyone.neighbour_masks, strict=True)
        if not neighbours and following is not None
    ]
    company = everyone
    if lonely:
        gone = {player.tpn for player in lonely}
        company = CompatibilityGraph([player for player in everyone.players if player.tpn not in gone])
    return Bracket(
        score=score,
        company=company,
        moved_down_count=sum(floater.player.tpn in company.places for floater in arrivals),
        without_opponent=tuple(lonely),
        next_group_residents=None if following is None else tuple(following),
        arrivals={floater.player.tpn: floater.reasons for floater in arrivals},
    )


def a2_sort_key(player: PairingPlayer) -> tuple[int, int]:
    """Return the key that sorts by pairing score, then by number (A2). The smallest key ranks first."""
    return (-player.pairing_score, player.number)
