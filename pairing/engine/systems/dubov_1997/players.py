"""The players as this system sees them, and its sort orders."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import lcm
from typing import NamedTuple, TypeAlias
from unicodedata import combining, normalize

from pairing.engine.paired_round import PairedRound, PairingImpossible, ReasonFact, ReasonKind
from pairing.engine.rule_interpretations import ARO_TIE_ORDER, COLUMN_BALANCE_TIE_ORDER, RULE_INTERPRETATIONS
from pairing.engine.rules.compatibility import absolute_colour
from pairing.engine.rules.players import FloatDirection, PairingPlayer
from pairing.engine.rules.snapshot_before import snapshot_before_round
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
    """Return everyone's alphabetical place, ignoring accents and capitals. Equal names by number."""

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
    """Return the key that sorts the strongest first."""
    return StrengthKey(-entrant.rating, entrant.scaled_average, entrant.tpn)


def white_column_key(entrant: DubovPlayer) -> WhiteColumnKey:
    """Return the key that sorts the White column from its top."""
    return WhiteColumnKey(entrant.scaled_average, entrant.rating, entrant.order_tie_break)


def black_column_key(entrant: DubovPlayer) -> BlackColumnKey:
    """Return the key that sorts the Black column from its top."""
    return BlackColumnKey(-entrant.rating, -entrant.scaled_average, entrant.order_tie_break)


def white_to_black_key(entrant: DubovPlayer) -> WhiteToBlackKey:
    """Return the key that sorts players by who moves to the Black column first."""
    return WhiteToBlackKey(entrant.scaled_average, -entrant.rating, entrant.balance_tie_break)


def black_to_white_key(entrant: DubovPlayer) -> BlackToWhiteKey:
    """Return the key that sorts players by who moves to the White column first."""
    return BlackToWhiteKey(-entrant.scaled_average, entrant.rating, entrant.balance_tie_break)


def has_compatible_due_colour(one: DubovPlayer, other: DubovPlayer) -> bool:
    """Return True if two players' due colours are opposite, or one has no due colour (7.1, 8.2)."""
    return one.due_colour is None or one.due_colour is not other.due_colour


def majority_due_colour(entrants: Sequence[DubovPlayer]) -> Colour | None:
    """Return the colour that more players are due, or None if the numbers are equal."""
    whites = sum(entrant.due_colour is Colour.WHITE for entrant in entrants)
    blacks = sum(entrant.due_colour is Colour.BLACK for entrant in entrants)
    if whites == blacks:
        return None
    return Colour.WHITE if whites > blacks else Colour.BLACK


def average_opponent_ratings(snapshot: TournamentSnapshot) -> dict[PairingNumber, Fraction]:
    """Return the ARO of every player on the starting list, absent or not, after the rounds so far (9).

    This is the mean rating of the opponents of played games, each game counted; 0 if there are none.
    """
    ratings = {card.tpn: card.rating for card in snapshot.cards}
    return {card.tpn: _average_rating(card, ratings) for card in snapshot.cards}


def round_to_one_decimal(average: Fraction) -> Decimal:
    """Round an average to one decimal, as on the printed list of averages (9). Half a tenth is rounded up."""
    twentieths = 20 * average.numerator + average.denominator
    return Decimal(twentieths // (2 * average.denominator)).scaleb(-1)


def format_mixed_number(average: Fraction) -> str:
    """Format an exact average as `2344 1/3`."""
    whole, left = divmod(average.numerator, average.denominator)
    return f"{whole} {left}/{average.denominator}" if left else str(whole)


def average_rating_facts(average: Fraction, *, of: str = "average") -> dict[str, ReasonFact]:
    """Return an exact average as the facts of a reason."""
    return {f"{of}_numerator": average.numerator, f"{of}_denominator": average.denominator}


def rating_facts(of: str, entrants: Iterable[DubovPlayer]) -> dict[str, ReasonFact]:
    """Return players' ratings and exact averages as the facts of a reason, one value per player.

    The average of a player without opponents is 0/0.
    """
    listed, prefix = tuple(entrants), f"{of}_" if of else ""
    ratios = [entrant.average.as_integer_ratio() if entrant.contender.met_in_round else (0, 0) for entrant in listed]
    return {
        f"{prefix}ratings": tuple([entrant.rating for entrant in listed]),
        f"{prefix}average_numerators": tuple([above for above, _ in ratios]),
        f"{prefix}average_denominators": tuple([below for _, below in ratios]),
    }


def compared_facts(entrants: Sequence[DubovPlayer]) -> dict[str, ReasonFact]:
    """Return the players that a rule compares, in its order, with all values it looks at."""
    return {
        "compared": tuple([one.tpn for one in entrants]),
        "compared_half_points": tuple([one.contender.pairing_score for one in entrants]),
        "compared_dues": "".join([one.due_colour.value if one.due_colour else "-" for one in entrants]),
        **rating_facts("compared", entrants),
    }


def _average_rating(card: PairingCard, ratings: dict[PairingNumber, int]) -> Fraction:
    met = [ratings[record.opponent] for record in card.records if record.is_played and record.opponent is not None]
    return Fraction(sum(met), len(met)) if met else Fraction(0)


UpfloatRounds: TypeAlias = Mapping[PairingNumber, frozenset[int]]
"""The rounds in which each player was moved up."""

PairEarlierRound: TypeAlias = Callable[[TournamentSnapshot, UpfloatRounds], PairedRound]
"""Pairs a round, given who was moved up before it."""


def find_upfloat_rounds(
    snapshot: TournamentSnapshot, field: tuple[PairingPlayer, ...], pair_anew: PairEarlierRound
) -> UpfloatRounds:
    """Return the rounds in which each player was moved up, worked out round by round. `field` has the float marks."""
    rounds: dict[PairingNumber, frozenset[int]] = {player.tpn: frozenset() for player in field}
    cards = {card.tpn: card for card in snapshot.cards}
    for number in range(1, snapshot.rounds_paired + 1):
        opponents, moved = _as_the_rules_have_it(snapshot_before_round(snapshot, number), rounds, pair_anew)
        for player in field:
            opponent = cards[player.tpn].records[number - 1].opponent
            if opponent is None:
                continue
            by_the_rules = opponents.get(player.tpn) == opponent
            if player.tpn in moved if by_the_rules else player.floats[number - 1] is FloatDirection.UP:
                rounds[player.tpn] |= {number}
    return rounds


def _as_the_rules_have_it(
    before: TournamentSnapshot, rounds: UpfloatRounds, pair_anew: PairEarlierRound
) -> tuple[Mapping[PairingNumber, PairingNumber], frozenset[PairingNumber]]:
    """Return everyone's opponent and the players moved up by the rules. Empty if no round is possible."""
    try:
        paired = pair_anew(before, dict(rounds))
    except PairingImpossible:
        return {}, frozenset()
    opponents = {game.white: game.black for game in paired.games} | {game.black: game.white for game in paired.games}
    moved = frozenset(
        why.players[0]
        for game in paired.games
        for why in game.reasons
        if why.kind is ReasonKind.FLOATED and why.get_fact("direction") == "up"
    )
    return opponents, moved
