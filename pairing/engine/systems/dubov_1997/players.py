"""The players as this system sees them, and its sort orders."""

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
    """A player with their ARO and due colour.

    `scaled_average` is the ARO times a number that makes all AROs whole, for fast comparison. The tie-breaks separate
    players with equal ARO and R: `order_tie_break` in 6.2, `balance_tie_break` in 7.3 and 7.4. Each is by number or by
    name, as the event interprets the rule. The `alternative_` ones use the other interpretation.
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
    """Return the players with their AROs, in the order given."""
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
    """Return everyone's alphabetical place, ignoring accents and capitals; equal names by number."""

    def key(card: PairingCard) -> tuple[str, str, PairingNumber]:
        letters = "".join(letter for letter in normalize("NFKD", card.name) if not combining(letter))
        return letters.casefold(), card.name, card.tpn

    return {card.tpn: place for place, card in enumerate(sorted(snapshot.cards, key=key), start=1)}


class StrengthKey(NamedTuple):
    """Sort key of 7.1, 7.2, 8.2: highest rating, lowest ARO, smallest number."""

    rating: int
    average: int
    tpn: PairingNumber


class WhiteColumnKey(NamedTuple):
    """Sort key of the White column (6.2): lowest ARO, lowest rating, then number or name."""

    average: int
    rating: int
    place: int


class BlackColumnKey(NamedTuple):
    """Sort key of the Black column (6.2): highest rating, highest ARO, then number or name."""

    rating: int
    average: int
    place: int


class WhiteToBlackKey(NamedTuple):
    """Sort key for moves out of the White column (7.3): lowest ARO, highest rating, then number or name."""

    average: int
    rating: int
    place: int


class BlackToWhiteKey(NamedTuple):
    """Sort key for moves out of the Black column (7.4): highest ARO, lowest rating, then number or name."""

    average: int
    rating: int
    place: int


def strength_key(entrant: DubovPlayer) -> StrengthKey:
    """Sort the strongest first."""
    return StrengthKey(-entrant.rating, entrant.scaled_average, entrant.tpn)


def white_column_key(entrant: DubovPlayer) -> WhiteColumnKey:
    """Sort the White column from its top."""
    return WhiteColumnKey(entrant.scaled_average, entrant.rating, entrant.order_tie_break)


def black_column_key(entrant: DubovPlayer) -> BlackColumnKey:
    """Sort the Black column from its top."""
    return BlackColumnKey(-entrant.rating, -entrant.scaled_average, entrant.order_tie_break)


def white_to_black_key(entrant: DubovPlayer) -> WhiteToBlackKey:
    """Sort players by who moves to the Black column first."""
    return WhiteToBlackKey(entrant.scaled_average, -entrant.rating, entrant.balance_tie_break)


def black_to_white_key(entrant: DubovPlayer) -> BlackToWhiteKey:
    """Sort players by who moves to the White column first."""
    return BlackToWhiteKey(-entrant.scaled_average, entrant.rating, entrant.balance_tie_break)


def has_compatible_due_colour(one: DubovPlayer, other: DubovPlayer) -> bool:
    """Return True if their due colours are opposite, or one has none (7.1, 8.2)."""
    return one.due_colour is None or one.due_colour is not other.due_colour


def majority_due_colour(entrants: Sequence[DubovPlayer]) -> Colour | None:
    """Return the colour that more players are due; None if equal."""
    whites = sum(entrant.due_colour is Colour.WHITE for entrant in entrants)
    blacks = sum(entrant.due_colour is Colour.BLACK for entrant in entrants)
    if whites == blacks:
        return None
    return Colour.WHITE if whites > blacks else Colour.BLACK
