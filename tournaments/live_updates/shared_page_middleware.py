"""Middleware that answers visitors with cached pages of public events, before anything is rendered.

It comes before sessions and authentication. A request of someone who is signed in, or with a message cookie, never gets
a cached page. A session cookie that nobody is signed in with is ignored, because anyone can invent one. A page is
cached only if its view marks it as shared (`page_decorators.cache_event_page`). It must also set no cookie and have no
form token, and the event must not change while it is rendered.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from urllib.parse import parse_qsl, urlencode

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, resolve
from django.utils.translation import get_language_from_request

from tournaments.live_updates.event_state import EventPageState, load_event_state
from tournaments.live_updates.page_cache import (
    MAX_BYTES,
    MAX_QUERY_PAGE_BYTES,
    CachedPage,
    CachedResponse,
    PageCache,
    PageCacheKey,
    compress_content,
)

SHARED_PAGE_PARAMETERS = frozenset(
    ("best", "category", "corrected", "from", "key", "lang", "look", "name", "only", "page", "player", "show", "step")
)
"""All parameters that pages with `cache_event_page` read."""
_OF_ONE_VISITOR = ("messages",)
"""Cookies, besides the session's, for content shown to one visitor only."""
_ASKED_FOR = (("", ""), ("true", "live"))
"""The whole page or its changing parts: `HX-Request` and `HX-Target`."""
_TAKES_PACKED = re.compile(r"\bgzip\b")
_TOKEN = b"csrfmiddlewaretoken"
_MADE_ON_THE_WAY = {"Content-Length", "Content-Encoding", "Vary"}
_MAY_BE_KEPT = (200, 404)
PROXY_CACHE_SECONDS = 1
"""Seconds for which a web server in front may send a whole page without asking (X-Accel-Expires, for nginx)."""

plain_page_cache = PageCache(MAX_BYTES)
query_page_cache = PageCache(MAX_QUERY_PAGE_BYTES)


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedPageInfo:
    """A view's statement that all visitors get this response while the event with these slugs is in this state.

    `part` is the part rendered: the changing parts ("live"), or the whole page ("").
    """

    club: str
    event: str
    state: str
    part: str


