"""Transliterates names to Latin letters as in passports: by the country's rule, or the general one."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rule:
    """The spelling of one or two letters: at the beginning of a word, at its end, and elsewhere."""

    anywhere: Mapping[str, str]
    at_beginning: Mapping[str, str] = field(default_factory=dict)
    at_end: Mapping[str, str] = field(default_factory=dict)


def _table(letters: str, spelt: str) -> dict[str, str]:
    """Map each letter to a word of `spelt`. A hyphen there means nothing."""
    return {letter: word.replace("-", "") for letter, word in zip(letters, spelt.split(), strict=True)}


_OF_PASSPORTS = (
    # ICAO Doc 9303, part 3, section 6.
    _table("абвгдезиклмнопрстуф", "a b v g d e z i k l m n o p r s t u f")
    | _table("жйхцчшщъыьэюяё", "zh i kh ts ch sh shch ie y - e iu ia e")
    | _table("єіїґўђјљњћџѓќѕ", "ie i i g u d j lj nj c dz g k dz")
)
_GREEK = _table("αβγδεζηθικλμνξοπρσςτυφχψω", "a v g d e z i th i k l m n x o p r s s t y f ch ps o") | {"ου": "ou"}
"""ELOT 743. Letters that depend on the next one are handled in `_greek_in_pairs`."""
_GEORGIAN = _table(
    "აბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰ",
    "a b g d e v z t i k l m n o p zh r s t u p k gh q sh ch ts dz ts ch kh j h",
)
_ARMENIAN = _table(
    "աբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցփքօֆև",
    "a b g d e z e y t zh i l kh ts k h dz gh ch m y n sh o ch p j r s v t r ts p k o f ev",
) | {"ու": "u"}
_OTHERS = _GREEK | _GEORGIAN | _ARMENIAN
_OTHERS_BEGIN = {"μπ": "b", "ե": "ye", "ո": "vo", "և": "yev", "ու": "u"}

_ALL = _Rule(anywhere=_OF_PASSPORTS | _OTHERS, at_beginning=_OTHERS_BEGIN)
_SOUTH = _table("жцчшхђћџ", "ž c č š h đ ć dž")
_RULES = {
    # The law on transliteration of 2009.
    "BUL": _Rule(
        anywhere=_OF_PASSPORTS | _OTHERS | _table("йхщъьюя", "y h sht a y yu ya"),
        at_beginning=_OTHERS_BEGIN,
        at_end={"ия": "ia"},
    ),
    # Resolution 55 of the cabinet of ministers, 2010.
    "UKR": _Rule(
        anywhere=_OF_PASSPORTS | _OTHERS | _table("ги'’ʼ", "h y - - -") | {"зг": "zgh"},
        at_beginning=_OTHERS_BEGIN | _table("єїйюя", "ye yi y yu ya"),
    ),
    # Serbian has a Latin alphabet of its own.
    **{country: _Rule(anywhere=_OF_PASSPORTS | _OTHERS | _SOUTH) for country in ("SRB", "MNE", "BIH")},
    "MKD": _Rule(anywhere=_OF_PASSPORTS | _OTHERS | _table("хцѓќџ", "h c gj kj dj")),
}
_VOICELESS = "θκξπσςτφχψ"
_U_AS_F = re.compile(rf"(?<=[αεη])υ(?=[{_VOICELESS}]|\b)", re.IGNORECASE)
_U_AS_V = re.compile(r"(?<=[αεη])υ", re.IGNORECASE)
_G_AS_N = re.compile(r"γ(?=[γξχ])", re.IGNORECASE)
_APOSTROPHES = "'’ʼ"


def is_latin(text: str) -> bool:
    """Return True if all letters are Latin, with or without diacritics."""
    return all(unicodedata.name(letter, "").startswith("LATIN") for letter in text if letter.isalpha())


def transliterate_name(name: str, country: str = "") -> str | None:
    """Transliterate a Cyrillic, Greek, Georgian or Armenian name, for a country given by its FIDE code.

    Latin letters stay. None if a letter belongs to another script.
    """
    rule = _RULES.get(country, _ALL)
    text = _greek_in_pairs(unicodedata.normalize("NFC", name))
    found, place = [], 0
    while place < len(text):
        length, spelt = _next(text, place, rule)
        if spelt is None:
            return None
        found.append(_as_large(spelt, text, place))
        place += length
    return "".join(found)


def _next(text: str, place: int, rule: _Rule) -> tuple[int, str | None]:
    """Return how many letters are taken together, and their spelling. The spelling is None if unknown."""
    begins = _begins(text, place)
    for length in (2, 1):
        letters = text[place : place + length].lower()
        if len(letters) < length:
            continue
        ends = not text[place + length : place + length + 1].isalpha()
        for fits, table in ((begins, rule.at_beginning), (ends, rule.at_end), (True, rule.anywhere)):
            if fits and letters in table:
                return length, table[letters]
    letter = text[place]
    if unicodedata.combining(letter):
        # Passports leave out stress and tone marks.
        return 1, letter if place and is_latin(text[place - 1]) else ""
    if not letter.isalpha() or is_latin(letter):
        return 1, letter
    return 1, rule.anywhere.get(unicodedata.normalize("NFD", letter)[0].lower())


def _begins(text: str, place: int) -> bool:
    return place == 0 or not (text[place - 1].isalpha() or text[place - 1] in _APOSTROPHES)


def _as_large(spelt: str, text: str, place: int) -> str:
    """Capitalise like the original: all letters if the next one is a capital, otherwise the first.

    Georgian has no capitals, so words get one.
    """
    begins_georgian = _begins(text, place) and "GEORGIAN" in unicodedata.name(text[place], "")
    if not text[place].isupper() and not begins_georgian:
        return spelt
    beside = text[place + 1 : place + 2] or text[place - 1 : place]
    return spelt.upper() if beside.isupper() else spelt.capitalize()


def _greek_in_pairs(text: str) -> str:
    """Replace Greek letters whose sound depends on the next one. A diaeresis separates them."""
    if not any("GREEK" in unicodedata.name(letter, "") for letter in text):
        return text
    bare = unicodedata.normalize("NFC", unicodedata.normalize("NFD", text).replace("\u0301", ""))
    return _G_AS_N.sub(_like("ν"), _U_AS_V.sub(_like("β"), _U_AS_F.sub(_like("φ"), bare)))


def _like(letter: str) -> Callable[[re.Match[str]], str]:
    return lambda match: letter.upper() if match[0].isupper() else letter
