"""Tables as files, both ways: CSV of any encoding and separator, and XLSX."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any, TypeAlias

from django.utils.translation import gettext as _

from clubs.files.text_tables import LINES_LOOKED_AT, SEPARATORS, encoding_of, separator_of

MOST_ROWS = 20_000
MOST_COLUMNS = 200
LARGEST_UNPACKED = 40 * 1024 * 1024
"""Bytes. A larger XLSX is no table of people."""

Value: TypeAlias = str | int | Decimal | date | None
"""What a cell of a written table may hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CellProblem:
    """Something wrong in a table, and where: line and column count from 1, 0 for the whole.

    `heading` is that of the column.
    """

    line: int
    column: int
    message: str
    heading: str = ""

    def __str__(self) -> str:
        if not self.line:
            return self.message
        if not self.column:
            return _("line %(line)s: %(message)s") % {"line": self.line, "message": self.message}
        place = {"line": self.line, "column": column_letters(self.column), "heading": self.heading}
        return _("line %(line)s, column %(column)s (%(heading)s): ") % place + self.message


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRow:
    """A line of a table: its number in the file, and the text of its cells."""

    line: int
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A file as a table; the first line that is not empty is its headings. Problems are those of the file itself."""

    headings: tuple[str, ...] = ()
    rows: tuple[TableRow, ...] = ()
    kind: str = "csv"
    encoding: str = ""
    separator: str = ""
    problems: tuple[CellProblem, ...] = ()


class _Unreadable(Exception):
    """The message says why; `line` and `column` where."""

    def __init__(self, message: str, line: int = 0, column: int = 0) -> None:
        super().__init__(message)
        self.problem = CellProblem(line=line, column=column, message=message)


def read_table(data: bytes) -> Table:
    """A CSV or XLSX file, known by its content. Never raises for what stands in the file: see `problems`."""
    try:
        if data.startswith(b"PK\x03\x04"):
            return _as_table(_xlsx_rows(data), kind="xlsx")
        if data.startswith(b"\xd0\xcf\x11\xe0"):
            raise _Unreadable(_("This is the old Excel format (XLS). Save it as XLSX or CSV."))
        return _read_csv(data)
    except _Unreadable as unreadable:
        return Table(problems=(unreadable.problem,))


def column_letters(column: int) -> str:
    """A column as spreadsheets name it: 1 is A, 27 is AA."""
    letters = ""
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


# -- Reading -------------------------------------------------------------------------------------------------------


def _as_table(rows: Iterable[TableRow], **about: Any) -> Table:
    filled = [row for row in rows if any(row.cells)]
    if len(filled) > MOST_ROWS:
        raise _Unreadable(_("The table has more than %(most)s lines.") % {"most": MOST_ROWS})
    if not filled:
        raise _Unreadable(_("There is nothing in this file."))
    if len(filled[0].cells) > MOST_COLUMNS:
        raise _Unreadable(_("The table has more than %(most)s columns.") % {"most": MOST_COLUMNS}, filled[0].line)
    return Table(headings=filled[0].cells, rows=tuple(filled[1:]), **about)


_SAID_SEPARATOR = re.compile(r"sep=(.)\s*", re.IGNORECASE)


def _read_csv(data: bytes) -> Table:
    encoding = encoding_of(data)
    text = data.decode(encoding, errors="replace")
    if "\x00" in text:
        raise _Unreadable(_("This is neither a text file nor an Excel file (XLSX)."))
    lines = text.splitlines()
    skipped = 0
    if lines and (said := _SAID_SEPARATOR.fullmatch(lines[0])):
        separator, skipped = said.group(1), 1
    else:
        looked_at = [line for line in lines[:LINES_LOOKED_AT] if line.strip()]
        separator = separator_of(looked_at, _count_fields) if looked_at else ";"
        if looked_at and _count_fields(looked_at[0], separator) == 1:
            # A mark that parts the lines but not the headings stands within texts: one column, or another mark.
            separator = max(SEPARATORS, key=lambda mark: _count_fields(looked_at[0], mark))
    rows = _csv_rows(io.StringIO(text, newline=""), separator, skipped)
    return _as_table(rows, encoding=encoding.removesuffix("-sig"), separator=separator)


def _count_fields(line: str, separator: str) -> int:
    try:
        return len(next(csv.reader([line], delimiter=separator), []))
    except csv.Error:  # a field of more than 131,072 characters
        return 0


def _csv_rows(text: io.StringIO, separator: str, skipped: int) -> Iterator[TableRow]:
    for _line in range(skipped):
        text.readline()
    reader = csv.reader(text, delimiter=separator, strict=True)
    while True:
        line = reader.line_num + skipped + 1
        try:
            cells = next(reader, None)
        except csv.Error as error:
            message = _("A quotation mark is not closed or stands amid a text, or a text is endlessly long.")
            raise _Unreadable(message, line) from error
        if cells is None:
            return
        yield TableRow(line=line, cells=tuple(_unguarded(cell.strip()) for cell in cells))


def _xlsx_rows(data: bytes) -> Iterator[TableRow]:
    """The first sheet. A formula counts as what it came to when the file was saved."""
    from openpyxl import load_workbook

    try:
        with zipfile.ZipFile(io.BytesIO(data)) as parts:
            if sum(part.file_size for part in parts.infolist()) > LARGEST_UNPACKED:
                raise _Unreadable(_("The file is too large."))
        written = load_workbook(io.BytesIO(data), read_only=True).worksheets[0]
        reckoned = load_workbook(io.BytesIO(data), read_only=True, data_only=True).worksheets[0]
        for sheet in (written, reckoned):
            sheet.reset_dimensions()
        pairs = zip(written.iter_rows(), reckoned.iter_rows(values_only=True), strict=True)
        for line, (cells, values) in enumerate(pairs, start=1):
            if line > MOST_ROWS + 1:
                raise _Unreadable(_("The table has more than %(most)s lines.") % {"most": MOST_ROWS})
            texts = [
                _cell_text(cell, value, line, column)
                for column, (cell, value) in enumerate(zip(cells, values, strict=True), start=1)
            ]
            yield TableRow(line=line, cells=tuple(texts))
    except _Unreadable:
        raise
    except Exception as error:  # whatever a damaged file makes the library raise
        raise _Unreadable(_("The file is damaged, or is no Excel file (XLSX).")) from error


def _cell_text(cell: Any, value: Any, line: int, column: int) -> str:
    if cell.data_type == "f" and value is None:
        raise _Unreadable(
            _("The cell holds a formula without a result. Open the file and save it again, or put the value there."),
            line,
            column,
        )
    if cell.data_type == "e" or (isinstance(value, str) and value.startswith("#") and cell.data_type == "f"):
        raise _Unreadable(_("The cell holds an error: %(error)s.") % {"error": value}, line, column)
    if value is None:
        return ""
    if isinstance(value, datetime):
        return value.date().isoformat()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).strip()


# -- Writing -------------------------------------------------------------------------------------------------------

_LOOKS_LIKE_A_FORMULA = re.compile(r"[=@\t\r]|[+-](?![\d\s()/.-]*\Z)")


def write_csv(headings: Sequence[str], rows: Iterable[Sequence[Value]]) -> bytes:
    """A table as CSV that Excel opens as it is: UTF-8 with its mark, semicolons.

    A text that a spreadsheet would take for a formula gets an apostrophe before it.
    """
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=";")
    writer.writerow(headings)
    writer.writerows([_csv_value(value) for value in row] for row in rows)
    return out.getvalue().encode("utf-8-sig")


def write_xlsx(headings: Sequence[str], rows: Iterable[Sequence[Value]], *, title: str) -> bytes:
    """A table as XLSX: days are days, numbers numbers, and texts never formulas."""
    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

    book = Workbook(write_only=True)
    sheet = book.create_sheet(re.sub(r"[\\/*?:\[\]]", " ", title)[:31])
    sheet.freeze_panes = "A2"
    sheet.append(list(headings))
    for row in rows:
        cells = []
        for value in row:
            if isinstance(value, str):
                cell = WriteOnlyCell(sheet, value=ILLEGAL_CHARACTERS_RE.sub("", value))
                cell.data_type = "s"
                cells.append(cell)
            else:
                cells.append(value)
        sheet.append(cells)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _csv_value(value: Value) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return f"'{value}" if _LOOKS_LIKE_A_FORMULA.match(value) else value
    return value.isoformat() if isinstance(value, date) else str(value)


def _unguarded(text: str) -> str:
    return text[1:] if text.startswith("'") and _LOOKS_LIKE_A_FORMULA.match(text[1:]) else text
