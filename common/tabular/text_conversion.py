"""Converts national lists to text: workbooks (XLSX, ODS, XLS), DBF, XML, HTML and fixed-width texts.

They are converted once, when submitted. The line reader, which can resume at a line, then reads them like any other
list. The first line of the text marks it as converted: it then has its own encoding and separator, not those of the
list's description.
"""

from __future__ import annotations

import csv
import io
import zipfile
import zlib
from collections.abc import Mapping
from typing import BinaryIO

from django.utils.translation import gettext as _

from common.file_store.stores import StoredFileHandle
from common.tabular.spreadsheets import read_table
from common.tabular.text_tables import detect_encoding

MAX_ROWS, MAX_BYTES, MAX_SECONDS = 150_000, 250 * 1024**2, 15 * 60
"""Lines of a list, unpacked bytes of a workbook, and seconds. PZSzach and DSB have fewer than 100,000 players."""
MAX_WORKBOOK_BYTES = 60 * 1024**2
CONVERTED_TEXT_MARK = b"\xef\xbb\xbfsep=;\r\n"
_LOOKED_AT = 64 * 1024


class UnconvertibleFile(Exception):
    """Raised if a file cannot be converted to text. The message says why."""


def convert_file_to_text(kept: StoredFileHandle) -> str:
    """Replace a file with its text, and return its format (`xlsx`, `dbf`, ...). Empty if it is already text.

    A zip file counts as its content. Raises UnconvertibleFile if it cannot be read, and leaves it unchanged.
    """
    with kept.open() as file:
        start = file.read(_LOOKED_AT)
        if start.startswith(b"PK") and not _is_workbook(file):
            packed = _packed(file)
            if packed is None:
                return ""
            data = packed
        elif _is_plain(start):
            return ""
        else:
            data = _whole(file)
    table = read_table(data, most_rows=MAX_ROWS, most_bytes=MAX_BYTES, seconds=MAX_SECONDS)
    if table.problems:
        said = str(table.problems[0])
        if _("The table has more than %(most)s rows.") % {"most": MAX_ROWS} in said:
            said += " " + _("Save it as CSV, which can have any number of rows.")
        raise UnconvertibleFile(said)
    if table.kind == "csv":
        return ""
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=";")
    written = 0
    for row in table.lines:
        for _blank in range(written + 1, row.line):
            writer.writerow([])
        writer.writerow([cell.replace("\n", " ") for cell in row.cells])
        written = max(row.line, written + 1)
    kept.store.save_file(kept.name, [CONVERTED_TEXT_MARK, out.getvalue().encode()])
    return table.kind


def is_converted_text(start: bytes) -> bool:
    """Return True if the file was written by `convert_file_to_text`."""
    return start.startswith(CONVERTED_TEXT_MARK)


def columns_of_converted_text(columns: Mapping[str, object]) -> dict[str, object]:
    """Return a list's column description adapted to converted text: encoding, separator, one more heading line."""
    headings = columns.get("headings", 1)
    lines = headings if isinstance(headings, int) else 1
    return {**columns, "separator": ";", "encoding": "utf-8-sig", "headings": lines + 1}


def _is_plain(start: bytes) -> bool:
    """Return True for a text with separators, which is read without conversion."""
    if start.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<") or start[:4] == b"\xd0\xcf\x11\xe0":
        return False
    if b"\0" in start and detect_encoding(start) != "utf-16":
        return False
    lines = start.splitlines()[:50]
    return any(sum(line.count(mark) > 1 for line in lines) * 2 > len(lines) for mark in (b";", b"\t", b"|", b","))


def _is_workbook(file: BinaryIO) -> bool:
    try:
        with zipfile.ZipFile(file) as parts:
            return not {"[Content_Types].xml", "content.xml"}.isdisjoint(parts.namelist())
    except zipfile.BadZipFile as error:
        raise UnconvertibleFile(_("The file is damaged.")) from error


def _packed(file: BinaryIO) -> bytes | None:
    """Return the largest file of a zip. Return None if it is a text that needs no conversion."""
    try:
        return _largest(file)
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError) as error:
        raise UnconvertibleFile(_("The file is damaged.")) from error


def _largest(file: BinaryIO) -> bytes | None:
    with zipfile.ZipFile(file) as archive:
        files = [entry for entry in archive.infolist() if not entry.is_dir()]
        largest = max(files, key=lambda entry: entry.file_size, default=None)
        if largest is None:
            return None
        with archive.open(largest) as inner:
            start = inner.read(_LOOKED_AT)
            if _is_plain(start):
                return None
        if largest.file_size > MAX_WORKBOOK_BYTES:
            raise UnconvertibleFile(_("The file is too large."))
        return archive.read(largest)


def _whole(file: BinaryIO) -> bytes:
    file.seek(0)
    data = file.read(MAX_WORKBOOK_BYTES + 1)
    if len(data) > MAX_WORKBOOK_BYTES:
        raise UnconvertibleFile(_("The file is too large."))
    return data
