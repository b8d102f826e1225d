"""What tie-breaks are worked out from, and what they give."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import TypeAlias

from pairing.engine.snapshot import HalfPoints, PairingNumber, TournamentSnapshot
from pairing.engine.systems.jahr import JahrValues, jahr_values


class StandingsFacts:
    """An event after its rounds, with what several tie-breaks share worked out once."""

    def __init__(self, snapshot: TournamentSnapshot) -> None:
        self.snapshot = snapshot

    @cached_property
    def running_points(self) -> Mapping[PairingNumber, tuple[HalfPoints, ...]]:
        """Everyone's half points after round 1, 2, ..."""
        running = {}
        for card in self.snapshot.cards:
            points, so_far = 0, []
            for record in card.records:
                points += record.result.half_points(pairing_allocated_bye=self.snapshot.pairing_allocated_bye)
                so_far.append(points)
            running[card.tpn] = tuple(so_far)
        return running

    @cached_property
    def points(self) -> Mapping[PairingNumber, HalfPoints]:
        return {tpn: running[-1] if running else 0 for tpn, running in self.running_points.items()}

    @cached_property
    def ratings(self) -> Mapping[PairingNumber, int]:
        return {card.tpn: card.rating for card in self.snapshot.cards}

    @cached_property
    def jahr(self) -> Mapping[PairingNumber, JahrValues]:
        return jahr_values(self.snapshot)


@dataclass(frozen=True, slots=True, kw_only=True)
class TieBreakValue:
    """What a tie-break says of one player.

    `key` decides, compared from its first number on, the greater the better; `number` is what a table shows, to
    `decimals` places.
    """

    key: tuple[int, ...]
    number: Decimal
    decimals: int

    @property
    def text(self) -> str:
        return f"{self.number:.{self.decimals}f}"


TieBreak: TypeAlias = Callable[[StandingsFacts], Mapping[PairingNumber, TieBreakValue]]
"""A tie-break: its value for every player of the starting list."""
