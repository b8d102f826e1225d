"""Ratings as lists and people write them."""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Decimal

MAX_RATING = 3500
_NONE = frozenset(
    {"", "-", "–", "—", "0", "unrated", "unr", "unr.", "n/a", "n.a.", "none", "no rating", "not rated", "nr", "n.r."}
    | {"brak", "brak rankingu", "bez", "bez elo", "b/r", "br", "b.r.", "bez rankingu", "nieklasyfikowany"}
    | {"bez ratingu", "bez rtg", "nehodnocen", "nehodnocená", "nehodnocený", "neklasifikován"}
    | {"няма", "няма рейтинг", "без рейтинг", "без ело", "б/р", "нерейтингован", "нерейтингована"}
    | {"ohne", "ohne wertung", "ohne elo", "ohne dwz", "ohne wertungszahl", "unbewertet", "keine", "keine wertung"}
    | {"sin", "sin elo", "sin rating", "no tiene", "sans", "sans elo", "sans classement", "non classé", "non classée"}
    | {"senza", "senza elo", "senza rating", "nessuno", "non classificato", "non classificata"}
    | {"без", "без рейтингу", "немає", "немає рейтингу", "без ело"}
)
_PLAINLY_NO_NAME = 7
"""Letters: `Unrated` is nobody's name; `Brak`, `Sans` and `Bez` may be."""
_GAP = re.compile(r"(?<=^\d)[ \u00a0\u202f](?=\d{3}(?!\d))")
"""Between thousands and hundreds."""
_NUMBER = re.compile(r"\d{1,4}(?:[.,]\d{1,2})?", re.ASCII)


def parse_rating(text: str) -> int:
    """Whole points of a cell such as 1850 or 1850,5 (halves upwards); 0 for one that says there is none.

    Raises ValueError for anything else, and above 3500.
    """
    if is_unrated_text(text):
        return 0
    word = remove_thousands_gap(text)
    if not _NUMBER.fullmatch(word):
        raise ValueError(text)
    points = int(Decimal(word.replace(",", ".")).quantize(Decimal(1), ROUND_HALF_UP))
    if points > MAX_RATING:
        raise ValueError(text)
    return points


def is_unrated_text(text: str) -> bool:
    """Whether a cell says in one of the usual ways that there is none."""
    return text.strip().casefold() in _NONE


def is_unrated_word(text: str) -> bool:
    """The same where nothing says that a rating is meant: not what may be somebody's name, such as Brak or Sans."""
    word = text.strip()
    is_plain = word == word.casefold() or len(word.split()) > 1 or len(word) >= _PLAINLY_NO_NAME
    return bool(word) and is_plain and is_unrated_text(word)


def remove_thousands_gap(text: str) -> str:
    """A number without the space that some put behind the thousands: 1 850."""
    return _GAP.sub("", text.strip())
