"""Tables in text files: encoding, separator, quotation marks, limits and line numbers."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from pairing.engine.trf.encoding import guess_legacy_encoding

SEPARATORS = ";\t,|"
SAMPLE_LINES = 50
"""The lines used to detect the separator."""

MAX_LINE_LENGTH = 20_000
"""In characters, of a line and of a row over several lines. No table of people has longer ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRow:
    """A row in a table: the number of its first line in the file, from 1, and the texts of its cells.

    With a `problem` it could not be split, and is one cell with the original text.
    """

    line: int
    cells: tuple[str, ...]
    problem: str = ""

    def cell(self, place: int | None) -> str:
        """Return the text of a cell, by its number from 0. Empty beyond the last cell, and for None."""
        return self.cells[place].strip() if place is not None and place < len(self.cells) else ""


class UnreadableTable(Exception):
    """Raised if a file isn't a readable table. `line` and `column` count from 1, and 0 means the whole table."""

    def __init__(self, message: str, line: int = 0, column: int = 0) -> None:
        super().__init__(message)
        self.line, self.column = line, column


def detect_encoding(data: bytes, *, is_sample: bool = False) -> str:
    """Return UTF-8 or UTF-16 if a BOM or the content shows it, otherwise the most likely Windows code page.

    A sample is the beginning of a file, and may end in the middle of a letter.
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    try:
        codecs.getincrementaldecoder("utf-8-sig")().decode(data, final=not is_sample)
    except UnicodeDecodeError:
        return guess_legacy_encoding(data)
    return "utf-8-sig"


def detect_separator(lines: Iterable[str]) -> str:
    """Return the separator that splits most of the first lines into equally many cells. In a tie, more cells win.

    A separator that does not split the first line, with the headings, is part of the texts.
    """
    looked_at = [line for line in lines if line.strip()][:SAMPLE_LINES]
    if not looked_at:
        return SEPARATORS[0]

    def column_consistency(mark: str) -> tuple[int, int]:
        counts = [_count_cells(line, mark) for line in looked_at]
        usual = max(set(counts), key=lambda count: (counts.count(count), count))
        return (counts.count(usual) if usual > 1 else 0, usual)

    found = max(SEPARATORS, key=column_consistency)
    return found if _count_cells(looked_at[0], found) > 1 else _most_cells(looked_at[0])


def split_text_lines(texts: Iterable[str]) -> Iterator[str]:
    """Yield the lines, with line ends, of a text that arrives in pieces. Raises UnreadableTable if one is too long."""
    number, rest = 1, ""
    for text in texts:
        lines = [*io.StringIO(rest + text, newline="")]
        rest = lines.pop() if lines else ""
        for place, line in enumerate((*lines, rest), start=number):
            if len(line.rstrip("\r\n")) > MAX_LINE_LENGTH:
                message = _("This line has more than %(most)s characters. A table needs one line per person.")
                raise UnreadableTable(message % {"most": MAX_LINE_LENGTH}, place)
        number += len(lines)
        yield from lines
    if rest:
        yield rest


def parse_table_rows(lines: Iterable[str], separator: str, *, first_line: int = 1) -> Iterator[TableRow]:
    """Yield the rows in these lines. The first line has the number `first_line`, and blank lines have no cells.

    A quoted cell may contain the separator and line ends, and "" in it is one quotation mark. A line with unclosed or
    misplaced quotation marks is a row with a problem, and the next line starts a new row.
    """
    taken = _RowsLines(lines)
    reader = csv.reader(taken, delimiter=separator, strict=True, skipinitialspace=True)
    number = first_line
    while True:
        taken.begin_row()
        try:
            cells = next(reader, None)
        except csv.Error:
            taken.restore_lines_after_first()
            said = _("A quotation mark isn't closed or is in the wrong place, or a cell is too long.")
            yield TableRow(line=number, cells=(taken.of_row[0].strip(),), problem=said)
        else:
            if cells is None:
                return
            yield TableRow(line=number, cells=tuple(unescape_formula(cell.strip()) for cell in cells))
        number += len(taken.of_row)


class _RowsLines:
    """Feeds lines to the reader, row by row. The lines of a failed row are read again."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.lines, self.given_back = iter(lines), deque[str]()
        self.of_row: list[str] = []
        self.letters = 0

    def __iter__(self) -> _RowsLines:
        return self

    def __next__(self) -> str:
        if self.letters > MAX_LINE_LENGTH:
            raise StopIteration
        line = self.given_back.popleft() if self.given_back else next(self.lines)
        self.of_row.append(line)
        self.letters += len(line)
        return line.replace("\0", "")  # found in damaged files, and refused by databases

    def begin_row(self) -> None:
        self.of_row, self.letters = [], 0

    def restore_lines_after_first(self) -> None:
        self.given_back.extendleft(reversed(self.of_row[1:]))
        del self.of_row[1:]


