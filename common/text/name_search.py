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


def normalise_name(text: str) -> str:
    """A name in small Latin letters without marks: `Šťastný` is `stastny`, `Жечев` is `zhechev`, `Łoś` is `los`.

    Databases fold only some alphabets, and not all the same. A final -ия is -ia, as the law has it; so is a final
    -iya, however it was written. Alphabets other than Latin and Cyrillic keep their letters.
    """
    spelt = unicodedata.normalize("NFC", text).casefold().translate(_SPELT)
    letters = unicodedata.normalize("NFD", spelt)
    return _IYA.sub("ia", "".join(letter for letter in letters if not unicodedata.combining(letter)))


def split_search_words(query: str) -> list[str]:
    """The words somebody is looking for."""
    return normalise_name(query).replace(",", " ").split()


def matches_search_words(name: str, words: list[str]) -> bool:
    """Every word occurs in the name."""
    folded = normalise_name(name)
    return all(word in folded for word in words)


def name_search_words(name: str) -> NameWords:
    """The words by which one person is found again under a name written another way."""
    return tuple(sorted(_WORD.findall(normalise_name(name))))


_ALIKE = (
    # German and Nordic letters as two, and what other countries write for the same sounds. The longer ones first.
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
    """A plain word as many ways of writing it have in common: `mueller` and `muller` are `muler`, `soeren` is `soren`.

    `shevtchenko`, `schewtschenko` and `sevcenko` are one word, `hryhoriy` and `grigorij`, `pyotr` and `petr`. For
    comparing alone: nobody writes so.
    """
    for pattern, common in _ALIKE:
        word = pattern.sub(common, word)
    return word


def phonetic_variants(word: str) -> list[str]:
    """A plain word as it sounds, the sound first that most languages make of its letters, and as it is written."""
    # "ch" is English, French or Spanish; in German, Czech and Polish it is the sound that others write "kh".
    return list(dict.fromkeys((phonetic_form(word), phonetic_form(word.replace("ch", "kh")), word)))


def remove_soft_signs(text: str) -> str:
    """Without the letter that lists in Latin letters leave out: Ольга is Olga. Only Bulgarian's ьо is a sound."""
    return _SOFT_SIGN.sub("", text)


def phonetic_name_words(name: str) -> NameWords:
    """The words of a name without order as `phonetic_form` has them."""
    return tuple(sorted(phonetic_form(word) for word in name_search_words(name)))


def max_typos(word: str) -> int:
    """How many letters may be wrong in a word that is looked for: none in a short one, two in a long one."""
    return 0 if len(word) < 4 else 1 if len(word) < 7 else 2
