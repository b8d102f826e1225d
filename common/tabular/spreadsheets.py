"""Reads files as tables, with the format detected from the content. CSV and XLSX here, others in their own modules."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from datetime import date, datetime
from decimal import Decimal
from typing import Any, TypeAlias

from django.utils.translation import gettext as _

from common.tabular.column_names import columns_by_heading
from common.tabular.dbf_tables import is_dbf, read_dbf_rows
from common.tabular.fixed_width_columns import detect_fixed_width_columns, split_fixed_width_lines
from common.tabular.html_tables import is_web_page, read_web_page_rows
from common.tabular.old_excel import is_old_excel, read_old_excel_rows
from common.tabular.open_document import is_open_document, read_open_document_rows
from common.tabular.parsed_table import CellProblem, ParsedTable
from common.tabular.sqlite_tables import is_sqlite, read_sqlite_rows
from common.tabular.subprocess_reader import CPU_SECONDS, is_light, read_in_subprocess
from common.tabular.text_tables import TableRow, UnreadableTable, read_text_table
from common.tabular.xml_tables import is_xml, read_xml_rows

MAX_ROWS = 20_000
MAX_COLUMNS = 200
MAX_CELLS_PER_ROW = 20
"""On average, with empty ones. A table of fewer rows may have wider ones."""
MAX_UNPACKED_BYTES = 40 * 1024 * 1024
"""In bytes. A larger XLSX can't be a table of people."""

CellValue: TypeAlias = str | int | Decimal | date | None
"""The types of cells in written tables."""


def read_table(
    data: bytes, *, most_rows: int = MAX_ROWS, most_bytes: int = MAX_UNPACKED_BYTES, seconds: int = CPU_SECONDS
) -> ParsedTable:
    """Read a CSV, XLSX, ODS, XLS, DBF, HTML, XML, SQLite or fixed-width text file, detected from its content.

    Errors of the content are never raised, but returned in `problems`. A file that is not light is read in a subprocess
    with a limit of `seconds` processor time.
    """
    limits = {"most_rows": most_rows, "most_bytes": most_bytes}
    if is_light(data):
        return read_table_in_process(data, **limits)
    try:
        told = read_in_subprocess(f"{__name__}.table_as_json", data, seconds=seconds, **limits)
    except UnreadableTable as unreadable:
        return _refused(unreadable)
    return ParsedTable(
        lines=tuple(TableRow(line=line, cells=tuple(cells)) for line, cells in told.pop("lines")),
        problems=tuple(CellProblem(**problem) for problem in told.pop("problems")),
        **told,
    )


def table_as_json(data: bytes, **limits: int) -> dict[str, Any]:
    """Read the table in this process, and return it as plain lists and strings."""
    table = read_table_in_process(data, **limits)
    return {
        "lines": [(row.line, row.cells) for row in table.lines],
        "kind": table.kind,
        "encoding": table.encoding,
        "separator": table.separator,
        "problems": [asdict(problem) for problem in table.problems],
    }


def read_table_in_process(data: bytes, *, most_rows: int, most_bytes: int) -> ParsedTable:
    """Read the table in this process, without a time limit."""
    most = {"most_rows": most_rows, "most_columns": MAX_COLUMNS}
    try:
        if is_web_page(data):
            rows, encoding = read_web_page_rows(data, **most)
            return _as_table(rows, most_rows, kind="html", encoding=encoding.removesuffix("-sig"))
        if is_xml(data):
            return _as_table(read_xml_rows(data, **most), most_rows, kind="xml")
        if is_sqlite(data):
            return _as_table(read_sqlite_rows(data, most_rows=most_rows), most_rows, kind="sqlite")
        if is_dbf(data):
            rows, encoding = read_dbf_rows(data, **most)
            return _as_table(rows, most_rows, kind="dbf", encoding=encoding)
        if is_open_document(data):
            rows = read_open_document_rows(
                data, most_rows=most_rows + 1, most_columns=MAX_COLUMNS, most_bytes=most_bytes
            )
            return _as_table(rows, most_rows, kind="ods")
        if data.startswith(b"PK\x03\x04"):
            return _as_table(_xlsx_rows(data, most_rows, most_bytes), most_rows, kind="xlsx")
        if is_old_excel(data):
            return _as_table(read_old_excel_rows(data, most_columns=MAX_COLUMNS), most_rows, kind="xls")
        rows, encoding, separator = read_text_table(data)
        if columns := _even_columns_of(data, encoding):
            return _as_table(columns, most_rows, kind="txt", encoding=encoding.removesuffix("-sig"))
        return _as_table(rows, most_rows, encoding=encoding.removesuffix("-sig"), separator=separator)
    except UnreadableTable as unreadable:
        return _refused(unreadable)


def _refused(unreadable: UnreadableTable) -> ParsedTable:
    problem = CellProblem(line=unreadable.line, column=unreadable.column, message=str(unreadable))
    return ParsedTable(problems=(problem,))


