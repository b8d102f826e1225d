"""The order of names of several languages in one list, the same on every machine and database."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import TypeAlias

NameSortKey: TypeAlias = tuple[tuple[int, ...], tuple[int, ...], str]

_LETTERS = "aąbcćčdeęfghijklłmnńoópqrřsśštuvwxyzźżžабвгдежзийклмнопрстуфхцчшщъыьэюя"
_PLACE = {letter: place for place, letter in enumerate(_LETTERS, start=2)}
_SAME_AS = {"ø": "o", "đ": "d", "æ": "ae", "œ": "oe", "ß": "ss", "ð": "d", "þ": "th"}
_GAP, _OTHER = 1, len(_LETTERS) + 2

_WRITTEN_BEFORE_NAMES = """
af al am auf aus av da dal de degli dei del della den der des di do dos du el het im in la las le los ten ter tot und
van vom von y z ze zu zum zur фон де ван
"""
_PARTICLES = frozenset(_WRITTEN_BEFORE_NAMES.split())

SORT_TEXT_LENGTH = 640
"""The length of a stored sort text, in characters."""


@lru_cache(maxsize=8192)
def name_sort_key(name: str) -> NameSortKey:
    """Return a key that sorts names from several languages in one list.

    Latin letters come before Cyrillic. Separate letters of the Polish and Czech alphabets (Ą Ć Č Ę Ł Ń Ó Ř Ś Š Ź Ż Ž)
    follow the plain one. Other diacritics (Á, Ü) count only between otherwise equal names. Gaps come before letters, so
    that a short name precedes its extensions. Czech CH is two letters, as in the other languages. Case counts last.
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


def split_name_particles(family_name: str) -> tuple[str, str]:
    """Split a family name into its sorted part and its particles: `van den Berg` is `Berg`, `van den`.

    Only lower-case particles count: `De Vries` is sorted under D.
    """
    words = family_name.split()
    count = 0
    while count < len(words) - 1 and words[count] in _PARTICLES:
        count += 1
    return " ".join(words[count:]), " ".join(words[:count])


def name_sort_text(family_name: str, given_name: str) -> str:
    """Return a sort text for a name, which every database sorts in the same way, in any collation.

    It has family name without particles, given name and particles, with gaps between them.
    """
    head, particles = split_name_particles(family_name)
    places, _marks, _name = name_sort_key("  ".join((head, given_name, particles)))
    return "".join(f"{place:02x}" if place < 0xFF else f"ff{place:06x}" for place in places)[:SORT_TEXT_LENGTH]


def name_in_spoken_order(name: str) -> str:
    """Return a name in spoken order: "Nikt, Jan" as "Jan Nikt"."""
    family, _comma, given = name.partition(", ")
    return f"{given} {family}".strip()
