"""Changes to a shared page, made once for everyone who has it open, and sent over the stream.

The part is requested within this process as a visitor would: same URL, same middleware, same view. So a stream never
contains anything visitors may not see.
"""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from functools import cache
from typing import cast
from urllib.parse import unquote_to_bytes

from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler, WSGIRequest
from django.db import close_old_connections
from django.http import HttpResponse

from tournaments.live_updates.text_patches import make_text_patch
from tournaments.live_updates.topics import DisplayedPage


@dataclass(frozen=True, slots=True, kw_only=True)
class PagePart:
    """The current part of a page, and the mark (ETag) that pages showing it send."""

    etag: str
    text: str


def render_page_part(shown: DisplayedPage | None) -> PagePart | None:
    """Return the part of a page that visitors get, or None if it is not the same for everyone."""
    if shown is None:
        return None
    close_old_connections()
    response = cast(HttpResponse, _handler().get_response(WSGIRequest(_environment(shown))))
    try:
        mark = response.headers.get("ETag", "")
        if response.status_code not in (200, 404) or not mark or response.cookies:
            return None
        return PagePart(etag=mark, text=response.content.decode())
    finally:
        response.close()


def encode_page_patch(before: PagePart, now: PagePart) -> str:
    """Return the changes from `before` to `now` as a stream sends them: `from, to, [...]`, without outer brackets.

    Empty if too little of the page is left.
    """
    changes = make_text_patch(before.text, now.text)
    return "" if changes is None else f"{json.dumps(before.etag)},{json.dumps(now.etag)},{changes}"


def _environment(shown: DisplayedPage) -> dict[str, object]:
    path, _mark, query = shown.path.partition("?")
    host, _colon, port = shown.host.partition(":")
    proxy = settings.SECURE_PROXY_SSL_HEADER if shown.scheme == "https" else None
    return {
        "REQUEST_METHOD": "GET",
        # WSGI form: bytes decoded as Latin-1.
        "PATH_INFO": unquote_to_bytes(path).decode("latin-1"),
        "QUERY_STRING": query,
        "SERVER_NAME": host,
        "SERVER_PORT": port or "80",
        "HTTP_HOST": shown.host,
        "HTTP_ACCEPT_LANGUAGE": shown.language,
        "HTTP_HX_REQUEST": "true",
        "HTTP_HX_TARGET": "live",
        "REMOTE_ADDR": "127.0.0.1",
        "wsgi.url_scheme": shown.scheme,
        "wsgi.input": io.BytesIO(),
    } | dict([proxy] if proxy else [])


@cache
def _handler() -> WSGIHandler:
    return WSGIHandler()
