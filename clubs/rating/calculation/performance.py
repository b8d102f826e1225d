"""Rating performance in an event, for information."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from clubs.rating.calculation.fide_regulations import rating_difference_for_percent, round_half_up


@dataclass(frozen=True, slots=True, kw_only=True)
class EventPerformance:
    """Played games against rated opponents: their number, the score in half points, Ra and Rp."""

    games: int
    score: int
    average_opponent: int
    rating: int


def calculate_performance(opponents: Sequence[int], score: int) -> EventPerformance | None:
    """Return Rp = Ra + dp, with dp for the score in whole per cent, halves up (FIDE title regulations 1.4.8).

    None without a rated opponent. `score` is in half points.
    """
    if not opponents:
        return None
    average = round_half_up(Fraction(sum(opponents), len(opponents)))
    percent = round_half_up(Fraction(50 * score, len(opponents)))
    return EventPerformance(
        games=len(opponents),
        score=score,
        average_opponent=average,
        rating=average + rating_difference_for_percent(percent),
    )
