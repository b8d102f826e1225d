"""Widths of letters, digits and symbols in the papers' fonts, in em, from `faces.json` (see `measure_fonts`)."""

from __future__ import annotations

import json
import unicodedata
from enum import StrEnum
from functools import lru_cache
from pathlib import Path

FIGURE_SPACE, PUNCTUATION_SPACE, EM_SPACE, EN_SPACE = "\u2007", "\u2008", "\u2003", "\u2002"
"""Spaces as wide as a digit and as a decimal point, the widest space, and half of it."""

ELLIPSIS = "…"


class Typeface(StrEnum):
    """A font of the papers: cards and narrow boxes, everything else, and both in bold."""

    CARDS = "cards"
    CARDS_BOLD = "cards-bold"
    TEXT = "text"
    TEXT_BOLD = "text-bold"


class _Widths(dict[str, float]):
    def __missing__(self, sign: str) -> float:
        """Return 0 for a combining mark, otherwise 1: another font supplies it, which may be wide."""
        self[sign] = wide = 0.0 if unicodedata.category(sign) in ("Mn", "Me", "Cf", "Cc") else 1.0
        return wide


@lru_cache
def _widths(face: Typeface) -> _Widths:
    table = json.loads(Path(__file__).with_name("faces.json").read_text(encoding="utf-8"))[face]
    found = _Widths()
    for width, signs in table.items():
        for sign in signs:
            if not unicodedata.combining(sign):
                found[sign] = int(width) / 1000
    return found


def text_width(text: str, typeface: Typeface = Typeface.CARDS) -> float:
    """Return the width of a text in em."""
    of = _widths(typeface)
    return sum([of[sign] for sign in text])


_SPACES = "\u2003\u2007\u2002\u2004\u2005\u2006\u200a"


def spaces_of_width(ems: float, typeface: Typeface = Typeface.CARDS) -> str:
    """Return spaces of this width or slightly less; empty for a negative width."""
    of = _widths(typeface)
    found = ""
    for space in _SPACES:
        count = max(0, int(ems / of[space]))
        found += space * count
        ems -= count * of[space]
    return found


def fit_name(name: str, ems: float, typeface: Typeface = Typeface.CARDS) -> str:
    """Shorten a name to a width in em: given names to initials first, then the end."""
    if text_width(name, typeface) <= ems:
        return name
    family, _comma, given = name.partition(", ")
    if given and text_width(abbreviate_given_names(name), typeface) <= ems:
        return abbreviate_given_names(name)
    return truncate_text(family, ems, typeface)


def abbreviate_given_names(name: str) -> str:
    """Return a name with its given names as initials."""
    family, comma, given = name.partition(", ")
    return family + comma + " ".join(f"{part[0]}." for part in unicodedata.normalize("NFC", given).split())


def truncate_text(text: str, ems: float, typeface: Typeface = Typeface.CARDS) -> str:
    """Shorten a text to a width in em, with an ellipsis; letters keep their combining marks."""
    if text_width(text, typeface) <= ems:
        return text
    while text and text_width(text + ELLIPSIS, typeface) > ems:
        while len(text) > 1 and unicodedata.combining(text[-1]):
            text = text[:-1]
        text = text[:-1]
    return text.rstrip(" -,.") + ELLIPSIS
