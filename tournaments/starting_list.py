"""The order of the starting list, by which pairing numbers are given."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import TypeAlias

from clubs.models import Title
from tournaments.models import Entry

NameKey: TypeAlias = tuple[tuple[int, ...], tuple[int, ...], str]

_TITLE_RANK = {title: rank for rank, title in enumerate([*Title.values, ""])}
_LETTERS = "aąbcćčdeęfghijklłmnńoópqrřsśštuvwxyzźżžабвгдежзийклмнопрстуфхцчшщъыьэюя"
_PLACE = {letter: place for place, letter in enumerate(_LETTERS, start=2)}
_SAME_AS = {"ø": "o", "đ": "d", "æ": "ae", "œ": "oe", "ß": "ss", "ð": "d", "þ": "th"}
_GAP, _OTHER = 1, len(_LETTERS) + 2


def starting_order(entries: Iterable[Entry]) -> list[Entry]:
    """Entries by rating (highest first), title (GM IM WGM FM WIM CM WFM WCM none), then name; equal names by key."""
    return sorted(
        entries, key=lambda entry: (-entry.rating, _TITLE_RANK[entry.title], name_key(entry.name), entry.pk or 0)
    )


def name_key(name: str) -> NameKey:
    """A key that sorts names of several languages in one list, the same on every machine.

    Latin letters stand before Cyrillic. The marked letters of the Polish and Czech alphabets that are letters of
    their own (Ą Ć Č Ę Ł Ń Ó Ř Ś Š Ź Ż Ž) come after the plain one; any other mark (Á, Ü) counts only where two names
    are otherwise equal. A gap of any kind sorts before every letter, so that a short name stands before its
    extensions; Czech CH is two letters, as in the other languages. Case counts last.
    """
    text = unicodedata.normalize("NFC", name).casefold()
    places: list[int] = []
    marks: list[int] = []
    for character in text:
        for letter in _SAME_AS.get(character, character):
            known = letter if letter in _PLACE else unicodedata.normalize("NFD", letter)[0]
            places.append(_PLACE.get(known, _OTHER + ord(known)) if known.isalnum() else _GAP)
            marks.append(0 if letter == known and character == letter else ord(character))
    return tuple(places), tuple(marks), name
