"""Search engines may only list pages that allow it, because most pages have names of players."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

_LISTED = ("text/html", "application/pdf", "image/")


def noindex_by_default(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: set `noindex` on pages, printouts and images, unless the view set `request.may_be_listed`."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if not getattr(request, "is_indexable", False) and response.get("Content-Type", "").startswith(_LISTED):
            response.headers["X-Robots-Tag"] = "noindex"
        return response

    return middleware
