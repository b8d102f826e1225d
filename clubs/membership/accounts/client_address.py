"""The client's IP address when the server is behind trusted proxies."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address, ip_network

from django.conf import settings
from django.http import HttpRequest

_UNKNOWN = "0.0.0.0"  # noqa: S104 - used as "unknown", nothing listens on it


def client_address(request: HttpRequest) -> str:
    """Return the IP address of the browser.

    This is the last address in `X-Forwarded-For` that is not one of the `CLUBNIGHT_PROXIES`. Each proxy appends the
    address it received the request from. Anything before that could be forged by the client.
    """
    return find_client_address(request.META.get("REMOTE_ADDR", ""), request.META.get("HTTP_X_FORWARDED_FOR", ""))


def find_client_address(remote: str, forwarded: str) -> str:
    """Return the browser's IP address from the sender of a request and its `X-Forwarded-For`."""
    heard = [part.strip() for part in forwarded.split(",") if part.strip()]
    found = _address(remote) or _UNKNOWN
    for nearer in reversed(heard):
        if not is_trusted_proxy(found):
            break
        written = _address(nearer)
        if written is None:
            break
        found = written
    return found


def network_of_address(address: str) -> str:
    """Return the network that attempts are counted for: the IPv4 address itself, or the /64 of an IPv6 address."""
    found = ip_address(address)
    return str(ip_network((found, 64), strict=False)) if isinstance(found, IPv6Address) else address


def site_of_address(address: str) -> str:
    """Return the network of one customer of a provider: the IPv4 address itself, or the /48 of an IPv6 address."""
    found = ip_address(address)
    return str(ip_network((found, 48), strict=False)) if isinstance(found, IPv6Address) else address


def is_trusted_proxy(address: str) -> bool:
    """Return True for one of our own proxies: an address in `CLUBNIGHT_PROXIES`, or a process on this machine."""
    found = ip_address(address)
    # No address means a Unix socket, which only a proxy on this machine can use.
    return address == _UNKNOWN or any(found in ip_network(proxy, strict=False) for proxy in settings.TRUSTED_PROXIES)


def _address(text: str) -> str | None:
    """Return the address without port or brackets, or None if it is not valid. Some proxies add a port."""
    plain = text.rsplit(":", 1)[0] if text.count(":") == 1 else text.strip("[]")
    try:
        found = ip_address(plain)
    except ValueError:
        return None
    if isinstance(found, IPv6Address) and found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return str(found)
