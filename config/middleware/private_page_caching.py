"""Keeps pages for signed-in users out of all caches, including the one on their device."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.cache import patch_cache_control

CLEAR_SITE_DATA = '"storage"'
"""Makes a browser delete this site's stored pages and notifications."""


def prevent_page_caching(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: set `private, no-store` on pages for signed-in users, unless the page sets Cache-Control.

    Rounds and tables do: they are the same for everyone except for their controls, and use ETags.
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
