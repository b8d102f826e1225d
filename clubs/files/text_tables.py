"""Text of unknown origin as letters and fields: what every table that comes as a text file has in common."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Sequence

from pairing.engine.trf.encoding import legacy_encoding

SEPARATORS = ";\t,|"
LINES_LOOKED_AT = 50
"""How many lines are enough to see what parts them."""


def encoding_of(data: bytes) -> str:
    """UTF-8 and UTF-16 by their marks or their look; else the Windows code page that spells the letters best."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    try:
        data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return legacy_encoding(data)
    return "utf-8-sig"


def separator_of(lines: Sequence[str], count_fields: Callable[[str, str], int]) -> str:
    """The mark that parts the most lines into the same number of fields; between equals, the one that parts more.

    `count_fields` is told a line and a mark, and answers 0 for a line that this mark cannot part.
    """

    def evenness(mark: str) -> tuple[int, int]:
        counts = [count_fields(line, mark) for line in lines]
        usual = max(set(counts), key=lambda count: (counts.count(count), count))
        return (counts.count(usual) if usual > 1 else 0, usual)

    return max(SEPARATORS, key=lambda mark: (*evenness(mark), -SEPARATORS.index(mark)))
