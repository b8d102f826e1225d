"""What is shown to somebody who is signed in stays with him: no cache on the way keeps it, nor does his device."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.cache import patch_cache_control

CLEAR_SITE_DATA = '"storage"'
"""Has a browser drop what it keeps for this site: pages for the time without a connection, notifications."""


def prevent_page_caching(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: `private, no-store` on pages for whoever is signed in, unless the page says something of its own.

    Rounds and tables, which are the same for everybody but for their controls, do: they may be asked for by their tag.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        user = getattr(request, "user", None)
        if user is not None and "Cache-Control" not in response.headers and user.is_authenticated:
            patch_cache_control(response, private=True, no_store=True)
        if request.method == "POST" and request.path == reverse("account_logout"):
            response.headers["Clear-Site-Data"] = CLEAR_SITE_DATA
        return response

    return middleware
