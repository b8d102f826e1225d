"""What somebody sent when his session had ended: kept on his own page while he signs in, and then entered.

Nothing is stored on the server for people who are not signed in: the form of the page on which one signs in holds the
request, signed. After signing in it waits in the session until it is entered, once.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from io import BytesIO
from typing import Any
from urllib.parse import urlsplit

from django.core import signing
from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpRequest, HttpResponse
from django.http.multipartparser import MultiPartParserError
from django.http.request import RawPostDataException
from django.urls import Resolver404, resolve
from django_htmx.middleware import HtmxDetails

from clubs.request_types import parse_key

MAX_POST_BYTES = 1_500_000
"""Bytes of a request that is kept; a larger one is sent again by whoever sent it."""
MAX_DEFERRED_POSTS = 60
MAX_AGE_SECONDS = 12 * 60 * 60
DEFERRED_POSTS_KEY = "deferred_posts"
REPLAY_FIELD = "kept-post"
"""The field that says of a form that it is one of those, on its way from the page that shows them."""

_SALT = "clubnight kept post"
_NOT_SHOWN = ("csrfmiddlewaretoken",)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeferredPost:
    """A request as it came: where to, what, and on which page it was made."""

    path: str
    content_type: str
    body: str
    """In base64."""
    page: str

    @property
    def is_url_encoded(self) -> bool:
        """Fields alone, no files: a form can hold it as it is."""
        return self.content_type.startswith("application/x-www-form-urlencoded")

    def to_signed_text(self) -> str:
        """As a page may hold it."""
        return signing.dumps(asdict(self), salt=_SALT, compress=True)


def is_post_too_large(request: HttpRequest) -> bool:
    """By what it says of its length, before anything of it is read."""
    return parse_key(request.META.get("CONTENT_LENGTH") or "") > MAX_POST_BYTES


def defer_post(request: HttpRequest) -> DeferredPost | None:
    """What was sent; None where it is too large, or was read already."""
    if is_post_too_large(request):
        return None
    try:
        body = request.body
    except RawPostDataException:
        # Something looked into a form with files before us: what it has in its fields is gone from the stream.
        return None
    return DeferredPost(
        path=request.get_full_path(),
        content_type=request.META.get("CONTENT_TYPE", ""),
        body=base64.b64encode(body).decode(),
        page=_page_of(request),
    )


def load_signed_posts(texts: Sequence[str]) -> list[DeferredPost]:
    """The requests that a page held; those that are not ours, or older than half a day, are left out."""
    found = []
    for text in texts[:MAX_DEFERRED_POSTS]:
        try:
            found.append(DeferredPost(**signing.loads(text, salt=_SALT, max_age=MAX_AGE_SECONDS)))
        except (signing.BadSignature, TypeError):
            continue
    return found


def store_in_session(request: HttpRequest, kept: Sequence[DeferredPost]) -> None:
    """Have them wait until they are entered."""
    request.session[DEFERRED_POSTS_KEY] = [asdict(each) for each in kept]


def deferred_posts_in_session(request: HttpRequest) -> list[DeferredPost]:
    """Those that wait."""
    return [DeferredPost(**each) for each in request.session.get(DEFERRED_POSTS_KEY, [])]


def pop_from_session(request: HttpRequest) -> list[DeferredPost]:
    """Those that wait, which from now on they do not: a second press finds none."""
    kept = deferred_posts_in_session(request)
    request.session.pop(DEFERRED_POSTS_KEY, None)
    request.session.save()
    return kept


def replay_post(request: HttpRequest, kept: DeferredPost) -> HttpResponse:
    """Do what was asked for, as whoever is signed in now, and as a page without scripts would have sent it."""
    again = rebuild_request(request, kept)
    try:
        view, arguments, named = resolve(again.path_info)
    except Resolver404:
        return HttpResponse(status=404)
    return view(again, *arguments, **named)


def rebuild_request(request: HttpRequest, kept: DeferredPost) -> WSGIRequest:
    """The request that was kept, with the session and the user of this one."""
    parts, body = urlsplit(kept.path), base64.b64decode(kept.body)
    environ: dict[str, Any] = {
        name: value for name, value in request.META.items() if not name.startswith(("HTTP_HX_", "HTTP_X_CSRF"))
    }
    environ |= {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": parts.path,
        "QUERY_STRING": parts.query,
        "CONTENT_TYPE": kept.content_type,
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.input": BytesIO(body),
    }
    again = WSGIRequest(environ)
    for name, value in vars(request).items():
        # What the middleware found out about whoever asks.
        if name in ("session", "user", "_messages", "csrf_processing_done", "LANGUAGE_CODE", "auser", "allauth"):
            setattr(again, name, value)
    # What HTMX says of itself stayed behind: nothing, for whoever asks it.
    again.htmx = HtmxDetails(again)  # type: ignore[attr-defined]
    return again


def submitted_fields(request: HttpRequest, kept: DeferredPost) -> list[tuple[str, str]]:
    """What was sent, for the eye: the names of fields and what stood in them; files by their names."""
    again = rebuild_request(request, kept)
    try:
        sent = [(name, value) for name, values in again.POST.lists() for value in values]
        files = [(name, getattr(file, "name", "") or "") for name, file in again.FILES.items()]
    except MultiPartParserError:
        return []
    return [(name, value) for name, value in sent + files if name not in _NOT_SHOWN]


def _page_of(request: HttpRequest) -> str:
    """The page on which it was made, on this server; empty where the browser does not say."""
    parts = urlsplit(request.headers.get("HX-Current-URL") or request.headers.get("Referer") or "")
    return parts.path if parts.netloc == request.get_host() else ""
