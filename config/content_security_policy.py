"""Tells browsers what a page may load and run: its own files alone, nothing written inside the page.

Django 6.0 does this itself, by the same setting; with it this file goes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus

from django.conf import settings
from django.http import HttpRequest, HttpResponse

_DEBUG_PAGES = frozenset({HTTPStatus.NOT_FOUND, HTTPStatus.INTERNAL_SERVER_ERROR})
"""While debugging, Django's own pages for these have their style inside."""


def content_security_policy(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: the policy of `SECURE_CSP` on every answer but papers, which browsers show in pages of their own."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        is_debug_page = settings.DEBUG and response.status_code in _DEBUG_PAGES
        if not is_debug_page and response.get("Content-Type") != "application/pdf":
            # A page that others may show in a frame of theirs names them (pairing/public/embeds/frame_permissions.py).
            ancestors = getattr(response, "frame_ancestors", None)
            policy = settings.SECURE_CSP | {"frame-ancestors": ancestors} if ancestors else settings.SECURE_CSP
            response.headers.setdefault("Content-Security-Policy", _written(policy))
        return response

    return middleware


def _written(policy: Mapping[str, Sequence[str]]) -> str:
    return "; ".join(" ".join((directive, *sources)) for directive, sources in policy.items())
