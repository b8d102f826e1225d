"""The players to be paired as this system sees them, and the orders in which it takes them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import NamedTuple
from unicodedata import combining, normalize

from pairing.engine.rule_interpretations import ARO_TIE_ORDER, COLUMN_BALANCE_TIE_ORDER, RULE_INTERPRETATIONS
from pairing.engine.rules.compatibility import absolute_colour
from pairing.engine.rules.players import PairingPlayer
from pairing.engine.snapshot import Colour, PairingCard, PairingNumber, TournamentSnapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class DubovPlayer:
    """A player with his ARO and the colour he is due.

    `scaled_average` is the ARO times one number for all players that makes it whole: it compares faster.
    `has_absolute_preference` says that his preference is absolute. `order_tie_break` and `balance_tie_break` tell apart
    those whom ARO and R do not: in 6.2, and in 7.3 and 7.4, by number or by name as the event reads these;
    `alternative_order_tie_break` and `alternative_balance_tie_break` as it does not.
    """

    contender: PairingPlayer
    tpn: PairingNumber
    rating: int
    average: Fraction
    scaled_average: int
    due_colour: Colour | None
    has_absolute_preference: bool
    order_tie_break: int
    balance_tie_break: int
    alternative_order_tie_break: int
    alternative_balance_tie_break: int


def build_dubov_players(
    players: Iterable[PairingPlayer], averages: Mapping[PairingNumber, Fraction], snapshot: TournamentSnapshot
) -> tuple[DubovPlayer, ...]:
    """The players with their AROs, in the order given."""
    by_name = _places_by_name(snapshot)
    rows_by_name = (
        snapshot.chosen_interpretation(ARO_TIE_ORDER) == RULE_INTERPRETATIONS[ARO_TIE_ORDER].alternative_value
    )
    columns_by_name = (
        snapshot.chosen_interpretation(COLUMN_BALANCE_TIE_ORDER)
        == RULE_INTERPRETATIONS[COLUMN_BALANCE_TIE_ORDER].alternative_value
    )
    scale = lcm(*{average.denominator for average in averages.values()})
    return tuple(
        DubovPlayer(
            contender=player,
            tpn=player.tpn,
            rating=player.rating,
            average=(average := averages[player.tpn]),
            scaled_average=average.numerator * (scale // average.denominator),
            due_colour=player.due_colour,
            has_absolute_preference=absolute_colour(player) is not None,
            order_tie_break=by_name[player.tpn] if rows_by_name else player.tpn,
            balance_tie_break=by_name[player.tpn] if columns_by_name else player.tpn,
            alternative_order_tie_break=player.tpn if rows_by_name else by_name[player.tpn],
            alternative_balance_tie_break=player.tpn if columns_by_name else by_name[player.tpn],
        )
        for player in players
    )


def _places_by_name(snapshot: TournamentSnapshot) -> dict[PairingNumber, int]:
    """Everybody's place in the alphabet, accents and capitals apart; equal names by number."""

    def key(card: PairingCard) -> tuple[str, str, PairingNumber]:
        letters = "".join(letter for letter in normalize("NFKD", card.name) if not combining(letter))
        return letters.casefold(), card.name, card.tpn

    return {card.tpn: place for place, card in enumerate(sorted(snapshot.cards, key=key), start=1)}


class StrengthKey(NamedTuple):
    """7.1, 7.2, 8.2: the highest rating first, then the lowest ARO, then the smallest number."""

    rating: int
    average: int
    tpn: PairingNumber


class WhiteColumnKey(NamedTuple):
    """6.2, white column: the lowest ARO first, then the lowest rating, then the number or the name."""

    average: int
    rating: int
    place: int


class BlackColumnKey(NamedTuple):
    """6.2, black column: the highest rating first, then the highest ARO, then the number or the name."""

    rating: int
    average: int
    place: int


class WhiteToBlackKey(NamedTuple):
    """7.3: out of a white column too long goes the lowest ARO, then the highest rating, the number or the name."""

    average: int
    rating: int
    place: int


class BlackToWhiteKey(NamedTuple):
    """7.4: out of a black column too long goes the highest ARO, then the lowest rating, the number or the name."""

    average: int
    rating: int
    place: int


def strength_key(entrant: DubovPlayer) -> StrengthKey:
    """Sorts the strongest first."""
    return StrengthKey(-entrant.rating, entrant.scaled_average, entrant.tpn)


def white_column_key(entrant: DubovPlayer) -> WhiteColumnKey:
    """Sorts the white column from its top."""
    return WhiteColumnKey(entrant.scaled_average, entrant.rating, entrant.order_tie_break)


def black_column_key(entrant: DubovPlayer) -> BlackColumnKey:
    """Sorts the black column from its top."""
    return BlackColumnKey(-entrant.rating, -entrant.scaled_average, entrant.order_tie_break)


def white_to_black_key(entrant: DubovPlayer) -> WhiteToBlackKey:
    """Sorts first who goes to the black column."""
    return WhiteToBlackKey(entrant.scaled_average, -entrant.rating, entrant.balance_tie_break)


def black_to_white_key(entrant: DubovPlayer) -> BlackToWhiteKey:
    """Sorts first who goes to the white column."""
    return BlackToWhiteKey(-entrant.scaled_average, entrant.rating, entrant.balance_tie_break)


def has_compatible_due_colour(one: DubovPlayer, other: DubovPlayer) -> bool:
    """7.1, 8.2: their due colours are opposite, or one of them has none."""
    return one.due_colour is None or one.due_colour is not other.due_colour


def majority_due_colour(entrants: Sequence[DubovPlayer]) -> Colour | None:
    """The colour that more of these players are due; None when equally many are due each."""
    whites = sum(entrant.due_colour is Colour.WHITE for entrant in entrants)
    blacks = sum(entrant.due_colour is Colour.BLACK for entrant in entrants)
    if whites == blacks:
        return None
    return Colour.WHITE if whites > blacks else Colour.BLACK
