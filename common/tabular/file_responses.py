"""Writes tables as CSV and XLSX, and sends files as responses."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from django.http import HttpResponse
from django.utils.formats import get_format

from common.tabular.parsed_table import spreadsheet_column_letters
from common.tabular.spreadsheets import CellValue
from common.tabular.text_tables import escape_formula

TABLE_FORMATS = ("csv", "xlsx")
"""The formats for downloads, also used as URL suffixes."""
_AMOUNT, _DAY = "#,##0.00", "mm-dd-yy"
"""Built-in number formats: each spreadsheet shows them in its user's locale."""
_NARROWEST, _WIDEST = 8, 48
_LOOKED_AT = 500
"""The rows used to set column widths."""


def file_response(data: bytes, filename: str, kind: str) -> HttpResponse:
    """Return a response that downloads a file. Browsers and proxies do not store it."""
    types = {
        "csv": "text/csv; charset=utf-8",
        "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "json": "application/json",
        "xml": "application/xml",
        "zip": "application/zip",
        "pgn": "application/vnd.chess-pgn; charset=utf-8",
        "txt": "text/plain; charset=utf-8",
    }
    headers = {"Content-Disposition": f'attachment; filename="{filename}.{kind}"', "Cache-Control": "no-store"}
    return HttpResponse(data, content_type=types[kind], headers=headers)


def table_response(
    headings: Sequence[str],
    rows: Iterable[Sequence[CellValue]],
    filename: str,
    kind: str,
    *,
    title: str,
    totals: str = "",
) -> HttpResponse:
    """Return a table as a download in one of `TABLE_FORMATS`. `title` names the sheet of a workbook.

    With a label for `totals`, amounts in a CSV have the locale's decimal mark, so spreadsheets read them as numbers. A
    workbook then has a last row of sums.
    """
    if kind == "csv":
        mark = str(get_format("DECIMAL_SEPARATOR")) if totals else "."
        return file_response(render_csv(headings, rows, decimal_mark=mark), filename, kind)
    return file_response(render_xlsx(headings, rows, title=title, totals=totals), filename, kind)


def render_csv(headings: Sequence[str], rows: Iterable[Sequence[CellValue]], *, decimal_mark: str = ".") -> bytes:
    """Return a table as CSV that Excel opens directly: UTF-8 with BOM, semicolons, `decimal_mark` before cents.

    Texts that a spreadsheet would take for formulas are escaped with an apostrophe.
    """
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=";")
    writer.writerows([_csv_value(value, decimal_mark) for value in row] for row in (headings, *rows))
    return out.getvalue().encode("utf-8-sig")


def render_xlsx(headings: Sequence[str], rows: Iterable[Sequence[CellValue]], *, title: str, totals: str = "") -> bytes:
    """Return a table as XLSX with real dates and numbers, no formulas, and columns sized to fit their contents.

    With a label for `totals`, a last row has the sums of the amounts.
    """
    from openpyxl import Workbook
    from openpyxl.styles import Font

    book = Workbook(write_only=True)
    sheet = book.create_sheet(re.sub(r"[\\/*?:\[\]]", " ", title)[:31])
    sheet.freeze_panes = "A2"
    kept = list(rows)
    for place, heading in enumerate(headings):
        cells = [heading, *(row[place] for row in kept[:_LOOKED_AT])]
        sheet.column_dimensions[spreadsheet_column_letters(place + 1)].width = _width(cells)
    bold = Font(bold=True)
    sheet.append([_cell(sheet, heading, font=bold) for heading in headings])
    for row in kept:
        sheet.append([_cell(sheet, value) for value in row])
    if totals and kept:
        sums = [_sum_of([row[place] for row in kept]) for place in range(1, len(headings))]
        sheet.append([_cell(sheet, value, font=bold) for value in (totals, *sums)])
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _cell(sheet: Any, value: CellValue, *, font: Any = None) -> Any:
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

    if value is None:
        return None
    cell = WriteOnlyCell(sheet, value=ILLEGAL_CHARACTERS_RE.sub("", value) if isinstance(value, str) else value)
    if isinstance(value, str):
        cell.data_type = "s"
    elif isinstance(value, Decimal):
        cell.number_format = _AMOUNT
    elif isinstance(value, date):
        cell.number_format = _DAY
    if font is not None:
        cell.font = font
    return cell


def _width(values: Sequence[CellValue]) -> int:
    """Return the width in characters. Formatted amounts are wider than their stored text."""
    longest = max((len(str(value)) + (2 if isinstance(value, Decimal) else 0) for value in values), default=0)
    return min(max(longest + 2, _NARROWEST), _WIDEST)


def _sum_of(column: Sequence[CellValue]) -> Decimal | None:
    amounts = [value for value in column if isinstance(value, Decimal)]
    return sum(amounts, Decimal(0)) if amounts else None


def _csv_value(value: CellValue, mark: str) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return escape_formula(value)
    if isinstance(value, Decimal):
        return str(value).replace(".", mark)
    return value.isoformat() if isinstance(value, date) else str(value)
