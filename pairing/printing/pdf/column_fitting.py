"""Fits columns to a table by measured width: if not all fit on one line, the longest texts are wrapped.

A browser would take the missing width from all columns, and wrap a date as soon as a long name.
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
    """A column: its headings, one in each language, and its cells; never wrapped if `is_single_line`."""

    heads: Sequence[str]
    cells: Sequence[str]
    is_bold: bool = False
    is_single_line: bool = False

    def min_width(self, points: float) -> float:
        """Return the least width in millimetres: the longest word, or up to 40 mm of a text."""
        if self.is_single_line:
            return self.max_width(points)
        face = Typeface.TEXT_BOLD if self.is_bold else Typeface.TEXT
        words = max((text_width(word, face) for text in self.cells for word in _WORDS.findall(text)), default=0.0)
        return max(self._heads, words * points * MM_PER_POINT, min(self._widest(points), _AT_A_GLANCE)) + CELL_PADDING

    def max_width(self, points: float) -> float:
        """Return the width in millimetres in which no cell is wrapped."""
        return max(self._heads, self._widest(points)) + CELL_PADDING

    @property
    def _heads(self) -> float:
        words = (text_width(word, Typeface.TEXT) for text in self.heads for word in text.split())
        return max(words, default=0.0) * _HEAD_POINTS * MM_PER_POINT

    def _widest(self, points: float) -> float:
        face = Typeface.TEXT_BOLD if self.is_bold else Typeface.TEXT
        return max((text_width(text, face) for text in self.cells), default=0.0) * points * MM_PER_POINT


CELL_PADDING = 3.2
"""Millimetres beside the text of a cell, with a small reserve."""
_AT_A_GLANCE, _SHARE = 40.0, 0.42
_HEAD_POINTS = 8.5
_LONGEST, _BROKEN = 24, 3
_WORDS = re.compile(r"(?:[^\s\u200b-]|\u00a0)+-?")


def longest_texts(cells: Sequence[str]) -> list[str]:
    """Return the texts of a column that may be the widest: the others need not be measured."""
    return nlargest(max(_LONGEST, len(cells) // 2), cells, key=len)


def wraps_too_often(columns: Sequence[ColumnTexts], whole: Sequence[bool], points: float, rows: int) -> bool:
    """Return True if some column would be wrapped in more than a third of the rows."""
    broken = (
        sum(text_width(text, Typeface.TEXT) * points * MM_PER_POINT > column.min_width(points) for text in column.cells)
        for column, is_whole in zip(columns, whole, strict=True)
        if not is_whole
    )
    return max(broken, default=0) * _BROKEN > rows


def choose_single_line_columns(columns: Sequence[ColumnTexts], room: float, points: float) -> list[bool] | None:
    """Return for each column if it stays on one line, in a table of `room` millimetres; None if nothing fits.

    Columns with the shortest texts come first, as long as the others keep their least width. Unless all fit, no column
    gets so much that sentences beside it become narrow.
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
