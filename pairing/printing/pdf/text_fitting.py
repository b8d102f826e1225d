"""The largest type in which a text fits, by measured width; texts are made smaller before they are cut.

`css/print/fitted_text.css` has a class for every size: `fit-60` is six tenths of the element's usual size.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from pairing.printing.pdf.text_widths import Typeface, fit_name, text_width

MM_PER_POINT = 25.4 / 72

SIZE_PERCENTAGES = range(100, 25, -5)
"""Sizes of type in hundredths of the full size."""

_SMALL = 75
"""A text that would need a smaller size is wrapped first, at a space or a hyphen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FittedText:
    """A text in lines, and its size."""

    lines: tuple[str, ...]
    size: int

    @property
    def text(self) -> str:
        """The lines joined by newlines."""
        return "\n".join(self.lines)

    @property
    def css_class(self) -> str:
        return f"fit-{self.size} lines-{len(self.lines)}"


def fit_text(
    text: str, ems: float, *, typeface: Typeface, min_size: int = 50, max_two_line_size: int = 0
) -> FittedText:
    """Fit a text to a width in em of its full size, no smaller than `min_size` hundredths.

    `max_two_line_size` is the largest size in which two lines fit, 0 if only one fits. Words are broken
    only if nothing else helps. A name that is still too long is shortened.
    """
    whole = next(
        (size for size in SIZE_PERCENTAGES if size >= min_size and text_width(text, typeface) * size <= ems * 100), 0
    )
    if whole >= (_SMALL if max_two_line_size else min_size):
        return FittedText(lines=(text,), size=whole)
    for size in (size for size in SIZE_PERCENTAGES if max(whole + 1, min_size) <= size <= max_two_line_size):
        lines = wrap_text(text, ems * 100 / size, typeface)
        if len(lines) == 2 and all(text_width(line, typeface) * size <= ems * 100 for line in lines):
            return FittedText(lines=lines, size=size)
    if whole:
        return FittedText(lines=(text,), size=whole)
    for size in (size for size in SIZE_PERCENTAGES if min_size <= size <= max_two_line_size):
        lines = wrap_text(text, ems * 100 / size, typeface, can_break_words=True)
        if len(lines) <= 2:
            return FittedText(lines=lines, size=size)
    for size in (size for size in SIZE_PERCENTAGES if min_size <= size <= max_two_line_size):
        lines = _by_letters(text, ems * 100 / size, typeface)
        if len(lines) <= 2:
            return FittedText(lines=lines, size=size)
    room = ems * 100 / min_size
    if max_two_line_size >= min_size:
        lines = wrap_text(fit_name(text, 1.9 * room, typeface), room, typeface, can_break_words=True)
        if len(lines) <= 2:
            return FittedText(lines=lines, size=min_size)
    return FittedText(lines=(fit_name(text, room, typeface),), size=min_size)


def mm_to_ems(millimetres: float, points: float) -> float:
    """Convert millimetres to em of a size of type in points."""
    return millimetres / (points * MM_PER_POINT)


def wrap_text(text: str, ems: float, typeface: Typeface, *, can_break_words: bool = False) -> tuple[str, ...]:
    """Wrap a text in lines of `ems`, at spaces and after hyphens; longer words stick out or are broken."""
    lines: list[str] = []
    line = ""
    for word in _words(text, ems, typeface) if can_break_words else _WORDS.findall(text):
        if line and text_width((line + word).rstrip(), typeface) > ems:
            lines.append(line.rstrip())
            line = ""
        line += word
    return (*lines, line.rstrip())


def _by_letters(text: str, ems: float, face: Typeface) -> tuple[str, ...]:
    """Wrap a text in lines as full as possible, at any character."""
    lines = [""]
    for sign in text:
        if lines[-1] and text_width(lines[-1] + sign, face) > ems:
            lines.append("")
        lines[-1] += sign
    return tuple(line.strip() for line in lines)


_WORDS = re.compile(r"(?:[^\s-]|\u00a0)*(?:-|[^\S\u00a0]+|$)|(?:[^\s-]|\u00a0)+")
"""Pieces after which a line may end, but never at a no-break space."""


def _words(text: str, ems: float, face: Typeface) -> Sequence[str]:
    found = []
    for word in _WORDS.findall(text):
        while text_width(word.rstrip(), face) > ems and len(word) > 1:
            most = max(1, next(end for end in range(len(word)) if text_width(word[: end + 1], face) > ems))
            found.append(word[:most])
            word = word[most:]
        found.append(word)
    return found


# -- Rows on sheets ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnCells:
    """A column of a list: its headings in every language, and the text of every row.

    `relative_size` is the size of its type as a part of the list's. `padding` is the space beside a text and
    `min_width` the least width, in millimetres. A text takes several lines only if the column `can_wrap`.
    """

    heads: Sequence[str]
    texts: Sequence[str]
    typeface: Typeface = Typeface.TEXT
    relative_size: float = 1.0
    padding: float = 3.3
    min_width: float = 0.0
    can_wrap: bool = False

    @property
    def widths_in_ems(self) -> list[float]:
        """The width of every text in em of the list's type."""
        return [text_width(text, self.typeface) * self.relative_size for text in self.texts]


