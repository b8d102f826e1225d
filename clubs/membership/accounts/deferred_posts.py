"""Forms submitted after a session ended: kept while the user signs in, then submitted again.

Nothing is stored on the server for anonymous users: the sign-in page holds the signed request. After sign-in it waits
in the session until it is submitted, once.
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
from common.file_store.upload_limits import MAX_ANONYMOUS_POST_BYTES

MAX_DEFERRED_POSTS = 60
MAX_AGE_SECONDS = 12 * 60 * 60
DEFERRED_POSTS_KEY = "deferred_posts"
REPLAY_FIELD = "kept-post"
"""The field that marks a form sent from the page of waiting forms."""

_SALT = "clubnight kept post"
_NOT_SHOWN = ("csrfmiddlewaretoken",)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeferredPost:
    """A submitted request: its URL, its body and the page it was sent from."""

    path: str
    content_type: str
    body: str
    """Base64."""
    page: str

    @property
    def is_url_encoded(self) -> bool:
        """True if the request has only fields and no files, so that an HTML form can send it again."""
        return self.content_type.startswith("application/x-www-form-urlencoded")

    def to_signed_text(self) -> str:
        """Return the request as signed text to put in a page."""
        return signing.dumps(asdict(self), salt=_SALT, compress=True)


def is_post_too_large(request: HttpRequest) -> bool:
    """Return True if the declared length is over the limit, without reading the body."""
    return parse_key(request.META.get("CONTENT_LENGTH") or "") > MAX_ANONYMOUS_POST_BYTES


def defer_post(request: HttpRequest) -> DeferredPost | None:
    """Return the submitted request, or None if it is too large or its body was already read."""
    if is_post_too_large(request):
        return None
    try:
        body = request.body
    except RawPostDataException:
        # Other code has parsed the uploaded files, so the body is no longer available.
        return None
    return DeferredPost(
        path=request.get_full_path(),
        content_type=request.META.get("CONTENT_TYPE", ""),
        body=base64.b64encode(body).decode(),
        page=_page_of(request),
    )


def load_signed_posts(texts: Sequence[str]) -> list[DeferredPost]:
    """Return the requests stored in a page, except forged ones and those older than 12 hours."""
    found = []
    for text in texts[:MAX_DEFERRED_POSTS]:
        try:
            found.append(DeferredPost(**signing.loads(text, salt=_SALT, max_age=MAX_AGE_SECONDS)))
        except (signing.BadSignature, TypeError):
            continue
    return found


def store_in_session(request: HttpRequest, kept: Sequence[DeferredPost]) -> None:
    """Keep the requests in the session until they are submitted."""
    request.session[DEFERRED_POSTS_KEY] = [asdict(each) for each in kept]


def deferred_posts_in_session(request: HttpRequest) -> list[DeferredPost]:
    """Return the requests waiting in the session."""
    return [DeferredPost(**each) for each in request.session.get(DEFERRED_POSTS_KEY, [])]


def pop_from_session(request: HttpRequest) -> list[DeferredPost]:
    """Return the waiting requests and remove them from the session, so that a second click finds none."""
    kept = deferred_posts_in_session(request)
    request.session.pop(DEFERRED_POSTS_KEY, None)
    request.session.save()
    return kept


def replay_deferred_post(request: HttpRequest, kept: DeferredPost) -> HttpResponse:
    """Run the request as the user now signed in, without HTMX."""
    again = rebuild_request(request, kept)
    try:
        view, arguments, named = resolve(again.path_info)
    except Resolver404:
        return HttpResponse(status=404)
    return view(again, *arguments, **named)


def rebuild_request(request: HttpRequest, kept: DeferredPost) -> WSGIRequest:
    """Rebuild the stored request with the session and user of the current one."""
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
        # Values that the middleware set.
        if name in ("session", "user", "_messages", "csrf_processing_done", "LANGUAGE_CODE", "auser", "allauth"):
            setattr(again, name, value)
    # The HTMX headers were removed above, so this says that HTMX is not in use.
    again.htmx = HtmxDetails(again)  # type: ignore[attr-defined]
    return again


def submitted_fields(request: HttpRequest, kept: DeferredPost) -> list[tuple[str, str]]:
    """Return the submitted field names and values for display. Files are shown by name."""
    again = rebuild_request(request, kept)
    try:
        sent = [(name, value) for name, values in again.POST.lists() for value in values]
        files = [(name, getattr(file, "name", "") or "") for name, file in again.FILES.items()]
    except MultiPartParserError:
        return []
    return [(name, value) for name, value in sent + files if name not in _NOT_SHOWN]


def _page_of(request: HttpRequest) -> str:
    """Return the path of the page that sent the request, or an empty string if unknown or on another site."""
    parts = urlsplit(request.headers.get("HX-Current-URL") or request.headers.get("Referer") or "")
    return parts.path if parts.netloc == request.get_host() else ""
