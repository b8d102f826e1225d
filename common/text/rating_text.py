"""Ratings as written in lists and by people: parsing, and the form field."""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

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
"""In letters: `Unrated` is never a name, but `Brak`, `Sans` and `Bez` may be."""
_GAP = re.compile(r"(?<=^\d)[ \u00a0\u202f](?=\d{3}(?!\d))")
"""The gap between thousands and hundreds."""
_NUMBER = re.compile(r"\d{1,4}(?:[.,]\d{1,2})?", re.ASCII)
_WITH_MARK = re.compile(r"([0-9]{3,4})(?:\s?[*?]|\s?P|[^\W\d_][0-9]{0,2})")


def parse_rating(text: str) -> int:
    """Return the rating in a cell such as 1850, 1850P or 1850,5 in whole points (halves up), or 0 for no rating.

    Raises ValueError if it is anything else, or above 3500.
    """
    if is_unrated_text(text):
        return 0
    word = remove_rating_mark(remove_thousands_gap(text))
    if not _NUMBER.fullmatch(word):
        raise ValueError(text)
    points = int(Decimal(word.replace(",", ".")).quantize(Decimal(1), ROUND_HALF_UP))
    if points > MAX_RATING:
        raise ValueError(text)
    return points


def is_unrated_text(text: str) -> bool:
    """Return True if a cell says, in one of the usual forms, that there is no rating."""
    return text.strip().casefold() in _NONE


def is_unrated_word(text: str) -> bool:
    """Return True if a word outside a rating column means "no rating", and cannot be a name such as Brak or Sans."""
    word = text.strip()
    is_plain = word == word.casefold() or len(word.split()) > 1 or len(word) >= _PLAINLY_NO_NAME
    return bool(word) and is_plain and is_unrated_text(word)


def remove_thousands_gap(text: str) -> str:
    """Remove the gap after the thousands, for example in 1 850."""
    return _GAP.sub("", text.strip())


def remove_rating_mark(text: str) -> str:
    """Remove the mark that national lists add to some ratings, such as ratings from few games: 1420*, 1390P, 1400?."""
    match = _WITH_MARK.fullmatch(text)
    return match[1] if match else text


class RatingField(forms.IntegerField):
    """A whole number up to 3500, or empty for a player without a rating."""

    default_error_messages = {
        "invalid": _("Enter the rating as a whole number, such as 1850."),
        "max_value": _("Ratings go up to 3500. Check the digits."),
        "min_value": _("A rating can't be below 0. Check the digits."),
    }

    def __init__(self, **kwargs: Any) -> None:
        about = {"label": _("rating"), "help_text": _("Leave empty for a player without a rating.")}
        super().__init__(required=False, min_value=0, max_value=MAX_RATING, **about | kwargs)
