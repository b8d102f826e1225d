"""Finding people by name, whatever the alphabet, the accents and the capitals."""

from __future__ import annotations

import re
import unicodedata
from typing import TypeAlias

NameWords: TypeAlias = tuple[str, ...]
"""The words of a name without order, case and marks: `Łoś, Jan` and `jan los` are the same."""

# Bulgarian letters by the country's law on transliteration; beside them what Russian, Ukrainian, Serbian and
# Macedonian have beyond these.
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


def plain(text: str) -> str:
    """A name in small Latin letters without marks: `Šťastný` is `stastny`, `Жечев` is `zhechev`, `Łoś` is `los`.

    Databases fold only some alphabets, and not all the same. A final -ия is -ia, as the law has it; so is a final
    -iya, however it was written. Alphabets other than Latin and Cyrillic keep their letters.
    """
    spelt = unicodedata.normalize("NFC", text).casefold().translate(_SPELT)
    letters = unicodedata.normalize("NFD", spelt)
    return _IYA.sub("ia", "".join(letter for letter in letters if not unicodedata.combining(letter)))


def words_of(query: str) -> list[str]:
    """The words somebody is looking for."""
    return plain(query).replace(",", " ").split()


def holds(name: str, words: list[str]) -> bool:
    """Every word occurs in the name."""
    folded = plain(name)
    return all(word in folded for word in words)


def name_words(name: str) -> NameWords:
    """The words by which one person is found again under a name written another way."""
    return tuple(sorted(_WORD.findall(plain(name))))