def shared_page_middleware(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Serve cached pages to visitors, after one query that checks the event's state."""

    def middleware(request: HttpRequest) -> HttpResponse:
        _drop_unused_session(request)
        if request.META.get("QUERY_STRING") and settings.SESSION_COOKIE_NAME not in request.COOKIES:
            _drop_unknown_parameters(request)
        address = _address(request)
        request.may_be_cached = address is not None  # type: ignore[attr-defined]
        if address is None:
            return get_response(request)
        kept_in = query_page_cache if address.query_string else plain_page_cache
        page = kept_in.get_page(address)
        if page is not None:
            found = _state(page.club, page.event)
            if found is not None and found.digest == page.state and (there := _answer(request, page)) is not None:
                request.resolver_match = page.match
                return there
            # The view can reuse this state.
            request.state_found = found  # type: ignore[attr-defined]
        response = get_response(request)
        if not _is_for_everybody(request, response, address):
            return response
        answer = _kept(response, is_whole=not address.part)
        # Changes are cached only for the state they start from; an unknown state gets the whole part.
        since = _since(request) if response.headers["Content-Type"].startswith("application/json") else ""
        kept_in.store_response(address, _page(request, response), since, answer)
        return _sent(request, answer)

    return middleware


def chosen_colour_scheme(request: HttpRequest) -> str:
    """Return the colour scheme the visitor chose, light or dark. Empty if the page follows the device."""
    look = request.COOKIES.get("look", "")
    return look if look in ("light", "dark") else ""


def clear_page_caches() -> None:
    """Clear this process's caches."""
    plain_page_cache.clear_cached_pages()
    query_page_cache.clear_cached_pages()


def _drop_unused_session(request: HttpRequest) -> None:
    """Remove the session cookie from a request for a shared page if nobody is signed in with it. One query."""
    key = request.COOKIES.get(settings.SESSION_COOKIE_NAME)
    if key is None or request.method != "GET" or not _is_shared_page(request.path_info):
        return
    try:
        is_used = SESSION_KEY in import_module(settings.SESSION_ENGINE).SessionStore(key)
    except DatabaseError:
        # The view will report the problem.
        return
    if not is_used:
        del request.COOKIES[settings.SESSION_COOKIE_NAME]


def _drop_unknown_parameters(request: HttpRequest) -> None:
    """Remove what no shared page reads from a visitor's query: each would be rendered as a page of its own."""
    asked = parse_qsl(request.META["QUERY_STRING"], keep_blank_values=True)
    known = [(name, value) for name, value in asked if name in SHARED_PAGE_PARAMETERS]
    if known != asked and _is_shared_page(request.path_info):
        request.META["QUERY_STRING"] = urlencode(known)


def _is_shared_page(path: str) -> bool:
    try:
        return getattr(resolve(path).func, "is_event_page", False)
    except Resolver404:
        return False


def _address(request: HttpRequest) -> PageCacheKey | None:
    """Return the cache key of a visitor's request, or None if the answer depends on anything else."""
    meta, cookies = request.META, request.COOKIES
    if request.method != "GET" or settings.SESSION_COOKIE_NAME in cookies or "HTTP_AUTHORIZATION" in meta:
        return None
    part = meta.get("HTTP_HX_TARGET", "")
    asked_for = (meta.get("HTTP_HX_REQUEST", ""), part)
    # With only one of these headers, a view may render a part, which must not be cached as the page.
    if asked_for not in _ASKED_FOR or any(name in cookies for name in _OF_ONE_VISITOR):
        return None
    return PageCacheKey(
        scheme=request.scheme or "",
        host=meta.get("HTTP_HOST") or f"{meta['SERVER_NAME']}:{meta['SERVER_PORT']}",
        path=request.path,
        query_string=meta.get("QUERY_STRING", ""),
        language=get_language_from_request(request),
        colour_scheme="" if part else chosen_colour_scheme(request),
        part=part,
    )


def _state(club: str, event: str) -> EventPageState | None:
    try:
        return load_event_state(club, event)
    except DatabaseError:
        # The view will report the problem.
        return None


def _since(request: HttpRequest) -> str:
    """Return the mark of the state to send changes from. Empty if the whole part is wanted."""
    wants_changes = "HTTP_LIVE_CHANGES" in request.META and "HTTP_HX_TARGET" in request.META
    return _mark(request) if wants_changes else ""


def _mark(request: HttpRequest) -> str:
    return str(request.META.get("HTTP_IF_NONE_MATCH", "")).removeprefix("W/")


def _answer(request: HttpRequest, page: CachedPage) -> HttpResponse | None:
    """Return a cached answer, or None if this one has not been requested yet."""
    if _mark(request) == page.etag:
        any_answer = next(iter(page.answers.values()))
        headers = {name: any_answer.headers[name] for name in ("Cache-Control", "Vary")}
        return HttpResponse(status=304, headers={"ETag": page.etag, **headers})
    kept = page.answers.get(_since(request))
    return _sent(request, kept) if kept is not None else None


def _sent(request: HttpRequest, answer: CachedResponse) -> HttpResponse:
    is_packed = answer.is_compressed and bool(_TAKES_PACKED.search(request.META.get("HTTP_ACCEPT_ENCODING", "")))
    response = HttpResponse(
        answer.content if is_packed else answer.uncompressed_content(),
        status=answer.status,
        headers=dict(answer.headers),
    )
    if is_packed:
        response.headers["Content-Encoding"] = "gzip"
    response.headers["Content-Length"] = str(len(response.content))
    return response


def _is_for_everybody(request: HttpRequest, response: HttpResponse, address: PageCacheKey) -> bool:
    """Return True if the view marked the answer as shared, it has nothing private, and the event is unchanged."""
    made: SharedPageInfo | None = getattr(response, "shared_page_middleware", None)
    if made is None or request.resolver_match is None or response.status_code not in _MAY_BE_KEPT:
        return False
    if made.part != address.part:
        return False
    is_marked = "ETag" in response.headers and "Content-Encoding" not in response.headers
    if response.streaming or response.cookies or not is_marked or _TOKEN in response.content:
        return False
    found = _state(made.club, made.event)
    return found is not None and found.digest == made.state


def _page(request: HttpRequest, response: HttpResponse) -> CachedPage:
    made: SharedPageInfo = response.shared_page_middleware  # type: ignore[attr-defined]
    return CachedPage(
        club=made.club,
        event=made.event,
        state=made.state,
        etag=response.headers["ETag"],
        match=request.resolver_match,  # type: ignore[arg-type]
    )


def _kept(response: HttpResponse, *, is_whole: bool) -> CachedResponse:
    content, is_packed = compress_content(response.content)
    headers = {name: value for name, value in response.headers.items() if name not in _MADE_ON_THE_WAY}
    headers["Vary"] = "Accept-Encoding, Accept-Language, Cookie, HX-Target"
    if is_whole:
        headers["X-Accel-Expires"] = str(PROXY_CACHE_SECONDS)
    return CachedResponse(status=response.status_code, headers=headers, content=content, is_compressed=is_packed)
