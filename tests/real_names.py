"""Names of real people that must not be in the repository, as fingerprints: the list reveals no name.

Event files of real events were anonymised for `tests/data`; the fingerprints of the names that stood in them are in
`tests/data/real_names.txt`: ten bytes a name, and two bytes a word of a name, which many words have and which save
looking at most of a text. The order of a name's words, small or large letters, accents and punctuation change no
fingerprint: "Jansen, Ola", "Ola JANSEN" and "Ola Jánsen" have the same.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Sequence
from pathlib import Path

LIST = Path(__file__).parent / "data" / "real_names.txt"
SALT = b"clubnight: names of real players"
LONGEST = 5
"""The most words of a name; of a longer one the first five are looked for."""
SHORTEST_ALONE = 8
"""A name of one word, as on a chess server, is looked for from so many letters on: shorter ones are words, too."""


SHORTEST = 6
"""The fewest letters of a name of several words: "Li, Di" would be found where nobody is meant."""
NAMES_NOBODY = {"player", "arbiter", "spielfrei"}
"""Words of no name: "Player One", "Chief Arbiter", the bye of a German program."""


def fingerprint(words: Iterable[str]) -> str:
    """Ten bytes as hexadecimal digits; the order of the words does not matter."""
    return _hashed(" ".join(sorted(words)), 10)


def fingerprints_of(name: str) -> set[str]:
    """The fingerprint in the list for a name; None for a text that names nobody (numbers, "Player 7", a short word)."""
    words = words_of(name)[:LONGEST]
    if (len(words) > 1 and any(re.search(r"\d", word) for word in words)) or NAMES_NOBODY & {*words}:
        return set()
    if not _is_long_enough(words) or not re.search(r"[^\W\d_]{2}", name):
        return set()
    return {fingerprint(words), *(_hashed(word, 2) for word in words)}


def known_fingerprints() -> frozenset[str]:
    """All fingerprints of the list, for names and for words."""
    lines = LIST.read_text(encoding="ascii").splitlines()
    return frozenset(line for line in lines if line and not line.startswith("#"))


def real_names_in(texts: Iterable[str]) -> set[str]:
    """The listed names in these texts, in lower case."""
    known = known_fingerprints()
    told_apart: dict[str, bool] = {}
    runs = set[tuple[str, ...]]()
    for text in texts:
        words = words_of(text)
        for word in {*words} - told_apart.keys():
            told_apart[word] = _hashed(word, 2) in known
        for start in range(len(words)):
            length = 1
            while length <= LONGEST and start + length <= len(words) and told_apart[words[start + length - 1]]:
                runs.add(tuple(words[start : start + length]))
                length += 1
    return {" ".join(run) for run in runs if _is_long_enough(run) and fingerprint(run) in known}


def _is_long_enough(words: Sequence[str]) -> bool:
    return len("".join(words)) >= (SHORTEST if len(words) > 1 else SHORTEST_ALONE)


def _hashed(text: str, size: int) -> str:
    return hashlib.blake2b(text.encode(), digest_size=size, key=SALT).hexdigest()


def words_of(text: str) -> list[str]:
    """The words of a text in lower case without accents, split at everything except letters and digits."""
    small = text.lower()
    if not small.isascii():
        apart = unicodedata.normalize("NFKD", small.translate({ord("ł"): "l", ord("ß"): "ss", ord("ø"): "o"}))
        small = "".join(letter for letter in apart if not unicodedata.combining(letter))
    return re.findall(r"[^\W_]+", small)
