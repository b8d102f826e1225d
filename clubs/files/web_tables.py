"""Tables of saved web pages (HTML), and of "Excel" files that are web pages by another name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser

from django.utils.translation import gettext as _

from clubs.files.column_names import kind_named
from clubs.files.text_tables import TableRow, Unreadable, encoding_of

_LOOKED_AT = 4096
_BEGINNING = re.compile(
    rb"\s*<(?:!doctype html|html|head|body|table|meta|div|\?xml[^>]*>\s*<(?:!doctype html|html))", re.I
)
_CHARSET = re.compile(rb"charset\s*=\s*[\"']?\s*([a-z0-9_-]+)", re.I)
_KNOWN = {
    **dict.fromkeys(("utf-8", "utf8"), "utf-8-sig"),
    **{f"windows-{page}": f"cp{page}" for page in (1250, 1251, 1252)},
    **dict.fromkeys(("iso-8859-1", "latin1"), "cp1252"),
    "iso-8859-2": "iso-8859-2",
    "koi8-r": "koi8-r",
    "koi8-u": "koi8-u",
}
MOST_TABLES = 2_000


def is_web_page(data: bytes) -> bool:
    """Whether it begins as web pages do."""
    return bool(_BEGINNING.match(data.removeprefix(b"\xef\xbb\xbf")[:_LOOKED_AT]))


def rows_of_web_page(data: bytes, *, most_rows: int, most_columns: int) -> tuple[Iterator[TableRow], str]:
    """The rows of the table of people in it, and the letters it was read with; Unreadable where there is none.

    Lines are counted in the table, as a page may stand in one. Of several tables it is the one whose headings are known
    best, and of equals the longest.
    """
    encoding = _encoding(data)
    reader = _Tables(most_rows=most_rows, most_columns=most_columns)
    reader.feed(data.decode(encoding, errors="replace").replace("\0", ""))
    reader.close()
    tables = [rows for rows in reader.tables if len(rows) > 1]
    if not tables:
        raise Unreadable(_("There is no table in this web page."))
    best: list[TableRow] = max(tables, key=_worth)
    return iter(best), encoding


def _encoding(data: bytes) -> str:
    """As the page itself says, unless its bytes are UTF-8 or UTF-16 whatever it says."""
    found = encoding_of(data)
    said = _CHARSET.search(data[:_LOOKED_AT])
    if found in ("utf-8-sig", "utf-16") or said is None:
        return found
    told = _KNOWN.get(said[1].decode("ascii").lower(), found)
    return found if told == "utf-8-sig" else told


def _worth(rows: list[TableRow]) -> tuple[int, int]:
    known = max((sum(bool(kind_named(cell)) for cell in row.cells) for row in rows[:5]), default=0)
    return min(known, 3), len(rows)


class _Tables(HTMLParser):
    """Every table by itself, also those that stand within another's cell."""

    def __init__(self, *, most_rows: int, most_columns: int) -> None:
        super().__init__(convert_charrefs=True)
        self.tables: list[list[TableRow]] = []
        self._open: list[_Table] = []
        self._most_rows, self._most_columns = most_rows, most_columns
        self._passed_over = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("script", "style"):
            self._passed_over += 1
        elif tag == "table":
            if len(self.tables) + len(self._open) > MOST_TABLES:
                raise Unreadable(_("The file is too large."))
            self._open.append(_Table())
        elif self._open and tag == "tr":
            self._open[-1].begin_row()
        elif self._open and tag in ("td", "th"):
            self._open[-1].begin_cell(_columns_of(attrs))
            self._check(self._open[-1])
        elif self._open and tag in ("br", "p", "div"):
            self._open[-1].text(" ")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("script", "style"):
            self._passed_over = max(self._passed_over - 1, 0)
        elif self._open and tag == "table":
            self.tables.append(self._open.pop().finished())
        elif self._open and tag in ("td", "th"):
            self._open[-1].end_cell()

    def handle_data(self, data: str) -> None:
        if self._open and not self._passed_over:
            self._open[-1].text(data)

    def close(self) -> None:
        super().close()
        while self._open:
            self.tables.append(self._open.pop().finished())

    def _check(self, table: _Table) -> None:
        if table.width > self._most_columns:
            raise Unreadable(
                _("The table has more than %(most)s columns.") % {"most": self._most_columns}, self.getpos()[0]
            )
        if len(table.rows) > self._most_rows:
            raise Unreadable(_("The table has more than %(most)s lines.") % {"most": self._most_rows}, self.getpos()[0])


class _Table:
    def __init__(self) -> None:
        self.rows: list[TableRow] = []
        self._cells: list[str] = []
        self._text: list[str] | None = None
        self._spans = 1

    @property
    def width(self) -> int:
        return len(self._cells) + self._spans

    def begin_row(self) -> None:
        self._end_row()

    def begin_cell(self, columns: int) -> None:
        self.end_cell()
        self._text, self._spans = [], columns

    def end_cell(self) -> None:
        if self._text is not None:
            text = " ".join("".join(self._text).replace("\xa0", " ").split())
            self._cells += [text, *[""] * (self._spans - 1)]
        self._text = None

    def text(self, text: str) -> None:
        if self._text is not None:
            self._text.append(text)

    def _end_row(self) -> None:
        self.end_cell()
        if any(self._cells):
            self.rows.append(TableRow(line=len(self.rows) + 1, cells=tuple(self._cells)))
        self._cells = []

    def finished(self) -> list[TableRow]:
        self._end_row()
        return self.rows


def _columns_of(attributes: list[tuple[str, str | None]]) -> int:
    told = dict(attributes).get("colspan") or "1"
    return max(1, int(told)) if told.isascii() and told.isdigit() and len(told) < 4 else 1
