"""Text of unknown origin as letters and fields: what every table that comes as a text file has in common."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Sequence

from django.utils.translation import gettext as _

from pairing.engine.trf.encoding import legacy_encoding

SEPARATORS = ";\t,|"
LINES_LOOKED_AT = 50
"""How many lines are enough to see what parts them."""


LONGEST_LINE = 20_000
"""Letters. A longer line is no line of a table of people, and reading it as one takes minutes."""


def overlong_line(text: str) -> int:
    """The number of the first line longer than any of a table, from 1; 0 for none."""
    return next((number for number, line in enumerate(text.splitlines(), 1) if len(line) > LONGEST_LINE), 0)


def overlong_message() -> str:
    """What is said of such a line."""
    return _("This line has more than %(most)s letters: this is no table with a line for each person.") % {
        "most": LONGEST_LINE
    }


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