def _as_table(rows: Iterable[TableRow], most_rows: int, **about: Any) -> ParsedTable:
    filled, problems, cells = [], [], 0
    for row in rows:
        cells += len(row.cells)
        if cells > most_rows * MAX_CELLS_PER_ROW:
            raise UnreadableTable(_("The file is too large."))
        if row.problem:
            problems.append(CellProblem(line=row.line, column=0, message=row.problem))
        elif any(row.cells):
            filled.append(row)
        if len(filled) + len(problems) > most_rows:
            raise _too_many_lines(most_rows)
    if not filled and not problems:
        raise UnreadableTable(_("This file is empty."))
    if filled and len(filled[0].cells) > MAX_COLUMNS:
        raise _too_many_columns(filled[0].line)
    return ParsedTable(lines=tuple(filled), problems=tuple(problems), **about)


def _even_columns_of(data: bytes, encoding: str) -> list[TableRow]:
    """Return the lines of a fixed-width text, if its first line has headings. Otherwise none."""
    lines = data.decode(encoding, errors="replace").splitlines()
    filled = [place for place, line in enumerate(lines) if line.strip()]
    for place in filled[:_LINES_ABOVE]:
        if _is_parted(lines[place]):
            return []
        begins = detect_fixed_width_columns(lines[place:])
        if len(begins) > 1 and _are_named(split_fixed_width_lines(lines[place : place + 1], begins)[0].cells):
            return split_fixed_width_lines(lines, begins)
    return []


_LINES_ABOVE = 6
"""The most lines above the headings, such as a title."""


def _are_named(headings: Sequence[str]) -> bool:
    kinds = set(columns_by_heading(headings, ("name", "given_name", "rating", "federation", "birth", "title")).values())
    return "name" in kinds and len(kinds) > 1


def _is_parted(line: str) -> bool:
    return any(line.count(mark) > 1 for mark in ";\t|")


def _too_many_lines(most: int) -> UnreadableTable:
    return UnreadableTable(_("The table has more than %(most)s rows.") % {"most": most})


def _too_many_columns(line: int) -> UnreadableTable:
    return UnreadableTable(_("The table has more than %(most)s columns.") % {"most": MAX_COLUMNS}, line)


def _xlsx_rows(data: bytes, most_rows: int, most_bytes: int) -> Iterator[TableRow]:
    """Yield the rows of the first sheet. Formulas give their saved results."""
    from openpyxl import load_workbook

    try:
        with zipfile.ZipFile(io.BytesIO(data)) as parts:
            if sum(part.file_size for part in parts.infolist()) > most_bytes:
                raise UnreadableTable(_("The file is too large."))
            _check_sizes(parts, most_rows)
        written = load_workbook(io.BytesIO(data), read_only=True).worksheets[0]
        reckoned = load_workbook(io.BytesIO(data), read_only=True, data_only=True).worksheets[0]
        for sheet in (written, reckoned):
            sheet.reset_dimensions()
        pairs = zip(written.iter_rows(), reckoned.iter_rows(values_only=True), strict=True)
        for line, (cells, values) in enumerate(pairs, start=1):
            if line > most_rows + 1:
                raise _too_many_lines(most_rows)
            texts = [
                _cell_text(cell, value, line, column)
                for column, (cell, value) in enumerate(zip(cells, values, strict=True), start=1)
            ]
            yield TableRow(line=line, cells=tuple(texts))
    except (UnreadableTable, MemoryError):
        raise
    except Exception as error:  # a damaged file can make the library raise any error
        raise UnreadableTable(_("The file is damaged or isn't an Excel file (XLSX).")) from error


_SHEET = re.compile(r"xl/worksheets/[^/]+\.xml")
_ROW = re.compile(rb"<(?:\w+:)?row[\s>]")
_CELL = re.compile(rb"<(?:\w+:)?c[\s>/]")
_FAR_COLUMN = re.compile(rb"""\sr=["']([A-Z]{3,})(\d{1,7})["']""")
_SHARED_TEXT = re.compile(rb"<(?:\w+:)?si[\s>/]")


def _check_sizes(parts: zipfile.ZipFile, most_rows: int) -> None:
    """Check the size before the library reads the file: it creates an object for every cell, and for gaps too."""
    for part in parts.infolist():
        if _SHEET.fullmatch(part.filename):
            written = parts.read(part)
            if far := _FAR_COLUMN.search(written):
                raise _too_many_columns(int(far.group(2)))
            if sum(1 for _row in _ROW.finditer(written)) > most_rows + 1:
                raise _too_many_lines(most_rows)
            if sum(1 for _cell in _CELL.finditer(written)) > most_rows * MAX_CELLS_PER_ROW:
                raise UnreadableTable(_("The file is too large."))
        texts = parts.read(part) if part.filename == "xl/sharedStrings.xml" else b""
        if sum(1 for _text in _SHARED_TEXT.finditer(texts)) > most_rows * MAX_CELLS_PER_ROW:
            raise UnreadableTable(_("The file is too large."))


def _cell_text(cell: Any, value: Any, line: int, column: int) -> str:
    if cell.data_type == "f" and value is None:
        raise UnreadableTable(
            _("The cell has a formula without a result. Open the file and save it again, or enter the value."),
            line,
            column,
        )
    if cell.data_type == "e" or (isinstance(value, str) and value.startswith("#") and cell.data_type == "f"):
        raise UnreadableTable(_("The cell contains an error: %(error)s.") % {"error": value}, line, column)
    if value is None:
        return ""
    if isinstance(value, datetime):
        return value.date().isoformat()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).strip()
