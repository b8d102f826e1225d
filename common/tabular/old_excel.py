"""Reads tables in the old Excel format (XLS), through xlrd."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from common.tabular.text_tables import TableRow, UnreadableTable

if TYPE_CHECKING:
    from xlrd.sheet import Cell

_BEGINNING = b"\xd0\xcf\x11\xe0"


def is_old_excel(data: bytes) -> bool:
    """Return True if the file begins like an XLS file. Old Word files do, too."""
    return data.startswith(_BEGINNING)


def read_old_excel_rows(data: bytes, *, most_columns: int) -> Iterator[TableRow]:
    """Yield the rows in the first sheet. Empty rows have no cells. Raises UnreadableTable if the file is damaged.

    Formulas give their saved results. Rows end with their last cell (`ragged_rows`), so that a distant cell in a small
    file does not create millions of cells.
    """
    import xlrd

    try:
        with xlrd.open_workbook(file_contents=data, logfile=io.StringIO(), on_demand=True, ragged_rows=True) as book:
            sheet = book.sheet_by_index(0)
            for number in range(sheet.nrows):
                if sheet.row_len(number) > most_columns:
                    raise UnreadableTable(
                        _("The table has more than %(most)s columns.") % {"most": most_columns}, number + 1
                    )
                cells = [
                    _text_of(cell, book.datemode, number + 1, place)
                    for place, cell in enumerate(sheet.row(number), start=1)
                ]
                yield TableRow(line=number + 1, cells=tuple(cells))
    except (UnreadableTable, MemoryError):
        raise
    except Exception as error:  # a damaged file can make the library raise any error
        raise UnreadableTable(_("The file is damaged or isn't an Excel file (XLS).")) from error


def _text_of(cell: Cell, datemode: int, line: int, column: int) -> str:
    import xlrd

    if cell.ctype == xlrd.XL_CELL_ERROR:
        said = xlrd.error_text_from_code.get(cell.value, "?")
        raise UnreadableTable(_("The cell contains an error: %(error)s.") % {"error": said}, line, column)
    if cell.ctype == xlrd.XL_CELL_DATE:
        return xlrd.xldate_as_datetime(cell.value, datemode).date().isoformat()
    if cell.ctype == xlrd.XL_CELL_NUMBER and float(cell.value).is_integer():
        return str(int(cell.value))
    return str(cell.value).strip().replace("\0", "")
