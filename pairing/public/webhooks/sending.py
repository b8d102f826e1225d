"""Sending one message to a URL that a club's secretary entered.

As in `common.tabular.public_download`, the URL must not make this server contact its own network, except the sites that
its administrator allows (`CLUBNIGHT_WEBHOOK_SITES`). Redirects are not followed, and the answer's body is not read.
"""

from __future__ import annotations

import socket
import ssl
import threading
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPS_PORT, HTTPConnection, HTTPException, HTTPSConnection
from urllib.parse import urlsplit

from django.conf import settings

from common.tabular.public_download import DownloadFailed, PublicServerConnection, is_public_url, split_public_url

TIMEOUT_SECONDS = 5
"""For each step: connecting, the handshake, and the answer."""
MAX_SECONDS = 10
"""For the whole request after the DNS lookup, also if the receiver sends its answer byte by byte."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookAnswer:
    """The answer's status or, if there was none, the technical reason."""

    status: int | None = None
    error: str = ""

    @property
    def is_accepted(self) -> bool:
        """True if the receiver has the message."""
        return self.status is not None and 200 <= self.status < 300


def is_allowed_webhook_url(url: str) -> bool:
    """Return True if the URL has an allowed form. No DNS lookup is made."""
    return is_public_url(url) or _is_allowed_site(url)


def post_message(url: str, body: str, headers: dict[str, str]) -> WebhookAnswer:
    """Send a message. Never raises: the answer says what went wrong."""
    connection: HTTPConnection | None = None
    try:
        connection, path = _connection(url)
        ended = threading.Event()
        threading.Thread(target=_cut_off_when_late, args=(connection, ended), daemon=True).start()
        try:
            connection.request("POST", path, body=body.encode(), headers=_HEADERS | headers)
            status = connection.getresponse().status
        finally:
            ended.set()
    except (DownloadFailed, socket.gaierror):
        # Neither where the name leads nor if it exists: it may be a name of the server's own network.
        return WebhookAnswer(error="not a public address")
    except HTTPException as error:
        # Its text may quote the answer.
        return WebhookAnswer(error=type(error).__name__)
    except (OSError, ValueError) as error:
        return WebhookAnswer(error=f"{type(error).__name__}: {error}"[:200])
    finally:
        if connection is not None:
            connection.close()
    return WebhookAnswer(status=status)


_HEADERS = {"Content-Type": "application/json; charset=utf-8", "User-Agent": "Clubnight-Webhooks", "Accept": "*/*"}


def _connection(url: str) -> tuple[HTTPConnection, str]:
    """Return a connection that isn't open yet, and path with query. Raises DownloadFailed if it isn't allowed."""
    if _is_allowed_site(url):
        parts = urlsplit(url)
        kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        path = f"{parts.path or '/'}{'?' + parts.query if parts.query else ''}"
        return kind(parts.netloc, timeout=TIMEOUT_SECONDS), path
    host, path = split_public_url(url)
    # With the port, so that none is looked for in the host.
    return PublicServerConnection(host, HTTPS_PORT, timeout=TIMEOUT_SECONDS, context=ssl.create_default_context()), path


def _is_allowed_site(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    is_plain = url.isascii() and not any(sign.isspace() or ord(sign) < 32 for sign in url)
    sites = {each if "://" in each else f"https://{each}" for each in settings.WEBHOOK_SITES}
    return is_plain and f"{parts.scheme}://{parts.netloc}" in sites


def _cut_off_when_late(connection: HTTPConnection, ended: threading.Event) -> None:
    """Cut off a request that takes too long, from another thread, which wakes the one that waits for it.

    Again every second, because a slow DNS lookup may open the connection later.
    """
    pause: float = MAX_SECONDS
    while not ended.wait(pause):
        sock: socket.socket | None = connection.sock
        if sock is not None:
            with suppress(OSError):
                # Of the plain socket: TLS would wait for the other side.
                socket.socket.shutdown(sock, socket.SHUT_RDWR)
        pause = 1
