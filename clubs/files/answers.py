"""Files as answers to a request."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.http import HttpResponse

from clubs.files.spreadsheets import Value, write_csv, write_xlsx

TABLE_KINDS = ("csv", "xlsx")
"""As what a table can be taken away: the ends of its addresses."""


def file_answer(data: bytes, filename: str, kind: str) -> HttpResponse:
    """A file to be kept, never shown in the browser nor stored on the way."""
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


def table_answer(
    headings: Sequence[str], rows: Iterable[Sequence[Value]], filename: str, kind: str, *, title: str
) -> HttpResponse:
    """A table as a file of one of `TABLE_KINDS`; `title` names the sheet of a workbook."""
    data = write_csv(headings, rows) if kind == "csv" else write_xlsx(headings, rows, title=title)
    return file_answer(data, filename, kind)