@dataclass(frozen=True, slots=True, kw_only=True)
class RowSpace:
    """The space for rows on the sheets of a list, in millimetres.

    `space_below` (millimetres) and `lines_below` (lines of the list's type) are kept free below the last row.
    """

    width: float
    first_height: float
    later_height: float
    space_below: float = 0.0
    lines_below: int = 0

    def distribute_rows(self, heights: Sequence[float], below: float) -> tuple[int, int]:
        """Return the number of sheets for rows of these heights, and the number of rows on the last."""
        count, left, on_last = 1, self.first_height, 0
        for high in heights:
            if high > left:
                count, left, on_last = count + 1, self.later_height, 0
            left, on_last = left - high, on_last + 1
        return (count, on_last) if below <= left else (count + 1, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class RowStyle:
    """The style of a list: type in points, gap between rows and widths of columns in millimetres."""

    points: float
    row_gap: float
    widths: Sequence[float]

    @property
    def css_rules(self) -> str:
        padding = f"padding-top: {self.row_gap / 2:.2f}mm; padding-bottom: {self.row_gap / 2:.2f}mm"
        return (
            f"table, .byes {{ font-size: {self.points}pt }} thead {{ font-size: {_head_points(self.points):.1f}pt }}"
            f" tbody td, tbody th {{ {padding} }}"
        )


_USUAL, _SMALLEST, _LARGEST = 10.0, 9.0, 14.0
"""The type of a list in points: usual, to save a sheet with few rows, and on a sheet that is not full."""
_STEP = 0.25
_BETWEEN_ROWS = (3.2, 2.8, 2.4, 2.0, 1.6)
_A_FEW_ROWS, _RULE_BELOW, _LINE_HIGH = 9, 0.1, 1.3
_MAY_BREAK, _LONG_LIST = 12, 24
"""One in `_MAY_BREAK` rows may be wrapped that fits in the usual type; `_LONG_LIST` rows are a long list.

A list that `row_merging` sets as runs grows only if nothing is wrapped: it would be laid out twice.
"""


def fit_rows_to_sheets(columns: Sequence[ColumnCells], room: RowSpace) -> RowStyle:
    """Return the largest type for a posted list that needs no more sheets than the usual type.

    If the last sheet would have only a few rows, the type is smaller if that saves the sheet.
    """
    widths = [column.widths_in_ems for column in columns]
    widest = [max(each, default=0.0) for each in widths]

    @cache
    def needed_widths(points: float) -> list[float]:
        heads = _head_points(points) * MM_PER_POINT
        return [
            max(
                column.min_width,
                wide * points * MM_PER_POINT + column.padding,
                _longest_head(column) * heads + column.padding,
            )
            for column, wide in zip(columns, widest, strict=True)
        ]

    @cache
    def lines_per_row(points: float) -> list[int]:
        found = [1] * len(columns[0].texts)
        wanted = needed_widths(points)
        if sum(wanted) <= room.width:
            return found
        fixed = sum(each for each, column in zip(wanted, columns, strict=True) if not column.can_wrap)
        shared = sum(wanted) - fixed
        for column, of_column, each in zip(columns, widths, wanted, strict=True):
            if column.can_wrap:
                ems_of = ((room.width - fixed) * each / shared - column.padding) / (points * MM_PER_POINT)
                for row, (text, wide) in enumerate(zip(column.texts, of_column, strict=True)):
                    if wide > ems_of:
                        found[row] = max(
                            found[row], len(wrap_text(text, ems_of, column.typeface, can_break_words=True))
                        )
        return found

    def count_sheets(points: float, between: float, of_rows: Sequence[int]) -> tuple[int, int]:
        line = points * _LINE_HIGH * MM_PER_POINT
        return room.distribute_rows(
            [count * line + between + _RULE_BELOW for count in of_rows], room.space_below + room.lines_below * line
        )

    usual = lines_per_row(_USUAL)
    most, on_last = count_sheets(_USUAL, _between(_USUAL), usual)
    if on_last < _A_FEW_ROWS and most > 1:
        most = min(most, count_sheets(_SMALLEST, _between(_SMALLEST), lines_per_row(_SMALLEST))[0])
    is_long, deepest = len(usual) >= _LONG_LIST, max((2, *usual))
    broken = sum(each > 1 for each in usual) + (0 if is_long else len(usual) // _MAY_BREAK)
    points = _LARGEST
    while points > _SMALLEST:
        # Check this first, as wrapping the rows that do not fit is slow.
        if points <= _USUAL or not is_long or sum(needed_widths(points)) <= room.width:
            of_rows = lines_per_row(points)
            reads = max(of_rows, default=1) <= deepest and sum(each > 1 for each in of_rows) <= broken
            if (points <= _USUAL or is_long or reads) and count_sheets(points, _between(points), of_rows)[0] <= most:
                break
        points -= _STEP
    of_rows = lines_per_row(points)
    roomier = (each for each in _BETWEEN_ROWS if points >= _USUAL and count_sheets(points, each, of_rows)[0] <= most)
    return RowStyle(
        points=points,
        row_gap=next(roomier, _between(points)),
        widths=[round(each, 1) for each in needed_widths(points)],
    )


def _between(points: float) -> float:
    """Return the gap between two rows, in millimetres."""
    return 0.11 * points if points >= _USUAL else 1.1 - 0.7 * (_USUAL - points)


def _head_points(points: float) -> float:
    return max(8.5, 0.75 * points)


def _longest_head(column: ColumnCells) -> float:
    """Return the longest word of a column's headings, in em."""
    words = [text_width(word, column.typeface) for head in column.heads for word in head.split()]
    return max(words, default=0.0) * column.relative_size