def _most_cells(line: str) -> str:
    return max(SEPARATORS, key=lambda mark: _count_cells(line, mark))


def _count_cells(line: str, separator: str) -> int:
    return next((len(row.cells) for row in parse_table_rows([line], separator)), 0)


_SAID_SEPARATOR = re.compile(r"sep=(.)\s*", re.IGNORECASE)


def read_text_table(data: bytes) -> tuple[Iterator[TableRow], str, str]:
    """Return rows, encoding and separator of a file. A line `sep=;` sets the separator.

    Raises UnreadableTable if the file is not a text.
    """
    encoding = detect_encoding(data)
    text = data.decode(encoding, errors="replace")
    if "\0" in text:
        raise UnreadableTable(_("This isn't a text file or an Excel file (XLSX)."))
    lines = [*split_text_lines([text])]
    if lines and (said := _SAID_SEPARATOR.fullmatch(lines[0])):
        return parse_table_rows(lines[1:], said.group(1), first_line=2), encoding, said.group(1)
    separator = detect_separator(lines)
    return parse_table_rows(lines, separator), encoding, separator


# -- Escaping formulas ---------------------------------------------------------------------------------------------

_UNSEEN = r"[\s\u200b-\u200f\u2060\ufeff\x00-\x1f]"
"""Spreadsheets skip blanks of all kinds, and accept the full-width signs of East Asian keyboards."""
_LOOKS_LIKE_A_FORMULA = re.compile(_UNSEEN + r"*(?:[=@\uff1d\uff20\t\r\n]|[-+\u2212\uff0b\uff0d](?![\d\s()/.-]*\Z))")
_WITHIN = rf"(?:(?![\t\r\n]){_UNSEEN})*(?:[=@\uff1d\uff20]|[-+\u2212\uff0b\uff0d](?![\d\s()/.-]*(?:[,\t\r\n]|\Z)))"
_WOULD_BEGIN_A_CELL = re.compile(rf"(?<=[,\t\r\n])(?='*{_WITHIN})")
_GUARDED_WITHIN = re.compile(rf"(?<=[,\t\r\n])'(?='*{_WITHIN})")


def escape_formula(text: str) -> str:
    """Put an apostrophe before text that a spreadsheet would read as a formula.

    This also applies after a comma, tab or line end within the text: with another separator a cell would begin there.
    """
    return escape_formulas_within(f"'{text}" if _LOOKS_LIKE_A_FORMULA.match(text) else text)


def unescape_formula(text: str) -> str:
    """Remove the apostrophes that `escape_formula` adds."""
    text = text[1:] if text.startswith("'") and _LOOKS_LIKE_A_FORMULA.match(text[1:]) else text
    return unescape_formulas_within(text)


def escape_formulas_within(text: str) -> str:
    """Do what `escape_formula` does within the text, but not at its start."""
    return _WOULD_BEGIN_A_CELL.sub("'", text)


def unescape_formulas_within(text: str) -> str:
    """Remove exactly the apostrophes that `escape_formulas_within` adds."""
    return _GUARDED_WITHIN.sub("", text)
