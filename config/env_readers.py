"""Strict readers of settings: an invalid value raises an error with one sentence that says what to enter.

Each reader raises ImproperlyConfigured. No message repeats a value that contains a password.
"""

from __future__ import annotations

import re
import zoneinfo
from collections.abc import Collection
from dataclasses import dataclass
from email.utils import parseaddr
from ipaddress import IPv4Network, IPv6Network, collapse_addresses, ip_network
from pathlib import Path
from urllib.parse import SplitResult, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

from config.environment import env

_NAME = re.compile(r"\.?[a-z0-9-]+(\.[a-z0-9-]+)*\.?|\[[0-9a-f:.]+\]", re.IGNORECASE)
_ADDRESS = re.compile(r"[^\s@<>]+@[^\s@<>]+")
_HOW_SIGNS_ARE_WRITTEN = (
    "in the user name and password, replace @ with %40, / with %2F, : with %3A, # with %23 and % with %25"
)
SMALLEST_PREFIX = {4: 8, 6: 16}
"""The largest networks that a web server can be in, by the version of IP: 10.0.0.0/8 and one of a provider."""
_QUEUES = ("redis", "rediss", "redis+socket", "sentinel")
_PORTS = {"smtp": 587, "smtps": 465}


@dataclass(frozen=True, slots=True, kw_only=True)
class MailServerSettings:
    """The outgoing mail server. Without a host there is none."""

    host: str = ""
    port: int = 587
    user: str = ""
    password: str = ""
    has_implicit_tls: bool = False


def env_bool(name: str) -> bool:
    """Read 1 or 0. The default is 0."""
    given = env(name).strip()
    if given not in ("", "0", "1"):
        raise ImproperlyConfigured(f"{name}={given} is not valid. Use {name}=1 or {name}=0.")
    return given == "1"


def split_commas(text: str) -> list[str]:
    """Split a comma-separated list."""
    return [part.strip() for part in text.split(",") if part.strip()]


def is_host_name(text: str) -> bool:
    """Return True for a host name (".example.org" covers subdomains) or an IP address."""
    return bool(_NAME.fullmatch(text))


def env_networks(name: str, default: str) -> list[str]:
    """Read IP addresses and networks."""
    given = split_commas(env(name, default))
    for each in given:
        try:
            ip_network(each, strict=False)
        except ValueError as error:
            raise ImproperlyConfigured(
                f"{name}: {each} is not an address or network. Example: {name}=127.0.0.1,10.87.64.0/24"
            ) from error
    if any(each.prefixlen < SMALLEST_PREFIX[each.version] for each in _joined(given)):
        raise ImproperlyConfigured(
            f"{name}: {','.join(given)} covers most addresses, so anyone could fake theirs. Enter the web server's "
            "address."
        )
    return given


def _joined(networks: Collection[str]) -> list[IPv4Network | IPv6Network]:
    """Return the networks, those of neighbouring addresses as one."""
    found = [ip_network(each, strict=False) for each in networks]
    v4 = [each for each in found if isinstance(each, IPv4Network)]
    v6 = [each for each in found if isinstance(each, IPv6Network)]
    return [*collapse_addresses(v4), *collapse_addresses(v6)]


def env_redis_url(name: str) -> str | None:
    """Read the URL of Redis. Return None if it is empty."""
    given = env(name).strip()
    parts = _split(name, given)
    if given and (parts.scheme not in _QUEUES or not (parts.netloc or parts.path.strip("/"))):
        raise ImproperlyConfigured(f"{name} is not a Redis address. Example: {name}=redis://127.0.0.1:6379/0")
    return given or None


def env_site_url(name: str) -> str:
    """Read the URL (scheme, host and port) that browsers use to reach a site. Empty if there is none."""
    given = env(name).strip()
    if given and not _is_site(_split(name, given)):
        raise ImproperlyConfigured(
            f"{name}={given} is not an address that browsers can reach. Example: "
            f"{name}=https://chess.example.org, with nothing after the name except a port."
        )
    return given.rstrip("/")


