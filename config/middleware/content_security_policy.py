"""The content security policy: pages load and run only our own files, and nothing inline.

Django 6.0 has the same setting built in; this module can then be deleted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus

from django.conf import settings
from django.http import HttpRequest, HttpResponse

_DEBUG_PAGES = frozenset({HTTPStatus.NOT_FOUND, HTTPStatus.INTERNAL_SERVER_ERROR})
"""In debug mode, Django's own pages for these have inline styles."""


def content_security_policy(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: set the policy of `SECURE_CSP`, except on printouts, which browsers show in their own viewer."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        is_debug_page = settings.DEBUG and response.status_code in _DEBUG_PAGES
        if not is_debug_page and response.get("Content-Type") != "application/pdf":
            # Pages that can be framed name the sites (pairing/public/embeds/forms.py).
            ancestors = getattr(response, "frame_ancestors", None)
            policy = settings.SECURE_CSP | {"frame-ancestors": ancestors} if ancestors else settings.SECURE_CSP
            response.headers.setdefault("Content-Security-Policy", _written(policy))
        return response

    return middleware


def _written(policy: Mapping[str, Sequence[str]]) -> str:
    return "; ".join(" ".join((directive, *sources)) for directive, sources in policy.items())
