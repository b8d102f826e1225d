"""Rules for all API endpoints: methods, tokens, rate limits, CORS headers and ETags."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import translation
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.views.decorators.csrf import csrf_exempt

from clubs.membership.accounts.request_limits import RATE_PERIOD_SECONDS, count_request, is_over_limit
from pairing.models import ApiToken
from pairing.public.api_tokens.tokens import find_token, record_use
from tournaments.audit_log.recorder import log_as_program
from tournaments.live_updates.page_decorators import public_event_digest

View = Callable[..., HttpResponse]

_OPEN = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "ETag, Retry-After",
    "Cross-Origin-Resource-Policy": "cross-origin",
}
# Pages of other sites may read what is public. They can't send a token, which no web page should contain.
_PREFLIGHT = {
    "Access-Control-Allow-Methods": "GET, HEAD, OPTIONS",
    "Access-Control-Allow-Headers": "Accept, Content-Type, If-None-Match",
    "Access-Control-Max-Age": "86400",
}
_READING = ("GET", "HEAD")


MAX_REQUESTS_PER_MINUTE = 300
"""From one network, and with one token. Answers that have not changed are not counted."""
MAX_BODY_BYTES = 256 * 1024


def api_view(view: View) -> View:
    """Wrap a ninja view with the rules for all endpoints.

    Without a token, responses are the same for everyone, signed in or not, so any cache may store them. With one they
    are stored by none. A session gives no rights here.
    """

    # Only the token of a header lets a request change something, and no other site can make a browser send it.
    @csrf_exempt
    @login_not_required
    def handle_api_request(request: HttpRequest, **parts: Any) -> HttpResponse:
        response = _answer(view, request, parts)
        for name, value in _OPEN.items():
            response.headers[name] = value
        return response

    return handle_api_request


def api_token_of(request: HttpRequest) -> ApiToken | None:
    """Return the valid token of a request, or None."""
    token: ApiToken | None = getattr(request, "api_token", None)
    return token


def _answer(view: View, request: HttpRequest, parts: dict[str, Any]) -> HttpResponse:
    if request.method == "OPTIONS":
        return HttpResponse(status=204, headers=_PREFLIGHT | {"Allow": _allowed(view(request, **parts))})
    asked = request.GET.get("language", "en")
    language = asked if asked in dict(settings.LANGUAGES) else "en"
    text = _token_text(request)
    if text is None and request.method in _READING:
        return _public_answer(view, request, parts, language)
    response = _too_many(request) or _answer_to_token(view, request, parts, language, text)
    response.headers["Cache-Control"] = "no-store"
    patch_vary_headers(response, ["Authorization"])
    return response


def _public_answer(view: View, request: HttpRequest, parts: dict[str, Any], language: str) -> HttpResponse:
    mark = public_event_digest(parts["club"], parts["event"]) if "event" in parts else None
    known = get_conditional_response(request, etag=_etag(mark, language)) if mark else None
    response = known or _too_many(request) or _made(view, request, parts, language)
    if known is None and response.status_code == 200:
        etag = _etag(mark or hashlib.sha256(response.content).hexdigest()[:32], language)
        response.headers["ETag"] = etag
        response.headers["Content-Language"] = language
        if mark is None:
            response = get_conditional_response(request, etag=etag, response=response) or response
    is_good = response.status_code in (200, 304)
    response.headers["Cache-Control"] = "public, no-cache" if is_good else "no-store"
    patch_vary_headers(response, ["Authorization"])
    return response


def _answer_to_token(
    view: View, request: HttpRequest, parts: dict[str, Any], language: str, text: str | None
) -> HttpResponse:
    """Answer a request that has a token, or needs one."""
    token = None if text is None else find_token(text)
    if text is not None and (token is None or not token.is_valid):
        said = "This token has expired." if token and token.revoked_at is None else "This token is not valid."
        return _refused(401, said, {"WWW-Authenticate": 'Bearer error="invalid_token"'})
    if token is not None and count_request("api-token", str(token.pk)) > MAX_REQUESTS_PER_MINUTE:
        return _refused(429, "Too many requests.", {"Retry-After": str(RATE_PERIOD_SECONDS)})
    if int(request.META.get("CONTENT_LENGTH") or 0) > MAX_BODY_BYTES:
        return _refused(413, f"Send at most {MAX_BODY_BYTES // 1024} KB.", {})
    if token is None:
        return _made(view, request, parts, language)
    record_use(token)
    request.api_token = token  # type: ignore[attr-defined]
    with log_as_program(f"{token.name} (API)"):
        return _made(view, request, parts, language)


def _made(view: View, request: HttpRequest, parts: dict[str, Any], language: str) -> HttpResponse:
    # Ninja doesn't know HEAD. The server drops the body of its response.
    method, request.method = request.method, "GET" if request.method == "HEAD" else request.method
    with translation.override(language):
        response = view(request, **parts)
    request.method = method
    if response.status_code == 405:
        return _refused(405, f"{method} isn't possible here.", {"Allow": _allowed(response)})
    if response.status_code == 401:
        response.headers["WWW-Authenticate"] = "Bearer"
    return response


def _allowed(refusal: HttpResponse) -> str:
    """Return the methods of an endpoint, according to its own refusal of another method. Where nothing is: reading."""
    methods = {each.strip() for each in refusal.headers.get("Allow", "GET").split(",")}
    return ", ".join(sorted(methods | {"OPTIONS"} | ({"HEAD"} if "GET" in methods else set())))


def _token_text(request: HttpRequest) -> str | None:
    """Return the token that a request was sent with. Other kinds of sign-in are for a web server in front."""
    scheme, _space, text = request.headers.get("Authorization", "").partition(" ")
    return text.strip() if scheme.lower() == "bearer" else None


def _too_many(request: HttpRequest) -> HttpResponse | None:
    if not is_over_limit(request, "api", MAX_REQUESTS_PER_MINUTE):
        return None
    return _refused(429, "Too many requests.", {"Retry-After": str(RATE_PERIOD_SECONDS)})


def _refused(status: int, said: str, headers: dict[str, str]) -> HttpResponse:
    return JsonResponse({"detail": said}, status=status, headers=headers)


def _etag(*words: str) -> str:
    return f'"{".".join(words)}"'
