"""Ratings as lists and people write them."""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Decimal

HIGHEST = 3500
_NONE = frozenset(
    {"", "-", "–", "—", "0", "unrated", "unr", "unr.", "n/a", "none", "brak", "bez", "bez elo", "ohne", "няма"}
    | {"nr", "n.r.", "not rated", "b/r", "br", "b.r.", "bez rankingu", "bez ratingu", "nehodnocen", "ohne wertung"}
    | {"sin elo", "sans", "non classé", "senza elo", "без рейтинг", "без рейтингу", "немає"}
)
_GAP = re.compile(r"(?<=^\d)[ \u00a0\u202f](?=\d{3}(?!\d))")
"""Between thousands and hundreds."""
_NUMBER = re.compile(r"\d{1,4}(?:[.,]\d{1,2})?", re.ASCII)


def read_rating(text: str) -> int:
    """Whole points of a cell such as 1850 or 1850,5 (halves upwards); 0 for one that says there is none.

    Raises ValueError for anything else, and above 3500.
    """
    if says_no_rating(text):
        return 0
    word = without_gap(text)
    if not _NUMBER.fullmatch(word):
        raise ValueError(text)
    points = int(Decimal(word.replace(",", ".")).quantize(Decimal(1), ROUND_HALF_UP))
    if points > HIGHEST:
        raise ValueError(text)
    return points


def says_no_rating(text: str) -> bool:
    """Whether a cell says in one of the usual ways that there is none."""
    return text.strip().casefold() in _NONE


def without_gap(text: str) -> str:
    """A number without the space that some put behind the thousands: 1 850."""
    return _GAP.sub("", text.strip())
