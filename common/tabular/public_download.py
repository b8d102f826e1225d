"""A file from a public web server, by an address that somebody has written down.

An address must not make this server ask its own neighbours: only HTTPS by a name, on its usual port, of a machine
whose every address is a public one. It is connected to the very address that was looked at, so that a name which leads
elsewhere a moment later changes nothing; each redirect is looked at in the same way. Proxies of the environment are not
asked.
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
"""Names of old addresses for networks that have only new ones: they may lead anywhere."""


class DownloadFailed(Exception):
    """The file is not to be had; the message says why, in the words of the network."""


class FileNotModified(Exception):
    """The file is the one that was fetched before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Download:
    """A file on its way: the name it has there, and the mark by which the server knows this state of it."""

    filename: str
    validator: str
    chunks: Iterator[bytes]


@contextmanager
def open_download(address: str, *, validator: str = "", largest: int) -> Iterator[Download]:
    """The file at an address, unless it is still the one of that mark.

    Raises CannotFetch, also where the file is longer than `largest` bytes, and NothingNew.
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
    """The address is of the kind that may be fetched; nobody is asked where it leads."""
    try:
        host, _path = _parts(address)
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
    host, path = _parts(address)
    connection = _Checked(host, _PORT, timeout=TIMEOUT_SECONDS, context=ssl.create_default_context())
    headers = {"User-Agent": "Clubnight", "Accept": "*/*", "Accept-Encoding": "identity"}
    if mark:
        headers["If-None-Match" if mark.endswith('"') else "If-Modified-Since"] = mark
    try:
        connection.request("GET", path, headers=headers)
        return connection, connection.getresponse()
    except BaseException:
        connection.close()
        raise


def _parts(address: str) -> tuple[str, str]:
    """Host, and path with query; raises CannotFetch for what is never asked for."""
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        raise DownloadFailed(str(error)) from error
    is_plain = not any(sign.isspace() or ord(sign) < 32 for sign in address) and address.isascii()
    if parts.scheme != "https" or not host or port not in (None, _PORT) or "@" in parts.netloc or not is_plain:
        raise DownloadFailed(f"{address[:100]} is no address of a public web server (https://...)")
    try:
        ip_address(host)
    except ValueError:
        return host, f"{parts.path or '/'}{'?' + parts.query if parts.query else ''}"
    raise DownloadFailed(f"{host} is a number, and no name")


class _Checked(HTTPSConnection):
    """Connects to an address that was looked at, and to no other."""

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
            self.sock = self._context.wrap_socket(plain, server_hostname=self.host)  # type: ignore[attr-defined]
        except BaseException:
            plain.close()
            raise


def is_public_ip_address(address: IPv4Address | IPv6Address) -> bool:
    """Everybody may ask there: no network of somebody's own, and no way into one."""
    if isinstance(address, IPv6Address):
        if address in _TRANSLATED or address.sixtofour or address.teredo:
            return False
        if address.ipv4_mapped:
            address = address.ipv4_mapped
    return address.is_global and not address.is_multicast and not address.is_reserved


def _chunks(answer: HTTPResponse, largest: int) -> Iterator[bytes]:
    """All there is. Raises CannotFetch for a file that is too long, takes too long, or breaks off."""
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
