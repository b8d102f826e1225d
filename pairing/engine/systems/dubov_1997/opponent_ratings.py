"""ARO, the average rating of a player's opponents (articles 1 and 9): exact fractions, rounded only for display."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from pairing.engine.paired_round import ReasonFact
from pairing.engine.snapshot import PairingCard, PairingNumber, TournamentSnapshot


def average_opponent_ratings(snapshot: TournamentSnapshot) -> dict[PairingNumber, Fraction]:
    """Return the ARO of every player on the starting list, absent or not, after the rounds so far (9).

    This is the mean rating of the opponents of played games, each game counted; 0 if there are none.
    """
    ratings = {card.tpn: card.rating for card in snapshot.cards}
    return {card.tpn: _average_rating(card, ratings) for card in snapshot.cards}


def round_to_one_decimal(average: Fraction) -> Decimal:
    """Round an average to one decimal, as the list shows it (9); half a tenth is rounded up."""
    twentieths = 20 * average.numerator + average.denominator
    return Decimal(twentieths // (2 * average.denominator)).scaleb(-1)


def format_mixed_number(average: Fraction) -> str:
    """Format an exact average as `2344 1/3`."""
    whole, left = divmod(average.numerator, average.denominator)
    return f"{whole} {left}/{average.denominator}" if left else str(whole)


def average_rating_facts(average: Fraction, *, of: str = "average") -> dict[str, ReasonFact]:
    """Return an exact average as the facts of a reason."""
    return {f"{of}_numerator": average.numerator, f"{of}_denominator": average.denominator}


def _average_rating(card: PairingCard, ratings: dict[PairingNumber, int]) -> Fraction:
    met = [ratings[record.opponent] for record in card.records if record.is_played and record.opponent is not None]
    return Fraction(sum(met), len(met)) if met else Fraction(0)