def env_mail_server(name: str) -> MailServerSettings:
    """Read the mail server from `smtp://user:password@host:port`."""
    given = env(name).strip()
    if not given:
        return MailServerSettings()
    parts = _split(name, given)
    if parts.scheme not in _PORTS or not is_host_name(parts.hostname or "") or parts.path.strip("/") or parts.query:
        raise ImproperlyConfigured(
            f"{name} is not the address of a mail server. Example: {name}=smtp://user:password@mail.example.org:587 "
            f"(smtps:// for TLS from the start). Note: {_HOW_SIGNS_ARE_WRITTEN}."
        )
    return MailServerSettings(
        host=parts.hostname or "",
        port=parts.port or _PORTS[parts.scheme],
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        has_implicit_tls=parts.scheme == "smtps",
    )


def env_sender(name: str, default: str) -> str:
    """Read an email address, with or without a name."""
    given = env(name, default).strip()
    if not _ADDRESS.fullmatch(parseaddr(given)[1]):
        raise ImproperlyConfigured(
            f"{name}={given} is not an email address. Example: {name}=club@example.org or {name}=Chess "
            "Club <club@example.org>"
        )
    return given


def env_mail_addresses(name: str) -> list[str]:
    """Read email addresses, separated by commas."""
    given = split_commas(env(name))
    for each in given:
        if not _ADDRESS.fullmatch(each):
            raise ImproperlyConfigured(f"{name}: {each} is not an email address. Example: {name}=it@example.org")
    return given


def env_web_address(name: str) -> str:
    """Read the URL of a service that this server calls. Empty if there is none."""
    given = env(name).strip()
    parts = _split(name, given)
    if given and (parts.scheme not in ("http", "https") or not is_host_name(parts.hostname or "")):
        raise ImproperlyConfigured(f"{name} is not a web address. Example: {name}=https://hooks.example.org/abc")
    return given


def env_contact(name: str) -> str:
    """Read an email address or the URL of a page. Empty if there is none."""
    given = env(name).strip()
    if given and not (_ADDRESS.fullmatch(given.removeprefix("mailto:")) or _split(name, given).scheme == "https"):
        raise ImproperlyConfigured(
            f"{name}={given} is not a contact. Enter an email address such as {name}=safe@example.org, "
            "or the https:// address of a page."
        )
    return given


def env_hosts(name: str) -> list[str]:
    """Read host names and site URLs."""
    given = split_commas(env(name))
    for each in given:
        if not is_host_name(each) and not _is_site(_split(name, each)):
            raise ImproperlyConfigured(f"{name}: {each} is not a host name. Example: {name}=push.example.org")
    return given


def env_choice(name: str, default: str, offered: Collection[str]) -> str:
    """Read one of the allowed words."""
    given = env(name, default).strip() or default
    if given not in offered:
        raise ImproperlyConfigured(f"{name}={given} is not valid. Choose one of: {', '.join(sorted(offered))}.")
    return given


def env_time_zone(name: str, default: str) -> str:
    """Read an IANA time zone."""
    given = env(name, default).strip() or default
    try:
        zoneinfo.ZoneInfo(given)
    except (OSError, ValueError, zoneinfo.ZoneInfoNotFoundError) as error:
        place = given.rpartition("/")[2].casefold().replace(" ", "_")
        near = sorted(zone for zone in zoneinfo.available_timezones() if zone.rpartition("/")[2].casefold() == place)
        raise ImproperlyConfigured(
            f"{name}={given} is not a time zone. Example: {name}={(near or ['Europe/Warsaw'])[0]}"
        ) from error
    return given


def env_existing_folder(name: str, default: Path) -> Path:
    """Read the path of a folder, which must exist. With a mistyped path, the server would start without any data."""
    given = env(name).strip()
    if given and not Path(given).is_dir():
        raise ImproperlyConfigured(
            f"{name}={given} is not an existing folder. Correct the name, or create the folder first."
        )
    return Path(given) if given else default


def _split(name: str, given: str) -> SplitResult:
    try:
        parts = urlsplit(given)
        _ = parts.port
    except ValueError as error:
        raise ImproperlyConfigured(
            f"{name} is not a valid address (the host and port are unclear). Note: {_HOW_SIGNS_ARE_WRITTEN}."
        ) from error
    if parts.fragment:
        raise ImproperlyConfigured(f"{name} contains a #. Note: {_HOW_SIGNS_ARE_WRITTEN}.")
    return parts


def _is_site(parts: SplitResult) -> bool:
    is_plain = not (parts.path.strip("/") or parts.query or parts.username)
    return parts.scheme in ("http", "https") and is_host_name(parts.hostname or "") and is_plain
