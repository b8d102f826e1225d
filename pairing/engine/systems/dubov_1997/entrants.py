"""The players to be paired as this system sees them, and the orders in which it takes them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import NamedTuple
from unicodedata import combining, normalize

from pairing.engine.readings import COLUMNS, READINGS, ROWS
from pairing.engine.rules.compatibility import absolute_colour
from pairing.engine.rules.field import Contender
from pairing.engine.snapshot import Colour, PairingCard, PairingNumber, TournamentSnapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """A player with his ARO and the colour he is due.

    `scaled_average` is the ARO times one number for all players that makes it whole: it compares faster.
    `is_bound` says that his preference is absolute. `in_rows` and `in_columns` tell apart those whom ARO and R do not:
    in 6.2, and in 7.3 and 7.4, by number or by name as the event reads these; `other_in_rows` and `other_in_columns` as
    it does not.
    """

    contender: Contender
    tpn: PairingNumber
    rating: int
    average: Fraction
    scaled_average: int
    due: Colour | None
    is_bound: bool
    in_rows: int
    in_columns: int
    other_in_rows: int
    other_in_columns: int


def take_entrants(
    players: Iterable[Contender], averages: Mapping[PairingNumber, Fraction], snapshot: TournamentSnapshot
) -> tuple[Entrant, ...]:
    """The players with their AROs, in the order given."""
    by_name = _places_by_name(snapshot)
    rows_by_name = snapshot.reading(ROWS) == READINGS[ROWS].other
    columns_by_name = snapshot.reading(COLUMNS) == READINGS[COLUMNS].other
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
            in_rows=by_name[player.tpn] if rows_by_name else player.tpn,
            in_columns=by_name[player.tpn] if columns_by_name else player.tpn,
            other_in_rows=player.tpn if rows_by_name else by_name[player.tpn],
            other_in_columns=player.tpn if columns_by_name else by_name[player.tpn],
        )
        for player in players
    )


def _places_by_name(snapshot: TournamentSnapshot) -> dict[PairingNumber, int]:
    """Everybody's place in the alphabet, accents and capitals apart; equal names by number."""

    def key(card: PairingCard) -> tuple[str, str, PairingNumber]:
        letters = "".join(letter for letter in normalize("NFKD", card.name) if not combining(letter))
        return letters.casefold(), card.name, card.tpn

    return {card.tpn: place for place, card in enumerate(sorted(snapshot.cards, key=key), start=1)}


class Strength(NamedTuple):
    """7.1, 7.2, 8.2: the highest rating first, then the lowest ARO, then the smallest number."""

    rating: int
    average: int
    tpn: PairingNumber


class WhiteRow(NamedTuple):
    """6.2, white column: the lowest ARO first, then the lowest rating, then the number or the name."""

    average: int
    rating: int
    place: int


class BlackRow(NamedTuple):
    """6.2, black column: the highest rating first, then the highest ARO, then the number or the name."""

    rating: int
    average: int
    place: int


class LeavesWhite(NamedTuple):
    """7.3: out of a white column too long goes the lowest ARO, then the highest rating, the number or the name."""

    average: int
    rating: int
    place: int


class LeavesBlack(NamedTuple):
    """7.4: out of a black column too long goes the highest ARO, then the lowest rating, the number or the name."""

    average: int
    rating: int
    place: int


def strength(entrant: Entrant) -> Strength:
    """Sorts the strongest first."""
    return Strength(-entrant.rating, entrant.scaled_average, entrant.tpn)


def white_row(entrant: Entrant) -> WhiteRow:
    """Sorts the white column from its top."""
    return WhiteRow(entrant.scaled_average, entrant.rating, entrant.in_rows)


def black_row(entrant: Entrant) -> BlackRow:
    """Sorts the black column from its top."""
    return BlackRow(-entrant.rating, -entrant.scaled_average, entrant.in_rows)


def leaves_white(entrant: Entrant) -> LeavesWhite:
    """Sorts first who goes to the black column."""
    return LeavesWhite(entrant.scaled_average, -entrant.rating, entrant.in_columns)


def leaves_black(entrant: Entrant) -> LeavesBlack:
    """Sorts first who goes to the white column."""
    return LeavesBlack(-entrant.scaled_average, entrant.rating, entrant.in_columns)


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
