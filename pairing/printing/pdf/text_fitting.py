"""Measures texts in the printouts' fonts and fits them: sizes of type, lines, columns, aligned numbers.

Widths of letters, digits and symbols are in em, from `faces.json` (`lab.measure_fonts`). Texts are made smaller before
they are cut. `css/print/fitted_text.css` has a class for every size: `fit-60` is six tenths of the usual size.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache, cached_property, lru_cache, partial
from pathlib import Path

from django.utils.formats import localize

FIGURE_SPACE, PUNCTUATION_SPACE, EM_SPACE, EN_SPACE = "\u2007", "\u2008", "\u2003", "\u2002"
"""Spaces as wide as a digit and as a decimal point, the widest space, and half of it."""

ELLIPSIS = "…"


class Typeface(StrEnum):
    """A font for printouts: one for cards and narrow boxes, one for everything else, and both in bold."""

    CARDS = "cards"
    CARDS_BOLD = "cards-bold"
    TEXT = "text"
    TEXT_BOLD = "text-bold"


class _Widths(dict[str, float]):
    def __missing__(self, sign: str) -> float:
        """Return 0 for a combining mark, otherwise 1: another font supplies it, which may be wide."""
        self[sign] = wide = 0.0 if unicodedata.category(sign) in ("Mn", "Me", "Cf", "Cc") else 1.0
        return wide


@lru_cache
def _widths(face: Typeface) -> _Widths:
    table = json.loads(Path(__file__).with_name("faces.json").read_text(encoding="utf-8"))[face]
    found = _Widths()
    for width, signs in table.items():
        for sign in signs:
            if not unicodedata.combining(sign):
                found[sign] = int(width) / 1000
    return found


def text_width(text: str, typeface: Typeface = Typeface.CARDS) -> float:
    """Return the width of a text in ems."""
    of = _widths(typeface)
    return sum([of[sign] for sign in text])


_SPACES = "\u2003\u2007\u2002\u2004\u2005\u2006\u200a"


def spaces_of_width(ems: float, typeface: Typeface = Typeface.CARDS) -> str:
    """Return spaces of this width or slightly less. Empty for a negative width."""
    of = _widths(typeface)
    found = ""
    for space in _SPACES:
        count = max(0, int(ems / of[space]))
        found += space * count
        ems -= count * of[space]
    return found


def fit_name(name: str, ems: float, typeface: Typeface = Typeface.CARDS) -> str:
    """Shorten a name to a width in ems: first reduce given names to initials, then cut the end."""
    if text_width(name, typeface) <= ems:
        return name
    family, _comma, given = name.partition(", ")
    if given and text_width(abbreviate_given_names(name), typeface) <= ems:
        return abbreviate_given_names(name)
    return truncate_text(family, ems, typeface)


def abbreviate_given_names(name: str) -> str:
    """Return a name with its given names as initials."""
    family, comma, given = name.partition(", ")
    return family + comma + " ".join(f"{part[0]}." for part in unicodedata.normalize("NFC", given).split())


def truncate_text(text: str, ems: float, typeface: Typeface = Typeface.CARDS) -> str:
    """Shorten a text to a width in ems, with an ellipsis. Letters keep their combining marks."""
    if text_width(text, typeface) <= ems:
        return text
    while text and text_width(text + ELLIPSIS, typeface) > ems:
        while len(text) > 1 and unicodedata.combining(text[-1]):
            text = text[:-1]
        text = text[:-1]
    return text.rstrip(" -,.") + ELLIPSIS


MM_PER_POINT = 25.4 / 72

SIZE_PERCENTAGES = range(100, 25, -5)
"""Sizes of type in hundredths of the full size."""

_SMALL = 75
"""A text that would need a smaller size is wrapped first, at a space or a hyphen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FittedText:
    """A text split into lines, and its font size."""

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
    """Fit a text to a width in ems of the full font size. Its size is at least `min_size` per cent of full size.

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
    for break_words in (partial(wrap_text, can_break_words=True), _by_letters):
        for size in (size for size in SIZE_PERCENTAGES if min_size <= size <= max_two_line_size):
            lines = break_words(text, ems * 100 / size, typeface)
            if len(lines) <= 2:
                return FittedText(lines=lines, size=size)
    room = ems * 100 / min_size
    if max_two_line_size >= min_size:
        lines = wrap_text(fit_name(text, 1.9 * room, typeface), room, typeface, can_break_words=True)
        if len(lines) <= 2:
            return FittedText(lines=lines, size=min_size)
    return FittedText(lines=(fit_name(text, room, typeface),), size=min_size)


def mm_to_ems(millimetres: float, points: float) -> float:
    """Convert millimetres to ems at a font size in points."""
    return millimetres / (points * MM_PER_POINT)


def wrap_text(text: str, ems: float, typeface: Typeface, *, can_break_words: bool = False) -> tuple[str, ...]:
    """Wrap a text into lines `ems` wide, at spaces and after hyphens. Longer words overflow unless broken."""
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


_WORDS = re.compile(r"(?:[^\s\u200b-]|\u00a0)*(?:-|\u200b|[^\S\u00a0]+|$)|(?:[^\s\u200b-]|\u00a0)+")
"""Pieces after which a line may end: at a hyphen or a zero-width space, but never at a no-break space."""


def _words(text: str, ems: float, face: Typeface) -> Sequence[str]:
    found = []
    for word in _WORDS.findall(text):
        while text_width(word.rstrip(), face) > ems and len(word) > 1:
            most = max(1, next(end for end in range(len(word)) if text_width(word[: end + 1], face) > ems))
            found.append(word[:most])
            word = word[most:]
        found.append(word)
    return found


LONG_WORD = re.compile(r"\w{16}|\xa0\w{12}")
"""Long words, which printouts break if necessary; email addresses have their own break points."""

# -- Rows on sheets ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class ColumnCells:
    """A column in a list: its headings in every language, and the text in every row.

    `relative_size` is the size of its type as a part of the list's. `padding` is the space beside a text and
    `min_width` the least width, in millimetres. A text takes several lines only if the column `can_wrap` and the text
    is longer than `whole` ems. `twins` are texts of another column of the same width.
    """

    heads: Sequence[str]
    texts: Sequence[str]
    typeface: Typeface = Typeface.TEXT
    relative_size: float = 1.0
    padding: float = 3.3
    min_width: float = 0.0
    can_wrap: bool = False
    whole: float = 0.0
    twins: Sequence[str] = ()

    @cached_property
    def widths_in_ems(self) -> list[float]:
        """The width of each row's text in ems at the list's font size."""
        return [text_width(text, self.typeface) * self.relative_size for text in self.texts]

    def longest_word(self, *, kept: bool = False) -> float:
        """Return the width in ems of the longest word, or of the longest that is never broken. 0 if nothing wraps."""
        if not self.can_wrap:
            return 0.0
        words = {word.strip() for text in (*self.texts, *self.twins) for word in _WORDS.findall(text)}
        found = (text_width(word, self.typeface) for word in words if not (kept and LONG_WORD.search(word)))
        return max(max(found, default=0.0), min(self.whole, max(self.widths_in_ems, default=0.0)))

    @cached_property
    def longest_head(self) -> float:
        """The width of the longest word of the headings, in ems of their type."""
        words = [text_width(word, self.typeface) for head in self.heads for word in head.split()]
        return max(words, default=0.0) * self.relative_size

    def full_width(self, points: float) -> float:
        """Return the width in millimetres at which no text is wrapped."""
        texts = max(self.widths_in_ems, default=0.0) * points
        return max(self.min_width, max(texts, self.longest_head * _head_points(points)) * MM_PER_POINT + self.padding)

    def least_width(self, points: float) -> float:
        """Return the minimum width in millimetres: the longest word, or up to 40 mm of the longest text."""
        if not self.can_wrap:
            return self.full_width(points)
        words = max(self.longest_word() * points, self.longest_head * _head_points(points)) * MM_PER_POINT
        return max(words + self.padding, min(self.full_width(points), _AT_A_GLANCE + self.padding))


@dataclass(frozen=True, slots=True, kw_only=True)
class RowSpace:
    """The space for rows on the sheets of a list, in millimetres, and the height of the columns' headings.

    `space_below` (millimetres) and `lines_below` (lines of the list's type) are kept free below the last row.
    """

    width: float
    first_height: float
    later_height: float
    head: float = 0.0
    space_below: float = 0.0
    lines_below: int = 0

    def distribute_rows(self, heights: Sequence[float], below: float) -> tuple[int, int]:
        """Return the number of sheets for rows with these heights, and the number of rows on the last one."""
        count, left, on_last = 1, self.first_height - self.head, 0
        for high in heights:
            if high > left:
                count, left, on_last = count + 1, self.later_height - self.head, 0
            left, on_last = left - high, on_last + 1
        return (count, on_last) if below <= left else (count + 1, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class RowStyle:
    """The style of a list: its sheets, font size in points, row gap and column widths in millimetres.

    `wrapped` lines are more than one line a row.
    """

    sheets: int
    wrapped: int
    points: float
    row_gap: float
    widths: Sequence[float]

    @property
    def table_class(self) -> str:
        """The class of a table with wrapped rows, which are not set as runs."""
        return "wrapped" if self.wrapped else ""

    @property
    def css_rules(self) -> str:
        padding = f"padding-top: {self.row_gap / 2:.2f}mm; padding-bottom: {self.row_gap / 2:.2f}mm"
        return (
            f"table, .byes {{ font-size: {self.points}pt }} thead {{ font-size: {_head_points(self.points):.1f}pt }}"
            f" tbody td, tbody th {{ {padding} }}"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeSizes:
    """The type of a list in points: usual, to save a sheet with few rows, and on a sheet that is not full.

    Larger type than usual wraps no more rows, or if it `can_wrap`, only between words. Fewer wrapped lines come before
    type that is larger than `from_afar`.
    """

    usual: float = 10.0
    smallest: float = 9.0
    largest: float = 20.0
    can_wrap: bool = False
    from_afar: float = 20.0


TABLE_SIZES = TypeSizes()
SEAT_SIZES = TypeSizes(usual=14.0, smallest=13.5, can_wrap=True, from_afar=17.5)
"""Pairings and seats are read from a distance: capitals of 3.4 mm and more, if needed on another sheet.

Capitals of 4.4 mm are read from three metres.
"""

CROSS_SIZES = TypeSizes(usual=9.0, smallest=8.0, can_wrap=True)

_STEP, _LEAST = 0.25, 6.0
_ROW_GAPS = (3.2, 2.8, 2.4, 2.0, 1.6)
_A_FEW_ROWS, _RULE_BELOW, _LINE_HIGH, _HANGING = 9, 0.1, 1.3, 0.8
_MAY_BREAK, _LONG_LIST = 12, 24
"""One in `_MAY_BREAK` rows may be wrapped that fits in the usual type; `_LONG_LIST` rows are a long list.

A table whose rows `weasyprint_pages` sets as runs grows only if nothing is wrapped: it would be laid out twice.
"""


def fit_rows_to_sheets(
    columns: Sequence[ColumnCells], room: RowSpace, sizes: TypeSizes = TABLE_SIZES, *, points: float = 0
) -> RowStyle:
    """Return the style with the largest type at which a posted list needs no more sheets than usual.

    If the last sheet would have only a few rows, the type is smaller if that saves the sheet. `points` asks for one
    size, however many sheets it needs. It is only smaller if a column would leave the sheet.
    """
    hanging = _HANGING if sizes is SEAT_SIZES else 0.0
    longest_words = [column.longest_word() for column in columns]
    kept_words = [column.longest_word(kept=True) for column in columns]

    @cache
    def needed_widths(points: float) -> list[float]:
        return [column.full_width(points) for column in columns]

    def fixed_widths(points: float) -> list[float]:
        return [each for each, column in zip(needed_widths(points), columns, strict=True) if not column.can_wrap]

    def shared_widths(points: float) -> list[float]:
        """Return the widths in ems that columns have for their texts."""
        wanted, fixed = needed_widths(points), sum(fixed_widths(points))
        share = min(1.0, (room.width - fixed) / max(0.1, sum(wanted) - fixed))
        return [
            mm_to_ems(each * (share if column.can_wrap else 1.0) - column.padding, points)
            for each, column in zip(wanted, columns, strict=True)
        ]

    @cache
    def lines_per_row(points: float) -> list[int]:
        found = [1] * len(columns[0].texts)
        if sum(needed_widths(points)) <= room.width:
            return found
        for column, ems in zip(columns, shared_widths(points), strict=True):
            if column.can_wrap:
                for row, (text, wide) in enumerate(zip(column.texts, column.widths_in_ems, strict=True)):
                    if wide > ems:
                        lines = wrap_text(text, ems - hanging, column.typeface, can_break_words=True)
                        found[row] = max(found[row], len(lines))
        return found

    def count_sheets(points: float, gap: float, of_rows: Sequence[int]) -> tuple[int, int]:
        line = points * _LINE_HIGH * MM_PER_POINT
        return replace(room, head=_head_height(columns, points)).distribute_rows(
            [count * line + gap + _RULE_BELOW for count in of_rows], room.space_below + room.lines_below * line
        )

    def breaks_words(points: float, words: Sequence[float]) -> bool:
        return any(word > ems for word, ems in zip(words, shared_widths(points), strict=True) if word)

    def is_readable(points: float) -> bool:
        """Return True if type that is larger than usual wraps few rows."""
        if sum(needed_widths(points)) <= room.width:
            return True
        if sizes.can_wrap:
            return not breaks_words(points, longest_words)
        if len(usual) >= _LONG_LIST:
            return False
        of_rows = lines_per_row(points)
        broken = sum(each > 1 for each in usual) + len(usual) // _MAY_BREAK
        return max(of_rows) <= max((2, *usual)) and sum(each > 1 for each in of_rows) <= broken

    usual = lines_per_row(sizes.usual)
    most, on_last = count_sheets(sizes.usual, _row_gap(sizes.usual), usual)
    if on_last < _A_FEW_ROWS and most > 1:
        most = min(most, count_sheets(sizes.smallest, _row_gap(sizes.smallest), lines_per_row(sizes.smallest))[0])
    found = points or sizes.largest
    while not points and found > sizes.smallest:
        # Readability is checked first, as wrapping the rows that do not fit is slow.
        reads = found <= sizes.usual or is_readable(found)
        if reads and count_sheets(found, _row_gap(found), lines_per_row(found))[0] <= most:
            break
        found -= _STEP
    if not points and found > sizes.from_afar:
        smaller = [found - step * _STEP for step in range(int((found - sizes.from_afar) / _STEP) + 1)]
        found = min(smaller, key=lambda each: sum(lines_per_row(each)))
    while found > _LEAST and (sum(fixed_widths(found)) > room.width or breaks_words(found, kept_words)):
        found -= _STEP
    of_rows = lines_per_row(found)
    sheets = count_sheets(found, _row_gap(found), of_rows)[0]
    roomier = (each for each in _ROW_GAPS if found >= sizes.usual and count_sheets(found, each, of_rows)[0] <= sheets)
    return RowStyle(
        sheets=sheets,
        wrapped=sum(of_rows) - len(of_rows),
        points=found,
        row_gap=next(roomier, _row_gap(found)),
        widths=[round(each, 1) for each in needed_widths(found)],
    )


def _row_gap(points: float) -> float:
    """Return the smallest gap between two rows, in millimetres."""
    usual = TABLE_SIZES.usual
    return max(1.0, 0.05 * points) if points >= usual else max(0.4, 1.0 - 0.6 * (usual - points))


def _head_height(columns: Sequence[ColumnCells], points: float) -> float:
    """Return the height of the columns' headings in millimetres, with those in the second language below."""
    heads = zip(*(column.heads for column in columns if column.heads), strict=True)
    lines = [max(len(words.split()) for words in of_language) for of_language in heads]
    first, second = [*lines, 0, 0][:2]
    return (first * _head_points(points) + second * 7) * _LINE_HIGH * MM_PER_POINT + 2.5


def _head_points(points: float) -> float:
    return max(min(8.5, points), 0.75 * points)


CELL_PADDING = 3.2
"""Millimetres beside the text of a cell in a table that is filed, with a small reserve."""
_AT_A_GLANCE, _SHARE = 40.0, 0.42
_BROKEN = 3


def wraps_too_many_rows(columns: Sequence[ColumnCells], whole: Sequence[bool], points: float, rows: int) -> bool:
    """Return True if some column would be wrapped in more than a third of the rows."""
    broken = (
        sum(wide * points * MM_PER_POINT > column.least_width(points) for wide in column.widths_in_ems)
        for column, is_whole in zip(columns, whole, strict=True)
        if not is_whole
    )
    return max(broken, default=0) * _BROKEN > rows


def choose_single_line_columns(columns: Sequence[ColumnCells], room: float, points: float) -> list[bool] | None:
    """Return whether each column stays on one line in a table `room` millimetres wide, or None if nothing fits.

    Columns with the shortest texts come first, as long as the others keep their least width. Unless all fit, no column
    gets so much that sentences beside it become narrow.
    """
    least = [column.least_width(points) for column in columns]
    most = [column.full_width(points) for column in columns]
    left = room - sum(least)
    if left < 0:
        return None
    if sum(most) <= room:
        return [True] * len(columns)
    whole = [not column.can_wrap for column in columns]
    for place in sorted(range(len(columns)), key=lambda each: most[each]):
        if not whole[place] and most[place] - least[place] <= left and most[place] <= _SHARE * room:
            left -= most[place] - least[place]
            whole[place] = True
    return whole


_NUMBER = re.compile(r"([−-]?\d*)(½|[.,]\d+)?")


def pad_numbers_to_align_digits(values: Sequence[object], typeface: Typeface = Typeface.TEXT) -> list[str]:
    """Return the values of a column in the active language, padded with spaces so that digits are aligned.

    If a value is not a number, nothing is changed.
    """
    texts = [str(localize(value)) for value in values]
    found = [_NUMBER.fullmatch(text) for text in texts]
    tails = [(match[2] or "") if match else "" for match in found]
    if not all(found) or not any(tails):
        return texts
    widest = max(text_width(tail, typeface) for tail in tails)
    return [
        text + spaces_of_width(widest - text_width(tail, typeface), typeface)
        for text, tail in zip(texts, tails, strict=True)
    ]
