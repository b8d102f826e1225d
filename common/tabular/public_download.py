"""Downloads a file from a public web server, by a URL that a user entered.

The URL must not make this server contact its own network. Only HTTPS on the usual port is allowed, by a host name whose
addresses are all public. The connection uses the checked address, so a later DNS change has no effect. Each redirect is
checked too. Proxies of the environment are not used.
"""

from __future__ import annotations

import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPException, HTTPResponse, HTTPSConnection
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import urljoin, urlsplit

TIMEOUT_SECONDS = 30
MAX_DOWNLOAD_SECONDS = 15 * 60
MAX_REDIRECTS = 4
CHUNK_BYTES = 256 * 1024
_PORT = 443
_TRANSLATED = ip_network("64:ff9b::/96")
"""IPv4 addresses translated to IPv6 (NAT64). They may lead anywhere."""
_RELAYS = ip_network("192.88.99.0/24")
"""Former gateways from IPv4 to IPv6 (RFC 7526)."""


class DownloadFailed(Exception):
    """Raised if the file cannot be downloaded. The message is the technical reason."""


class FileNotModified(Exception):
    """Raised if the file has not changed since the last download."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Download:
    """A download in progress: its file name, and the server's validator for this version."""

    filename: str
    validator: str
    chunks: Iterator[bytes]


@contextmanager
def open_download(address: str, *, validator: str = "", largest: int) -> Iterator[Download]:
    """Download the file at a URL, unless its validator is unchanged.

    Raises DownloadFailed if it cannot be downloaded or is larger than `largest` bytes, and FileNotModified if it has
    not changed.
    """
    try:
        for _each in range(MAX_REDIRECTS + 1):
            connection, answer = _asked(address, validator)
            with close_connection_after(connection):
                if answer.status in (301, 302, 303, 307, 308):
                    address = urljoin(address, answer.getheader("Location") or "")
                    continue
                if answer.status == HTTPStatus.NOT_MODIFIED:
                    raise FileNotModified
                if answer.status != HTTPStatus.OK:
                    raise DownloadFailed(f"{answer.status} {answer.reason}")
                filename = urlsplit(address).path.rpartition("/")[2] or "list"
                now = answer.getheader("ETag") or answer.getheader("Last-Modified") or ""
                yield Download(filename=filename[:160], validator=now[:200], chunks=_chunks(answer, largest))
                return
    except (OSError, HTTPException, ValueError) as error:
        raise DownloadFailed(f"{type(error).__name__}: {error}"[:200]) from error
    raise DownloadFailed("it leads on and on")


def is_public_url(address: str) -> bool:
    """Return True if the URL has an allowed form. No DNS lookup is made."""
    try:
        host, _path = split_public_url(address)
    except DownloadFailed:
        return False
    return "." in host


@contextmanager
def close_connection_after(connection: HTTPSConnection) -> Iterator[None]:
    try:
        yield
    finally:
        connection.close()


def _asked(address: str, mark: str) -> tuple[HTTPSConnection, HTTPResponse]:
    host, path = split_public_url(address)
    connection = PublicServerConnection(host, _PORT, timeout=TIMEOUT_SECONDS, context=ssl.create_default_context())
    headers = {"User-Agent": "Clubnight", "Accept": "*/*", "Accept-Encoding": "identity"}
    if mark:
        headers["If-None-Match" if mark.endswith('"') else "If-Modified-Since"] = mark
    try:
        connection.request("GET", path, headers=headers)
        return connection, connection.getresponse()
    except BaseException:
        connection.close()
        raise


def split_public_url(address: str) -> tuple[str, str]:
    """Return host, and path with query. Raises DownloadFailed if the URL is not allowed."""
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        raise DownloadFailed(str(error)) from error
    is_plain = not any(sign.isspace() or ord(sign) < 32 for sign in address) and address.isascii()
    if (
        parts.scheme != "https"
        or not host
        or port not in (None, _PORT)
        or set("@[]") & set(parts.netloc)
        or not is_plain
    ):
        raise DownloadFailed(f"{address[:100]} is no address of a public web server (https://...)")
    try:
        ip_address(host)
    except ValueError:
        return host, f"{parts.path or '/'}{'?' + parts.query if parts.query else ''}"
    raise DownloadFailed(f"{host} is a number, and no name")


class PublicServerConnection(HTTPSConnection):
    """A connection to a web server, only to an address that was checked. Raises DownloadFailed for others."""

    def connect(self) -> None:
        found = socket.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM)
        for *_kind, place in found:
            if not is_public_ip_address(ip_address(str(place[0]).partition("%")[0])):
                raise DownloadFailed(f"{self.host} leads to {place[0]}, which is not public")
        family, kind, protocol, _name, place = found[0]
        plain = socket.socket(family, kind, protocol)
        try:
            plain.settimeout(self.timeout)
            plain.connect(place)
            # Known before the handshake, so that another thread can end that too.
            self.sock = self._context.wrap_socket(  # type: ignore[attr-defined]
                plain, server_hostname=self.host, do_handshake_on_connect=False
            )
            self.sock.do_handshake()
        except BaseException:
            plain.close()
            raise


def is_public_ip_address(address: IPv4Address | IPv6Address) -> bool:
    """Return True if the address is public, and not a gateway into a private network."""
    if isinstance(address, IPv6Address):
        if address in _TRANSLATED or address.sixtofour or address.teredo or address.is_site_local:
            return False
        if address.ipv4_mapped:
            address = address.ipv4_mapped
    return address.is_global and not address.is_multicast and not address.is_reserved and address not in _RELAYS


def _chunks(answer: HTTPResponse, largest: int) -> Iterator[bytes]:
    """Yield the content. Raises DownloadFailed if it is too large, takes too long, or breaks off."""
    told = answer.getheader("Content-Length")
    size, deadline = 0, time.monotonic() + MAX_DOWNLOAD_SECONDS
    while chunk := answer.read(CHUNK_BYTES):
        size += len(chunk)
        if size > largest:
            raise DownloadFailed(f"it has more than {largest // 1024**2} MB")
        if time.monotonic() > deadline:
            raise DownloadFailed(f"it takes longer than {MAX_DOWNLOAD_SECONDS // 60} minutes")
        yield chunk
    if told and told.isdecimal() and int(told) != size:
        raise DownloadFailed(f"it broke off after {size} of {told} bytes")
