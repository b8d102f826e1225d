"""The largest type in which a text fits its place, by measured width; nothing is cut that could be set smaller.

`css/print/fit.css` has a class for every size: `fit-60` is six tenths of what the element would have.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from pairing.printing.pdf.widths import Face, fitted, width

MM_OF_POINT = 25.4 / 72

SIZES = range(100, 25, -5)
"""Sizes of type in hundredths of the full one."""

_SMALL = 75
"""A text that would have to be set smaller than this is broken first, where it has a gap or a hyphen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """A text in lines, and the size it is set in."""

    lines: tuple[str, ...]
    size: int

    @property
    def text(self) -> str:
        """The lines under one another."""
        return "\n".join(self.lines)

    @property
    def css(self) -> str:
        return f"fit-{self.size} lines-{len(self.lines)}"


def fit(text: str, ems: float, *, face: Face, least: int = 50, broken: int = 0) -> Fitted:
    """A text in a place of so many em of its full size, no smaller than `least` hundredths of it.

    `broken` is the largest size in which two lines fit above one another, 0 where there is room for one. Only where
    nothing else helps is a word broken, and a name of which even that leaves too much is shortened.
    """
    whole = next((size for size in SIZES if size >= least and width(text, face) * size <= ems * 100), 0)
    if whole >= (_SMALL if broken else least):
        return Fitted(lines=(text,), size=whole)
    for size in (size for size in SIZES if max(whole + 1, least) <= size <= broken):
        lines = in_lines(text, ems * 100 / size, face)
        if len(lines) == 2 and all(width(line, face) * size <= ems * 100 for line in lines):
            return Fitted(lines=lines, size=size)
    if whole:
        return Fitted(lines=(text,), size=whole)
    for size in (size for size in SIZES if least <= size <= broken):
        lines = in_lines(text, ems * 100 / size, face, anywhere=True)
        if len(lines) <= 2:
            return Fitted(lines=lines, size=size)
    for size in (size for size in SIZES if least <= size <= broken):
        lines = _by_letters(text, ems * 100 / size, face)
        if len(lines) <= 2:
            return Fitted(lines=lines, size=size)
    room = ems * 100 / least
    if broken >= least:
        lines = in_lines(fitted(text, 1.9 * room, face), room, face, anywhere=True)
        if len(lines) <= 2:
            return Fitted(lines=lines, size=least)
    return Fitted(lines=(fitted(text, room, face),), size=least)


def ems(millimetres: float, points: float) -> float:
    """How many em of a type of so many points stand in so many millimetres."""
    return millimetres / (points * MM_OF_POINT)


def in_lines(text: str, ems: float, face: Face, *, anywhere: bool = False) -> tuple[str, ...]:
    """A text in lines of so many em, broken at gaps and behind hyphens; a longer word stands out, or is broken."""
    lines: list[str] = []
    line = ""
    for word in _words(text, ems, face) if anywhere else _WORDS.findall(text):
        if line and width((line + word).rstrip(), face) > ems:
            lines.append(line.rstrip())
            line = ""
        line += word
    return (*lines, line.rstrip())


def _by_letters(text: str, ems: float, face: Face) -> tuple[str, ...]:
    """A text in lines as full as can be, broken wherever that is."""
    lines = [""]
    for sign in text:
        if lines[-1] and width(lines[-1] + sign, face) > ems:
            lines.append("")
        lines[-1] += sign
    return tuple(line.strip() for line in lines)


_WORDS = re.compile(r"(?:[^\s-]|\u00a0)*(?:-|[^\S\u00a0]+|$)|(?:[^\s-]|\u00a0)+")
"""Pieces behind which a line may end: at a no-break space none does."""


def _words(text: str, ems: float, face: Face) -> Sequence[str]:
    found = []
    for word in _WORDS.findall(text):
        while width(word.rstrip(), face) > ems and len(word) > 1:
            most = max(1, next(end for end in range(len(word)) if width(word[: end + 1], face) > ems))
            found.append(word[:most])
            word = word[most:]
        found.append(word)
    return found


