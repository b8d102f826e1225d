"""Data shared by the steps of the procedure: event, groups, floaters, pairs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from typing import NamedTuple

from pairing.engine.paired_round import DecisionCause, PairingReason, ReasonEntry
from pairing.engine.rules.players import PairingPlayer
from pairing.engine.snapshot import Colour, HalfPoints

MAX_RATING_GAP = 100
"""The largest allowed rating difference in a maxi event (10.2, 10.8, 12.7), inclusive."""


@cache
def article_reference(number: str) -> str:
    """Return a reference to an article of this document, as used in reasons."""
    return f"fide-1989 art. {number}"


def barring_article(cause: DecisionCause) -> str:
    """Return the article that bars a pairing: 2 if the players have met, 9.1 for colours and the event's own rules."""
    return "2" if cause is DecisionCause.MET else "9.1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fide1989Event:
    """Facts about the event: `is_maxi` (preface), `any_colour` (article 13, last round), and the initial colour.

    `forfeit_win_byes` is the interpretation of 8.2.
    """

    round_number: int
    forfeit_win_byes: str
    is_maxi: bool
    any_colour: bool
    first_colour: Colour


class MedianSide(StrEnum):
    """A group's position relative to the median. WHOLE is a median group that includes everyone, as in round 1."""

    ABOVE = "above"
    BELOW = "below"
    MEDIAN = "median"
    WHOLE = "whole"

    @property
    def is_paired_downwards(self) -> bool:
        """Return True if the group is paired from the top down (9.2)."""
        return self is not MedianSide.BELOW


class Floater(NamedTuple):
    """A player from another group, their side (ABOVE or BELOW), and the reasons."""

    player: PairingPlayer
    origin: MedianSide
    reasons: tuple[PairingReason, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreBracket:
    """A score group to be paired: `score` in half points, its residents and its incoming floaters."""

    score: HalfPoints
    side: MedianSide
    residents: tuple[PairingPlayer, ...]
    incoming: tuple[Floater, ...] = ()

    def all_players(self) -> tuple[PairingPlayer, ...]:
        """Return residents and incoming floaters, smallest number first."""
        everyone = (*self.residents, *(floater.player for floater in self.incoming))
        return tuple(sorted(everyone, key=lambda player: player.number))

    def with_incoming_floaters(self, incoming: Iterable[Floater]) -> ScoreBracket:
        """Return the group with these incoming floaters instead of its previous ones."""
        return replace(self, incoming=tuple(incoming))

    def float_reasons(self, player: PairingPlayer) -> tuple[PairingReason, ...]:
        """Return the reasons why the player floated into the group. Empty for a resident."""
        return next((floater.reasons for floater in self.incoming if floater.player is player), ())


class Pair(NamedTuple):
    """Two paired players, the chooser first, and the group in which they were paired."""

    chooser: PairingPlayer
    opponent: PairingPlayer
    group: ScoreBracket
    reasons: tuple[ReasonEntry, ...]


def sort_floaters(floaters: Iterable[Floater]) -> list[Floater]:
    """Sort floaters in the order they are paired (10.6, 10.7).

    From above first: most points, then smallest number. Then from below: fewest points, then largest number.
    """
    return sorted(floaters, key=_floater_key)


def _floater_key(floater: Floater) -> tuple[bool, int, int]:
    player = floater.player
    if floater.origin is MedianSide.ABOVE:
        return (False, -player.pairing_score, player.number)
    return (True, player.pairing_score, -player.number)
