"""Search engines list a page only where it says that they may: names of players stand on most of them."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

_LISTED = ("text/html", "application/pdf", "image/")


def noindex_by_default(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: `noindex` on pages, papers and pictures, unless the view has said `request.may_be_listed`."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if not getattr(request, "may_be_listed", False) and response.get("Content-Type", "").startswith(_LISTED):
            response.headers["X-Robots-Tag"] = "noindex"
        return response

    return middleware
