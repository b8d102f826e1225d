"""Settings of the database."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

CLOSE_DEAD_CONNECTIONS = "-c tcp_keepalives_idle=3 -c tcp_keepalives_interval=1 -c tcp_keepalives_count=3"
"""PostgreSQL closes a connection 6 seconds after the machine at its other end has failed. Otherwise one that fails in a
transaction would hold its locks for 2 hours."""

_UNREADABLE = (
    "CLUBNIGHT_DATABASE cannot be read as an address: write such as postgres://USER:PASSWORD@HOST:5432/NAME; in the"
    " user and the password write %40 for @, %2F for /, %3A for :, %23 for # and %25 for %."
)


def database_settings(address: str, *, is_pooled: bool) -> dict[str, Any]:
    """Return the settings for a postgres:// URL or the path of a SQLite file.

    `is_pooled`: the server is behind a pooler that assigns connections by transaction.
    """
    if address.startswith(("postgres://", "postgresql://")):
        parts = _split(address)
        return {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": parts.path.lstrip("/"),
            "USER": unquote(parts.username or ""),
            "PASSWORD": unquote(parts.password or ""),
            "HOST": parts.hostname or "",
            "PORT": parts.port or "",
            "CONN_MAX_AGE": 60,
            "CONN_HEALTH_CHECKS": True,
            # A pooler accepts no options. It closes its own connections.
            "OPTIONS": {} if is_pooled else {"options": CLOSE_DEAD_CONNECTIONS},
            # Between transactions a pooler may give the connection, with its cursors, to another client.
            "DISABLE_SERVER_SIDE_CURSORS": is_pooled,
        }
    if "://" in address:
        kind = address.partition("://")[0]
        raise ImproperlyConfigured(
            f"CLUBNIGHT_DATABASE={kind}://... is no database known here: give postgres://USER:PASSWORD@HOST/NAME, or"
            " the path of a SQLite file."
        )
    if address != ":memory:" and not Path(address).resolve().parent.is_dir():
        raise ImproperlyConfigured(
            f"CLUBNIGHT_DATABASE={address}: there is no folder {Path(address).resolve().parent}. Mend its name, or make"
            " it first."
        )
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": address,
        # Opening the file and reading its schema is slower than most queries.
        "CONN_MAX_AGE": 60,
        "OPTIONS": {
            # Writers queue instead of failing: with DEFERRED, half of concurrent writes end in "database is locked".
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            # FULL: an acknowledged write survives a power failure (docs/project/decisions/0004).
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA journal_size_limit=67108864;",
        },
    }


def _split(address: str) -> SplitResult:
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError as error:
        raise ImproperlyConfigured(_UNREADABLE) from error
    if not parts.path.strip("/") or parts.fragment:
        raise ImproperlyConfigured(_UNREADABLE)
    return parts
