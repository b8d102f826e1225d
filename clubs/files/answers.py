"""Files as answers to a request."""

from __future__ import annotations

from django.http import HttpResponse


def file_answer(data: bytes, filename: str, kind: str) -> HttpResponse:
    """A file to be kept, never shown in the browser nor stored on the way."""
    types = {
        "csv": "text/csv; charset=utf-8",
        "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "json": "application/json",
        "xml": "application/xml",
    }
    headers = {"Content-Disposition": f'attachment; filename="{filename}.{kind}"', "Cache-Control": "no-store"}
    return HttpResponse(data, content_type=types[kind], headers=headers)
