"""Reads OpenDocument tables (ODS), such as those of LibreOffice: the first sheet, cell by cell.

A cell or row can be stored once and repeated a million times. If it were expanded first, a file of one kilobyte could
fill the server's memory. So the limits are checked while reading.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from defusedxml.ElementTree import iterparse
from django.utils.translation import gettext as _

from common.tabular.text_tables import TableRow, UnreadableTable

ODS_MIMETYPE = b"application/vnd.oasis.opendocument.spreadsheet"
_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_CELLS = (f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell")


def is_open_document(data: bytes) -> bool:
    """Return True if the file begins like an OpenDocument spreadsheet."""
    return data[:4] == b"PK\x03\x04" and ODS_MIMETYPE in data[:200]


def read_open_document_rows(data: bytes, *, most_rows: int, most_columns: int, most_bytes: int) -> Iterator[TableRow]:
    """Yield the non-empty rows in the first sheet. Raises UnreadableTable, with the line, if the file is invalid."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as parts:
            if sum(part.file_size for part in parts.infolist()) > most_bytes:
                raise UnreadableTable(_("The file is too large."))
            with parts.open("content.xml") as content:
                yield from _rows(iterparse(content, events=("start", "end")), most_rows, most_columns)
    except (UnreadableTable, MemoryError):
        raise
    except Exception as error:  # a damaged file can make the libraries raise any error
        raise UnreadableTable(_("The file is damaged or isn't an OpenDocument spreadsheet (ODS).")) from error


def _rows(steps: Iterator[tuple[str, Element]], most_rows: int, most_columns: int) -> Iterator[TableRow]:
    line, written, cells_written = 1, 0, 0
    for step, element in steps:
        if step == "start":
            # Count stored cells, empty or not: the library keeps an object for each.
            cells_written += element.tag in _CELLS
            written += element.tag == f"{_TABLE}table-row"
            if written > most_rows:
                raise UnreadableTable(_("The table has more than %(most)s rows.") % {"most": most_rows}, line)
            if cells_written > most_columns + 1:
                raise UnreadableTable(_("The table has more than %(most)s columns.") % {"most": most_columns}, line)
        elif element.tag == f"{_TABLE}table":
            return
        elif element.tag == f"{_TABLE}table-row":
            cells_written = 0
            times = _times(element, "rows")
            cells = _cells(element, line, most_columns)
            if cells and times > most_rows:
                raise UnreadableTable(_("The table has more than %(most)s rows.") % {"most": most_rows}, line)
            for _repeat in range(times if cells else 0):
                yield TableRow(line=line, cells=cells)
                line += 1
            line += 0 if cells else times
            element.clear()


def _cells(row: Element, line: int, most_columns: int) -> tuple[str, ...]:
    """Return the texts of a row's cells, without empty ones at its end."""
    texts: list[str] = []
    empty = 0
    for cell in row:
        if cell.tag not in _CELLS:
            continue
        times, text = _times(cell, "columns"), _text(cell, line, len(texts) + empty + 1)
        if not text:
            empty += times
            continue
        if len(texts) + empty + times > most_columns:
            raise UnreadableTable(_("The table has more than %(most)s columns.") % {"most": most_columns}, line)
        texts += [""] * empty + [text] * times
        empty = 0
    return tuple(texts)


def _text(cell: Element, line: int, column: int) -> str:
    """Return a date as 2026-11-22, a whole number without its fraction, anything else as shown."""
    shown = " ".join("".join(part.itertext()) for part in cell.iter(f"{_TEXT}p")).strip()
    if cell.get(f"{_TABLE}formula") and shown.startswith(("#", "Err:")):
        raise UnreadableTable(_("The cell contains an error: %(error)s.") % {"error": shown}, line, column)
    kind = cell.get(f"{_OFFICE}value-type")
    if kind == "date":
        return cell.get(f"{_OFFICE}date-value", shown)[:10]
    if kind == "float":
        number = cell.get(f"{_OFFICE}value", shown)
        return number.removesuffix(".0")
    return shown


def _times(element: Element, what: str) -> int:
    return int(element.get(f"{_TABLE}number-{what}-repeated", "1"))
