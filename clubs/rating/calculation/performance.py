"""What a player did in an event, as information: average of the opponents, performance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from clubs.rating.calculation.fide import rounded
from clubs.rating.calculation.tables import difference_for


@dataclass(frozen=True, slots=True, kw_only=True)
class Performance:
    """Played games against rated opponents: their number, the score in half points, Ra and Rp."""

    games: int
    score: int
    average_opponent: int
    rating: int


def performance(opponents: Sequence[int], score: int) -> Performance | None:
    """Rp = Ra + dp, with dp for the score in whole per cent, halves upwards (FIDE title regulations 1.4.8).

    None without a rated opponent. `score` is in half points.
    """
    if not opponents:
        return None
    average = rounded(Fraction(sum(opponents), len(opponents)))
    percent = rounded(Fraction(50 * score, len(opponents)))
    return Performance(
        games=len(opponents), score=score, average_opponent=average, rating=average + difference_for(percent)
    )
