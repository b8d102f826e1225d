"""What the steps of the procedure hand to one another: the event's facts, groups, floaters, pairs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from typing import NamedTuple

from pairing.engine.paired_round import Cause, Reason
from pairing.engine.reason_runs import Told
from pairing.engine.rules.field import Contender
from pairing.engine.snapshot import Colour, HalfPoints

RATING_LIMIT = 100
"""How far ratings may lie apart in a maxi event (10.2, 10.8, 12.7), this figure included."""


@cache
def article(number: str) -> str:
    """An article of this document, as reasons name it."""
    return f"fide-1989 art. {number}"


def barred_by(cause: Cause) -> str:
    """The article that keeps two players apart: 2 where they have met; 9.1 for colours and the event's own rules."""
    return "2" if cause is Cause.MET else "9.1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """What the articles ask about the event: `maxi` (preface), `any_colour` (13, last round), round 1's colour.

    `forfeit_winners` is how 8.2 is read.
    """

    round_number: int
    forfeit_winners: str
    maxi: bool
    any_colour: bool
    first_colour: Colour


class Side(StrEnum):
    """Where a group stands to the median; WHOLE is a median group that holds everyone, as in round 1."""

    ABOVE = "above"
    BELOW = "below"
    MEDIAN = "median"
    WHOLE = "whole"

    @property
    def pairs_down(self) -> bool:
        """Whether the group is paired from the top down (9.2)."""
        return self is not Side.BELOW


class Floater(NamedTuple):
    """A player out of another group: the side he comes from (ABOVE or BELOW), and why he came."""

    player: Contender
    origin: Side
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """A score group about to be paired: `score` in half points, its residents, the floaters that came in."""

    score: HalfPoints
    side: Side
    residents: tuple[Contender, ...]
    incoming: tuple[Floater, ...] = ()

    def members(self) -> tuple[Contender, ...]:
        """Residents and incoming together, the smallest number first."""
        everyone = (*self.residents, *(floater.player for floater in self.incoming))
        return tuple(sorted(everyone, key=lambda player: player.number))

    def joined_by(self, incoming: Iterable[Floater]) -> Group:
        """The group with these floaters in place of its own."""
        return replace(self, incoming=tuple(incoming))

    def floats_of(self, player: Contender) -> tuple[Reason, ...]:
        """Why the player came into the group; nothing for a resident."""
        return next((floater.reasons for floater in self.incoming if floater.player is player), ())


class Pair(NamedTuple):
    """Two players paired, the one whose turn it was first, in the group where it happened."""

    chooser: Contender
    opponent: Contender
    group: Group
    reasons: tuple[Told, ...]


def floaters_in_order(floaters: Iterable[Floater]) -> list[Floater]:
    """10.6, 10.7: the order in which floaters are paired.

    Those from above first: most points, then smallest number; then those from below: fewest points, largest number.
    """
    return sorted(floaters, key=_floater_key)


def _floater_key(floater: Floater) -> tuple[bool, int, int]:
    player = floater.player
    if floater.origin is Side.ABOVE:
        return (False, -player.pairing_score, player.number)
    return (True, player.pairing_score, -player.number)
