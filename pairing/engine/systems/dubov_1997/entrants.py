"""The players to be paired as this system sees them, and the orders in which it takes them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from pairing.engine.rules.compatibility import absolute_colour
from pairing.engine.rules.field import Contender
from pairing.engine.snapshot import Colour, PairingNumber


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """A player with his ARO and the colour he is due.

    `scaled_average` is the ARO times one number for all players that makes it whole: it compares faster.
    `is_bound` says that his preference is absolute.
    """

    contender: Contender
    tpn: PairingNumber
    rating: int
    average: Fraction
    scaled_average: int
    due: Colour | None
    is_bound: bool


def take_entrants(players: Iterable[Contender], averages: Mapping[PairingNumber, Fraction]) -> tuple[Entrant, ...]:
    """The players with their AROs, in the order given."""
    scale = lcm(*{average.denominator for average in averages.values()})
    return tuple(
        Entrant(
            contender=player,
            tpn=player.tpn,
            rating=player.rating,
            average=(average := averages[player.tpn]),
            scaled_average=average.numerator * (scale // average.denominator),
            due=player.due_colour,
            is_bound=absolute_colour(player) is not None,
        )
        for player in players
    )


class Strength(NamedTuple):
    """7.1, 7.2, 8.2: the highest rating first, then the lowest ARO, then the smallest number."""

    rating: int
    average: int
    tpn: PairingNumber


class WhiteRow(NamedTuple):
    """6.2, white column: the lowest ARO first, then the lowest rating, then the smallest number."""

    average: int
    rating: int
    tpn: PairingNumber


class BlackRow(NamedTuple):
    """6.2, black column: the highest rating first, then the highest ARO, then the smallest number."""

    rating: int
    average: int
    tpn: PairingNumber


class LeavesWhite(NamedTuple):
    """7.3: out of a white column too long the lowest ARO goes first, then the highest rating, the smallest number."""

    average: int
    rating: int
    tpn: PairingNumber


class LeavesBlack(NamedTuple):
    """7.4: out of a black column too long the highest ARO goes first, then the lowest rating, the smallest number."""

    average: int
    rating: int
    tpn: PairingNumber


def strength(entrant: Entrant) -> Strength:
    """Sorts the strongest first."""
    return Strength(-entrant.rating, entrant.scaled_average, entrant.tpn)


def white_row(entrant: Entrant) -> WhiteRow:
    """Sorts the white column from its top."""
    return WhiteRow(entrant.scaled_average, entrant.rating, entrant.tpn)


def black_row(entrant: Entrant) -> BlackRow:
    """Sorts the black column from its top."""
    return BlackRow(-entrant.rating, -entrant.scaled_average, entrant.tpn)


def leaves_white(entrant: Entrant) -> LeavesWhite:
    """Sorts first who goes to the black column."""
    return LeavesWhite(entrant.scaled_average, -entrant.rating, entrant.tpn)


def leaves_black(entrant: Entrant) -> LeavesBlack:
    """Sorts first who goes to the white column."""
    return LeavesBlack(-entrant.scaled_average, entrant.rating, entrant.tpn)


def suits(one: Entrant, other: Entrant) -> bool:
    """7.1, 8.2: their due colours are opposite, or one of them has none."""
    return one.due is None or one.due is not other.due


def larger_part(entrants: Sequence[Entrant]) -> Colour | None:
    """The colour that more of these players are due; None when equally many are due each."""
    whites = sum(entrant.due is Colour.WHITE for entrant in entrants)
    blacks = sum(entrant.due is Colour.BLACK for entrant in entrants)
    if whites == blacks:
        return None
    return Colour.WHITE if whites > blacks else Colour.BLACK
