"""What the steps of the procedure hand to one another: the event's facts, groups, floaters, pairs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from typing import NamedTuple

from pairing.engine.compact_reasons import ReasonEntry
from pairing.engine.paired_round import DecisionCause, PairingReason
from pairing.engine.rules.players import PairingPlayer
from pairing.engine.snapshot import Colour, HalfPoints

MAX_RATING_GAP = 100
"""How far ratings may lie apart in a maxi event (10.2, 10.8, 12.7), this figure included."""


@cache
def article_reference(number: str) -> str:
    """An article of this document, as reasons name it."""
    return f"fide-1989 art. {number}"


def barring_article(cause: DecisionCause) -> str:
    """The article that keeps two players apart: 2 where they have met; 9.1 for colours and the event's own rules."""
    return "2" if cause is DecisionCause.MET else "9.1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fide1989Event:
    """What the articles ask about the event: `is_maxi` (preface), `any_colour` (13, last round), round 1's colour.

    `forfeit_win_byes` is how 8.2 is read.
    """

    round_number: int
    forfeit_win_byes: str
    is_maxi: bool
    any_colour: bool
    first_colour: Colour


class MedianSide(StrEnum):
    """Where a group stands to the median; WHOLE is a median group that holds everyone, as in round 1."""

    ABOVE = "above"
    BELOW = "below"
    MEDIAN = "median"
    WHOLE = "whole"

    @property
    def is_paired_downwards(self) -> bool:
        """Whether the group is paired from the top down (9.2)."""
        return self is not MedianSide.BELOW


class Floater(NamedTuple):
    """A player out of another group: the side he comes from (ABOVE or BELOW), and why he came."""

    player: PairingPlayer
    origin: MedianSide
    reasons: tuple[PairingReason, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreBracket:
    """A score group about to be paired: `score` in half points, its residents, the floaters that came in."""

    score: HalfPoints
    side: MedianSide
    residents: tuple[PairingPlayer, ...]
    incoming: tuple[Floater, ...] = ()

    def all_players(self) -> tuple[PairingPlayer, ...]:
        """Residents and incoming together, the smallest number first."""
        everyone = (*self.residents, *(floater.player for floater in self.incoming))
        return tuple(sorted(everyone, key=lambda player: player.number))

    def with_incoming(self, incoming: Iterable[Floater]) -> ScoreBracket:
        """The group with these floaters in place of its own."""
        return replace(self, incoming=tuple(incoming))

    def float_reasons(self, player: PairingPlayer) -> tuple[PairingReason, ...]:
        """Why the player came into the group; nothing for a resident."""
        return next((floater.reasons for floater in self.incoming if floater.player is player), ())


class Pair(NamedTuple):
    """Two players paired, the one whose turn it was first, in the group where it happened."""

    chooser: PairingPlayer
    opponent: PairingPlayer
    group: ScoreBracket
    reasons: tuple[ReasonEntry, ...]


def sort_floaters(floaters: Iterable[Floater]) -> list[Floater]:
    """10.6, 10.7: the order in which floaters are paired.

    Those from above first: most points, then smallest number; then those from below: fewest points, largest number.
    """
    return sorted(floaters, key=_floater_key)


def _floater_key(floater: Floater) -> tuple[bool, int, int]:
    player = floater.player
    if floater.origin is MedianSide.ABOVE:
        return (False, -player.pairing_score, player.number)
    return (True, player.pairing_score, -player.number)