# -- Rows on sheets ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Cells:
    """A column of a list: its heads in every language, and the text of every row.

    `share` is the size of its type as a part of that of the list, `beside` what stays white beside a text in
    millimetres, `least` how wide it is at least; only where it `breaks` may a text take several lines.
    """

    heads: Sequence[str]
    texts: Sequence[str]
    face: Face = Face.TEXT
    share: float = 1.0
    beside: float = 3.3
    least: float = 0.0
    breaks: bool = False

    @property
    def widths(self) -> list[float]:
        """Of every text in em of the list's type."""
        return [width(text, self.face) * self.share for text in self.texts]


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """What the sheets of a list have for rows: `wide` each, `first` and `later` high, in millimetres.

    Below the last row stand so many millimetres and lines of the list's type that belong to it.
    """

    wide: float
    first: float
    later: float
    below: float = 0.0
    lines_below: int = 0

    def filled(self, heights: Sequence[float], below: float) -> tuple[int, int]:
        """How many sheets rows of such heights take, and how many of them stand on the last."""
        count, left, on_last = 1, self.first, 0
        for high in heights:
            if high > left:
                count, left, on_last = count + 1, self.later, 0
            left, on_last = left - high, on_last + 1
        return (count, on_last) if below <= left else (count + 1, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class RowSetting:
    """A list's type in points, what is white above and below a row's text, in millimetres, and how wide columns are."""

    points: float
    between: float
    widths: Sequence[float]

    @property
    def css(self) -> str:
        padding = f"padding-top: {self.between / 2:.2f}mm; padding-bottom: {self.between / 2:.2f}mm"
        return (
            f"table, .byes {{ font-size: {self.points}pt }} thead {{ font-size: {_head_points(self.points):.1f}pt }}"
            f" tbody td, tbody th {{ {padding} }}"
        )


_USUAL, _SMALLEST, _LARGEST = 10.0, 9.0, 14.0
"""The type of a list in points: as a rule, where that spares a sheet of a few rows, and on one that is not full."""
_STEP = 0.25
_BETWEEN_ROWS = (3.2, 2.8, 2.4, 2.0, 1.6)
_A_FEW_ROWS, _RULE_BELOW, _LINE_HIGH = 9, 0.1, 1.3
_MAY_BREAK, _LONG_LIST = 12, 24
"""Of so many rows one may break that would not in the usual type. A list that `rows` sets as runs of text grows only
where none breaks: it would be set twice."""


def set_rows(columns: Sequence[Cells], room: Room) -> RowSetting:
    """The largest type for a list that hangs on a wall: its rows fill as many sheets as in the usual one.

    Where a few rows would be alone on the last of them it is smaller instead, if that spares the sheet.
    """
    widths = [column.widths for column in columns]
    widest = [max(each, default=0.0) for each in widths]

    @cache
    def needed_widths(points: float) -> list[float]:
        heads = _head_points(points) * MM_OF_POINT
        return [
            max(
                column.least, wide * points * MM_OF_POINT + column.beside, _longest_head(column) * heads + column.beside
            )
            for column, wide in zip(columns, widest, strict=True)
        ]

    @cache
    def lines_per_row(points: float) -> list[int]:
        found = [1] * len(columns[0].texts)
        wanted = needed_widths(points)
        if sum(wanted) <= room.wide:
            return found
        fixed = sum(each for each, column in zip(wanted, columns, strict=True) if not column.breaks)
        shared = sum(wanted) - fixed
        for column, of_column, each in zip(columns, widths, wanted, strict=True):
            if column.breaks:
                ems_of = ((room.wide - fixed) * each / shared - column.beside) / (points * MM_OF_POINT)
                for row, (text, wide) in enumerate(zip(column.texts, of_column, strict=True)):
                    if wide > ems_of:
                        found[row] = max(found[row], len(in_lines(text, ems_of, column.face, anywhere=True)))
        return found

    def count_sheets(points: float, between: float, of_rows: Sequence[int]) -> tuple[int, int]:
        line = points * _LINE_HIGH * MM_OF_POINT
        return room.filled(
            [count * line + between + _RULE_BELOW for count in of_rows], room.below + room.lines_below * line
        )

    usual = lines_per_row(_USUAL)
    most, on_last = count_sheets(_USUAL, _between(_USUAL), usual)
    if on_last < _A_FEW_ROWS and most > 1:
        most = min(most, count_sheets(_SMALLEST, _between(_SMALLEST), lines_per_row(_SMALLEST))[0])
    is_long, deepest = len(usual) >= _LONG_LIST, max((2, *usual))
    broken = sum(each > 1 for each in usual) + (0 if is_long else len(usual) // _MAY_BREAK)
    points = _LARGEST
    while points > _SMALLEST:
        # Looked at first, as the lines of rows that do not fit take long to find.
        if points <= _USUAL or not is_long or sum(needed_widths(points)) <= room.wide:
            of_rows = lines_per_row(points)
            reads = max(of_rows, default=1) <= deepest and sum(each > 1 for each in of_rows) <= broken
            if (points <= _USUAL or is_long or reads) and count_sheets(points, _between(points), of_rows)[0] <= most:
                break
        points -= _STEP
    of_rows = lines_per_row(points)
    roomier = (each for each in _BETWEEN_ROWS if points >= _USUAL and count_sheets(points, each, of_rows)[0] <= most)
    return RowSetting(
        points=points,
        between=next(roomier, _between(points)),
        widths=[round(each, 1) for each in needed_widths(points)],
    )


def _between(points: float) -> float:
    """What is white between the lines of two rows, in millimetres."""
    return 0.11 * points if points >= _USUAL else 1.1 - 0.7 * (_USUAL - points)


def _head_points(points: float) -> float:
    return max(8.5, 0.75 * points)


def _longest_head(column: Cells) -> float:
    """The longest word over a column, in em."""
    words = [width(word, column.face) for head in column.heads for word in head.split()]
    return max(words, default=0.0) * column.share
