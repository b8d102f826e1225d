"""Decoding of files: UTF-8, or the legacy encoding (three Windows code pages, ISO 8859-2) that spells the letters best.

A file that is valid UTF-8 is UTF-8. One that nearly is, is damaged: it is refused at that position. Anything else is in
a legacy code page, and no byte states which one, so the letters decide:

1. Windows-1251 if most words with bytes above 0x7F have nothing but such bytes. Cyrillic words consist of them, while a
Polish or a French word has one or two among plain letters.
2. Otherwise Windows-1250 or Windows-1252, whichever has a language whose alphabet spells more of those letters. If both
do equally well (a lone "é" is the same in both) it is Windows-1250.
3. ISO 8859-2 if it spells more of them than these two: it has most letters where Windows-1250 has them, and a few (ą,
ś, ź, š, ž, ť) elsewhere.
"""

from __future__ import annotations

import re
from collections import Counter

from pairing.engine.trf.model import TrfError

_UTF8_MARK = b"\xef\xbb\xbf"
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_WORD_WITH_HIGH_BYTES = re.compile(rb"[A-Za-z\x80-\xff]*[\x80-\xff][A-Za-z\x80-\xff]*")
_PLAIN_LETTER = re.compile(rb"[A-Za-z]")

_NAMES = {
    "utf-8": "UTF-8",
    "cp1250": "UTF-8 or Windows-1250",
    "cp1251": "UTF-8 or Windows-1251",
    "cp1252": "UTF-8 or Windows-1252",
    "iso8859_2": "UTF-8 or ISO 8859-2",
}

_ALPHABETS = {
    "cp1250": (
        "ąćęłńóśźż",
        "áčďéěíňóřšťúůýž",
        "áäčďéíĺľňóôŕšťúýž",
        "áéíóöőúüű",
        "ăâîşţ",
        "čćđšž",
        "äöüß",
    ),
    "cp1252": (
        "äöüß",
        "àâæçéèêëîïôœùûüÿ",
        "áéíñóúü",
        "áâãàçéêíóôõú",
        "àèéìòù",
        "æøåé",
        "äöåé",
        "áðéíóúýþæö",
        "éëïöü",
    ),
}
_ALPHABETS["iso8859_2"] = _ALPHABETS["cp1250"]
"""The letters beyond a to z of the languages each code page is used for, one alphabet for each language."""


def decode_text(data: bytes, *, name: str) -> str:
    """Return the text in a file, without a byte-order mark and without old systems' end-of-file mark.

    Raises TrfError at the first byte that is not a character of the encoding.
    """
    if data.startswith(_UTF16_MARKS):
        raise TrfError("text in UTF-8 or a Windows code page, not UTF-16", name=name, line=1, column=1)
    data = data.rstrip(b"\x1a")
    if data.startswith(_UTF8_MARK):
        return _decode(data.removeprefix(_UTF8_MARK), "utf-8", name)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return _decode(data, "utf-8" if _is_damaged_utf_8(data) else guess_legacy_encoding(data), name)


def guess_legacy_encoding(data: bytes) -> str:
    """Return the code page of bytes that are not UTF-8: `cp1250`, `cp1251`, `cp1252` or `iso8859_2`."""
    words = _WORD_WITH_HIGH_BYTES.findall(data)
    wholly_high = sum(len(word) > 1 and not _PLAIN_LETTER.search(word) for word in words)
    if 2 * wholly_high > len(words):
        return "cp1251"
    counts = Counter(byte for word in words for byte in word if byte > 0x7F)
    return max(("cp1250", "cp1252", "iso8859_2"), key=lambda code_page: _letters_spelt(counts, code_page))


def _is_damaged_utf_8(data: bytes) -> bool:
    """Return True if there are more valid multi-byte letters than invalid bytes: a legacy code page is unlikely."""
    sound = sum(letter > "\x7f" for letter in data.decode("utf-8", errors="ignore"))
    return sound > data.decode("utf-8", errors="replace").count("\ufffd")


def _letters_spelt(counts: Counter[int], code_page: str) -> int:
    """Return how many of the letters the best alphabet of a code page has."""
    letters = Counter[str]()
    for byte, count in counts.items():
        letters[bytes((byte,)).decode(code_page, errors="replace").lower()] += count
    return max(sum(letters[letter] for letter in alphabet) for alphabet in _ALPHABETS[code_page])


def _decode(data: bytes, encoding: str, name: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        lines = re.split("\r\n|\r|\n", data[: error.start].decode(encoding))
        raise TrfError(
            f"a letter in {_NAMES[encoding]}",
            name=name,
            line=len(lines),
            column=len(lines[-1]) + 1,
            found=f"byte 0x{data[error.start]:02X}",
        ) from error
