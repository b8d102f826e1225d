"""Finds people by name, ignoring alphabet, diacritics and case."""

from __future__ import annotations

import re
import unicodedata
from typing import TypeAlias

NameWords: TypeAlias = tuple[str, ...]
"""The words of a name without order, case and diacritics: `Łoś, Jan` and `jan los` are equal."""

# Bulgarian letters by the country's law on transliteration, and further letters of Russian, Ukrainian, Serbian and
# Macedonian.
_CYRILLIC = (
    dict(zip("абвгдезиклмнопрстуф", "abvgdeziklmnoprstuf", strict=True))
    | {"ж": "zh", "й": "y", "х": "h", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "sht", "ъ": "a", "ь": "y", "ю": "yu"}
    | {"я": "ya", "ы": "y", "э": "e", "ё": "yo", "є": "ye", "і": "i", "ї": "yi", "ґ": "g"}
    | {"ђ": "d", "ј": "j", "љ": "lj", "њ": "nj", "ћ": "c", "џ": "dz", "ѓ": "g", "ќ": "k", "ѕ": "dz"}
)
_LATIN = {"ł": "l", "ø": "o", "đ": "d", "æ": "ae", "œ": "oe", "ð": "d", "þ": "th", "ı": "i"}
_SPELT = str.maketrans(_CYRILLIC | _LATIN)
_WORD = re.compile(r"[^\W_]+")
_IYA = re.compile(r"iya\b")


def normalise_name(text: str) -> str:
    """Return a name in lower-case Latin letters without diacritics: `Šťastný` is `stastny`, `Жечев` is `zhechev`.

    Databases fold only some alphabets, and not all the same. A final -ия or -iya is -ia, as in the law. Other alphabets
    keep their letters.
    """
    spelt = unicodedata.normalize("NFC", text).casefold().translate(_SPELT)
    letters = unicodedata.normalize("NFD", spelt)
    return _IYA.sub("ia", "".join(letter for letter in letters if not unicodedata.combining(letter)))


def split_search_words(query: str) -> list[str]:
    """Return the words of a search."""
    return normalise_name(query).replace(",", " ").split()


def matches_search_words(name: str, words: list[str]) -> bool:
    """Return True if the name contains every word."""
    folded = normalise_name(name)
    return all(word in folded for word in words)


def name_search_words(name: str) -> NameWords:
    """Return words that find a person even if the name is spelled differently."""
    return tuple(sorted(_WORD.findall(normalise_name(name))))


_ALIKE = (
    # German and Nordic letters as two, and other countries' spellings of the same sounds. The longer ones come first.
    (re.compile(r"schtsch|shch|szcz|chtch|sht"), "sc"),
    (re.compile(r"tsch|tch"), "c"),
    (re.compile(r"sch|sh|sz|ss"), "s"),
    (re.compile(r"(?<!s)ch|cz|tz|ts"), "c"),
    (re.compile(r"zh|dz|dj"), "z"),
    (re.compile(r"kh|gh|g"), "h"),
    (re.compile(r"z"), "s"),
    (re.compile(r"ff$"), "v"),
    (re.compile(r"ph"), "f"),
    (re.compile(r"th|dt"), "t"),
    (re.compile(r"ck|q"), "k"),
    (re.compile(r"x"), "ks"),
    (re.compile(r"w"), "v"),
    (re.compile(r"[yj]"), "i"),
    (re.compile(r"([aou])e"), r"\1"),
    (re.compile(r"ou"), "u"),
    (re.compile(r"(.)\1+"), r"\1"),
    (re.compile(r"io"), "e"),
    (re.compile(r"ie(?!$)|ii"), "e"),
    (re.compile(r"(?<=.)[ei]+$"), "i"),
)
_SOFT_SIGN = re.compile(r"ь(?!о)", re.IGNORECASE)


def phonetic_form(word: str) -> str:
    """Return a plain word in a form shared by its spellings: `mueller` and `muller` are `muler`, `soeren` is `soren`.

    `shevtchenko`, `schewtschenko` and `sevcenko` are equal, as are `hryhoriy` and `grigorij`, or `pyotr` and `petr`.
    The form is for comparison only.
    """
    for pattern, common in _ALIKE:
        word = pattern.sub(common, word)
    return word


def phonetic_variants(word: str) -> list[str]:
    """Return a plain word's phonetic forms, the most common first, and then the word itself."""
    # "ch" is English, French or Spanish. In German, Czech and Polish it sounds like "kh".
    return list(dict.fromkeys((phonetic_form(word), phonetic_form(word.replace("ch", "kh")), word)))


def remove_soft_signs(text: str) -> str:
    """Remove soft signs, which Latin spellings leave out: Ольга is Olga. Bulgarian ьо is a sound and is kept."""
    return _SOFT_SIGN.sub("", text)


def phonetic_name_words(name: str) -> NameWords:
    """Return the words of a name in their `phonetic_form`, in no particular order."""
    return tuple(sorted(phonetic_form(word) for word in name_search_words(name)))


def max_typos(word: str) -> int:
    """Return the number of typos allowed in a search word: none in a short one, up to two in a long one."""
    return 0 if len(word) < 4 else 1 if len(word) < 7 else 2
