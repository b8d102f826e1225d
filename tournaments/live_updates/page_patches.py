"""What has changed on a page for everybody, made once for all who have it open, for the stream to carry.

The part of the page is asked for in this process as a visitor asks for it, by the same address, through the same
middleware and the same view: what a visitor may not see, no stream can hold.
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
from tournaments.live_updates.topics import ShownPage


@dataclass(frozen=True, slots=True, kw_only=True)
class PagePart:
    """A page's part as it is now, and the mark (ETag) that a page which has it sends along."""

    etag: str
    text: str


def render_page_part(shown: ShownPage | None) -> PagePart | None:
    """The part of a page as any visitor is sent it; None where it is not the same for everybody."""
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
    """What makes one part of the other, as a stream carries it: `from, to, [...]`, without brackets round all of it.

    Nothing where the page has become another one.
    """
    changes = make_text_patch(before.text, now.text)
    return "" if changes is None else f"{json.dumps(before.etag)},{json.dumps(now.etag)},{changes}"


def _environment(shown: ShownPage) -> dict[str, object]:
    path, _mark, query = shown.path.partition("?")
    host, _colon, port = shown.host.partition(":")
    proxy = settings.SECURE_PROXY_SSL_HEADER if shown.scheme == "https" else None
    return {
        "REQUEST_METHOD": "GET",
        # As WSGI has it: bytes in the clothes of Latin-1.
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
