"""Reads tables of saved web pages (HTML), and of "Excel" files that are really web pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

from django.utils.translation import gettext as _

from common.tabular.column_names import column_kind_of_heading
from common.tabular.text_tables import TableRow, UnreadableTable, detect_encoding

_LOOKED_AT = 4096
_BEGINNING = re.compile(rb"\s*(?:<\?xml[^>]*>\s*)?<(?:!doctype html|html|head|body|table|meta|div)[\s>]", re.I)
_CHARSET = re.compile(rb"charset\s*=\s*[\"']?\s*([a-z0-9_-]+)", re.I)
_KNOWN = {
    **dict.fromkeys(("utf-8", "utf8"), "utf-8-sig"),
    **{f"windows-{page}": f"cp{page}" for page in (1250, 1251, 1252)},
    **dict.fromkeys(("iso-8859-1", "latin1"), "cp1252"),
    "iso-8859-2": "iso-8859-2",
    "koi8-r": "koi8-r",
    "koi8-u": "koi8-u",
}
_PIECE = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)([^<>]*)>|[^<]+|<")
"""A tag, a text, or a "<" that begins no tag. The pattern takes linear time on any page."""
_COLUMNS = re.compile(r"colspan\s*=\s*[\"']?([0-9]{1,3})(?![0-9])", re.IGNORECASE)
_HIDDEN = (("<!--", "-->"), ("<script", "</script"), ("<style", "</style"))
MAX_TABLES = 2_000


def is_web_page(data: bytes) -> bool:
    """Return True if the file begins like a web page."""
    return bool(_BEGINNING.match(data.removeprefix(b"\xef\xbb\xbf")[:_LOOKED_AT]))


def read_web_page_rows(data: bytes, *, most_rows: int, most_columns: int) -> tuple[Iterator[TableRow], str]:
    """Return the rows of the table of people, and the encoding. Raises UnreadableTable if there is no table.

    Line numbers count rows of the table. Of several tables, the one with most known headings is read, then the longest.
    """
    encoding = _encoding(data)
    text = data.decode(encoding, errors="replace").replace("\0", "")
    for begin, end in _HIDDEN:
        text = _without(text, begin, end)
    tables = [rows for rows in _tables(text, most_rows, most_columns) if len(rows) > 1]
    if not tables:
        raise UnreadableTable(_("This web page has no table."))
    best: list[TableRow] = max(tables, key=_worth)
    return iter(best), encoding


def _encoding(data: bytes) -> str:
    """Return the encoding declared by the page, unless its bytes are UTF-8 or UTF-16."""
    found = detect_encoding(data)
    said = _CHARSET.search(data[:_LOOKED_AT])
    if found in ("utf-8-sig", "utf-16") or said is None:
        return found
    told = _KNOWN.get(said[1].decode("ascii").lower(), found)
    return found if told == "utf-8-sig" else told


def _without(text: str, begin: str, end: str) -> str:
    """Remove the text between these marks, or up to the end if there is no closing mark."""
    small = text.lower() if len(text.lower()) == len(text) else text
    kept, place = [], 0
    while (start := small.find(begin, place)) >= 0:
        kept.append(text[place:start])
        close = small.find(end, start + len(begin))
        if close < 0:
            return "".join(kept)
        place = close + len(end)
    return "".join((*kept, text[place:]))


def _worth(rows: list[TableRow]) -> tuple[int, int]:
    known = max((sum(bool(column_kind_of_heading(cell)) for cell in row.cells) for row in rows[:5]), default=0)
    return min(known, 3), len(rows)


def _tables(text: str, most_rows: int, most_columns: int) -> list[list[TableRow]]:
    """Return every table, including tables nested in cells."""
    found: list[list[TableRow]] = []
    under_way: list[_Table] = []
    for piece in _PIECE.finditer(text):
        tag = (piece[2] or "").lower()
        if tag == "table" and not piece[1]:
            if len(found) + len(under_way) > MAX_TABLES:
                raise UnreadableTable(_("The file is too large."))
            under_way.append(_Table(most_rows, most_columns))
        elif not under_way:
            continue
        elif tag == "table":
            found.append(under_way.pop().finish_rows())
        elif tag == "tr":
            under_way[-1].end_row()
        elif tag in ("td", "th"):
            under_way[-1].end_cell()
            if not piece[1]:
                under_way[-1].begin_cell(_columns_of(piece[3]))
        elif tag in ("br", "p", "div"):
            under_way[-1].add_text(" ")
        elif not tag:
            under_way[-1].add_text(piece[0])
    return [*found, *(table.finish_rows() for table in under_way)]


class _Table:
    def __init__(self, most_rows: int, most_columns: int) -> None:
        self._most_rows, self._most_columns = most_rows, most_columns
        self._rows: list[TableRow] = []
        self._cells: list[str] = []
        self._text: list[str] | None = None
        self._spans = 1

    def begin_cell(self, columns: int) -> None:
        self._text, self._spans = [], columns

    def add_text(self, text: str) -> None:
        if self._text is not None:
            self._text.append(text)

    def end_cell(self) -> None:
        if self._text is not None:
            text = " ".join(unescape("".join(self._text)).replace("\xa0", " ").split())
            self._cells += [text, *[""] * (self._spans - 1)]
            if len(self._cells) > self._most_columns:
                message = _("The table has more than %(most)s columns.") % {"most": self._most_columns}
                raise UnreadableTable(message, len(self._rows) + 1)
        self._text = None

    def end_row(self) -> None:
        self.end_cell()
        if any(self._cells):
            self._rows.append(TableRow(line=len(self._rows) + 1, cells=tuple(self._cells)))
            if len(self._rows) > self._most_rows:
                message = _("The table has more than %(most)s rows.") % {"most": self._most_rows}
                raise UnreadableTable(message, len(self._rows))
        self._cells = []

    def finish_rows(self) -> list[TableRow]:
        self.end_row()
        return self._rows


def _columns_of(attributes: str) -> int:
    told = _COLUMNS.search(attributes)
    return max(1, int(told[1])) if told else 1
