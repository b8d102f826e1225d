"""Which columns of a table stand in one line each, by measured width: where all do not fit, the longest texts break.

A browser's table shares out what is missing among all its columns, so that a date breaks as soon as a long name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from heapq import nlargest

from pairing.printing.pdf.text_fitting import MM_PER_POINT
from pairing.printing.pdf.text_widths import Typeface, text_width


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnTexts:
    """A column: its heads, one in each language, and its cells; what `is_whole` is never broken."""

    heads: Sequence[str]
    cells: Sequence[str]
    is_bold: bool = False
    is_single_line: bool = False

    def min_width(self, points: float) -> float:
        """The fewest millimetres it may have: its longest word, of a text as much as is read at a glance."""
        if self.is_single_line:
            return self.max_width(points)
        face = Typeface.TEXT_BOLD if self.is_bold else Typeface.TEXT
        words = max((text_width(word, face) for text in self.cells for word in _WORDS.findall(text)), default=0.0)
        return max(self._heads, words * points * MM_PER_POINT, min(self._widest(points), _AT_A_GLANCE)) + CELL_PADDING

    def max_width(self, points: float) -> float:
        """The millimetres in which every cell of it stands in one line."""
        return max(self._heads, self._widest(points)) + CELL_PADDING

    @property
    def _heads(self) -> float:
        words = (text_width(word, Typeface.TEXT) for text in self.heads for word in text.split())
        return max(words, default=0.0) * _HEAD_POINTS * MM_PER_POINT

    def _widest(self, points: float) -> float:
        face = Typeface.TEXT_BOLD if self.is_bold else Typeface.TEXT
        return max((text_width(text, face) for text in self.cells), default=0.0) * points * MM_PER_POINT


CELL_PADDING = 3.2
"""Millimetres beside the text of a cell, and a hair more."""
_AT_A_GLANCE, _SHARE = 40.0, 0.42
_HEAD_POINTS = 8.5
_LONGEST, _BROKEN = 24, 3
_WORDS = re.compile(r"(?:[^\s\u200b-]|\u00a0)+-?")


def longest_texts(cells: Sequence[str]) -> list[str]:
    """Those of the texts of a column that may be the widest: the others need not be measured."""
    return nlargest(max(_LONGEST, len(cells) // 2), cells, key=len)


def wraps_too_often(columns: Sequence[ColumnTexts], whole: Sequence[bool], points: float, rows: int) -> bool:
    """Every third row or more would take two lines for a text of a column that is not whole."""
    broken = (
        sum(text_width(text, Typeface.TEXT) * points * MM_PER_POINT > column.min_width(points) for text in column.cells)
        for column, is_whole in zip(columns, whole, strict=True)
        if not is_whole
    )
    return max(broken, default=0) * _BROKEN > rows


def choose_single_line_columns(columns: Sequence[ColumnTexts], room: float, points: float) -> list[bool] | None:
    """For each column whether it stands in one line in a table of so many millimetres; None where it cannot be set.

    The columns with the shortest texts first, as many as leave the others what they need; where not all are, none that
    takes too much from sentences beside it.
    """
    least = [column.min_width(points) for column in columns]
    most = [column.max_width(points) for column in columns]
    left = room - sum(least)
    if left < 0:
        return None
    if sum(most) <= room:
        return [True] * len(columns)
    whole = [column.is_single_line for column in columns]
    for place in sorted(range(len(columns)), key=lambda each: most[each]):
        if not whole[place] and most[place] - least[place] <= left and most[place] <= _SHARE * room:
            left -= most[place] - least[place]
            whole[place] = True
    return whole
