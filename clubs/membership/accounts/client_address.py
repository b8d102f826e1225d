"""Where a request really comes from, behind the proxies one trusts."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address, ip_network

from django.conf import settings
from django.http import HttpRequest

_UNKNOWN = "0.0.0.0"  # noqa: S104 - what stands for no address, nothing listens there


def client_address(request: HttpRequest) -> str:
    """The address of the browser: the last one in `X-Forwarded-For` that is no proxy of `CLUBNIGHT_PROXIES`.

    Each proxy adds whom it heard; before the first stranger, counted from the end, anybody may have written.
    """
    heard = [part.strip() for part in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",") if part.strip()]
    found = _address(request.META.get("REMOTE_ADDR", "")) or _UNKNOWN
    for nearer in reversed(heard):
        if not _is_trusted(found):
            break
        written = _address(nearer)
        if written is None:
            break
        found = written
    return found


def network_of_address(address: str) -> str:
    """What is counted as one place: an IPv4 address, or the network of an IPv6 one, as a household has it."""
    found = ip_address(address)
    return str(ip_network((found, 64), strict=False)) if isinstance(found, IPv6Address) else address


def _is_trusted(address: str) -> bool:
    found = ip_address(address)
    # A socket in place of an address: only a proxy on this machine comes through one.
    return address == _UNKNOWN or any(found in ip_network(proxy, strict=False) for proxy in settings.TRUSTED_PROXIES)


def _address(text: str) -> str | None:
    """The plain address; None for anything else. Some proxies add a port."""
    plain = text.rsplit(":", 1)[0] if text.count(":") == 1 else text.strip("[]")
    try:
        found = ip_address(plain)
    except ValueError:
        return None
    if isinstance(found, IPv6Address) and found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return str(found)
