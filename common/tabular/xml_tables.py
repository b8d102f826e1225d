"""Reads tables in XML with any element names. The repeated element is a row, and its content the cells."""

from __future__ import annotations

import io
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from defusedxml.ElementTree import iterparse
from django.utils.translation import gettext as _

from common.tabular.text_tables import TableRow, UnreadableTable

MAX_CELLS = 20
"""The most elements of a row, on average."""


def is_xml(data: bytes) -> bool:
    """Return True if the file begins like XML."""
    start = data.removeprefix(b"\xef\xbb\xbf").lstrip()[:200]
    return start.startswith((b"<?xml", b"<")) and b">" in start


def read_xml_rows(data: bytes, *, most_rows: int, most_columns: int) -> Iterator[TableRow]:
    """Yield the cell names as line 1, then one row per record from line 2.

    A cell is an attribute or an element with text. Nested ones are named like `club/name`. Raises UnreadableTable if it
    is invalid.
    """
    names: dict[str, int] = {}
    lines: list[dict[str, str]] = []
    try:
        for record in _records(data, most_rows * MAX_CELLS):
            cells = dict(_cells(record))
            for name in cells:
                names.setdefault(name, len(names))
            lines.append(cells)
            if len(lines) > most_rows:
                raise UnreadableTable(_("The table has more than %(most)s rows.") % {"most": most_rows})
            if len(names) > most_columns:
                raise UnreadableTable(
                    _("The table has more than %(most)s columns.") % {"most": most_columns}, len(lines)
                )
    except UnreadableTable:
        raise
    except Exception as error:  # a damaged file can make the library raise any error
        raise UnreadableTable(_("The file is damaged or isn't XML."), len(lines) + 1) from error
    if not lines:
        raise UnreadableTable(_("This file is empty."))
    yield TableRow(line=1, cells=tuple(names))
    for number, cells in enumerate(lines, start=2):
        yield TableRow(line=number, cells=tuple(cells.get(name, "") for name in names))


def _records(data: bytes, most: int) -> Iterator[Element]:
    """Yield the elements at the depth of the first one below the root with several values."""
    depth, wanted, begun = 0, 0, 0
    for event, element in iterparse(io.BytesIO(data), events=("start", "end")):
        if event == "start":
            depth += 1
            begun += 1
            if begun > most:  # the library keeps an object for each
                raise UnreadableTable(_("The file is too large."))
            continue
        has_facts = len(element.attrib) + sum(not len(child) for child in element) > 1
        if not wanted and depth > 1 and has_facts:
            wanted = depth
        if depth == wanted:
            yield element
            element.clear()
        depth -= 1


def _cells(element: Element, prefix: str = "") -> Iterator[tuple[str, str]]:
    for name, value in element.attrib.items():
        yield f"{prefix}{_plain(name)}", " ".join(value.split())
    for child in element:
        name = f"{prefix}{_plain(child.tag)}"
        if len(child) or child.attrib:
            yield from _cells(child, f"{name}/")
        if text := " ".join((child.text or "").split()):
            yield name, text


def _plain(name: str) -> str:
    """Return the name without its namespace."""
    return name.rpartition("}")[2]
