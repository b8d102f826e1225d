"""Rules for all API endpoints: read-only access, CORS headers and ETags."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import translation
from django.utils.cache import get_conditional_response
from django.views.decorators.csrf import csrf_exempt

from clubs.membership.accounts.request_limits import RATE_PERIOD_SECONDS, is_over_limit
from tournaments.live_updates.page_decorators import public_event_digest

View = Callable[..., HttpResponse]

_OPEN = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "ETag, Retry-After",
    "Cross-Origin-Resource-Policy": "cross-origin",
}
_PREFLIGHT = {
    "Access-Control-Allow-Methods": "GET, HEAD, OPTIONS",
    "Access-Control-Allow-Headers": "Accept, Content-Type, If-None-Match",
    "Access-Control-Max-Age": "86400",
}
_METHODS = ("GET", "HEAD", "OPTIONS")


MAX_REQUESTS_PER_MINUTE = 300
"""From one network. Answers that have not changed are not counted."""


def api_view(view: View) -> View:
    """Wrap a ninja view with the rules for all endpoints.

    Responses are the same for everyone, signed in or not, so any cache may store them.
    """

    # Nothing can be sent, so nothing can be forged. Other methods get a JSON answer, with or without a token.
    @csrf_exempt
    @login_not_required
    def handle_api_request(request: HttpRequest, **parts: Any) -> HttpResponse:
        response = _answer(view, request, parts)
        for name, value in _OPEN.items():
            response.headers[name] = value
        return response

    return handle_api_request


def _answer(view: View, request: HttpRequest, parts: dict[str, Any]) -> HttpResponse:
    if request.method not in _METHODS:
        told = {"detail": "This API is for reading: GET, HEAD and OPTIONS."}
        return JsonResponse(told, status=405, headers={"Allow": ", ".join(_METHODS)})
    if request.method == "OPTIONS":
        return HttpResponse(status=204, headers=_PREFLIGHT | {"Allow": ", ".join(_METHODS)})
    asked = request.GET.get("language", "en")
    language = asked if asked in dict(settings.LANGUAGES) else "en"
    mark = public_event_digest(parts["club"], parts["event"]) if "event" in parts else None
    known = get_conditional_response(request, etag=_etag(mark, language)) if mark else None
    response = known or _made(view, request, parts, language)
    if known is None and response.status_code == 200:
        etag = _etag(mark or hashlib.sha256(response.content).hexdigest()[:32], language)
        response.headers["ETag"] = etag
        response.headers["Content-Language"] = language
        if mark is None:
            response = get_conditional_response(request, etag=etag, response=response) or response
    is_good = response.status_code in (200, 304)
    response.headers["Cache-Control"] = "public, no-cache" if is_good else "no-store"
    return response


def _made(view: View, request: HttpRequest, parts: dict[str, Any], language: str) -> HttpResponse:
    if is_over_limit(request, "api", MAX_REQUESTS_PER_MINUTE):
        told = {"detail": "Too many requests."}
        return JsonResponse(told, status=429, headers={"Retry-After": str(RATE_PERIOD_SECONDS)})
    method, request.method = request.method, "GET"  # Ninja only knows GET; the server drops the body of a HEAD.
    with translation.override(language):
        response = view(request, **parts)
    request.method = method
    return response


def _etag(*words: str) -> str:
    return f'"{".".join(words)}"'
