"""Tables in the old Excel format (XLS), read through xlrd."""

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
    """Whether it begins as such files do; old Word files do, too."""
    return data.startswith(_BEGINNING)


def read_old_excel_rows(data: bytes, *, most_columns: int) -> Iterator[TableRow]:
    """The first sheet, row by row; rows without anything have no cells. Raises Unreadable.

    A formula counts as what it came to when the file was saved. Rows end with their last cell (`ragged_rows`): a small
    file with a cell far out makes no millions of them.
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
    except Exception as error:  # whatever a damaged file makes the library raise
        raise UnreadableTable(_("The file is damaged, or is no Excel file (XLS).")) from error


def _text_of(cell: Cell, datemode: int, line: int, column: int) -> str:
    import xlrd

    if cell.ctype == xlrd.XL_CELL_ERROR:
        said = xlrd.error_text_from_code.get(cell.value, "?")
        raise UnreadableTable(_("The cell holds an error: %(error)s.") % {"error": said}, line, column)
    if cell.ctype == xlrd.XL_CELL_DATE:
        return xlrd.xldate_as_datetime(cell.value, datemode).date().isoformat()
    if cell.ctype == xlrd.XL_CELL_NUMBER and float(cell.value).is_integer():
        return str(int(cell.value))
    return str(cell.value).strip().replace("\0", "")
