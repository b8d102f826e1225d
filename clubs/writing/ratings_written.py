"""Ratings as lists and people write them."""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Decimal

HIGHEST = 3500
_NONE = frozenset(
    {"", "-", "–", "—", "0", "unrated", "unr", "unr.", "n/a", "none", "brak", "bez", "bez elo", "ohne", "няма"}
)
_NUMBER = re.compile(r"\d{1,4}(?:[.,]\d{1,2})?", re.ASCII)


def read_rating(text: str) -> int:
    """Whole points of a cell such as 1850 or 1850,5 (halves upwards); 0 for one that says there is none.

    Raises ValueError for anything else, and above 3500.
    """
    word = text.strip().casefold()
    if word in _NONE:
        return 0
    if not _NUMBER.fullmatch(word):
        raise ValueError(text)
    points = int(Decimal(word.replace(",", ".")).quantize(Decimal(1), ROUND_HALF_UP))
    if points > HIGHEST:
        raise ValueError(text)
    return points
