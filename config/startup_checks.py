"""What a server is not started with: a key that others may know, any host, debugging where strangers can come.

Each check raises ImproperlyConfigured with the sentence that says what to set.
"""

from __future__ import annotations

import secrets
from ipaddress import ip_address
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

from common.text.secret_files import load_or_create_secret
from config.env_readers import is_host_name

LOCAL_NAMES = ("localhost", "127.0.0.1", "[::1]")
"""Where a server is reached that was told no names."""

MIN_KEY_LENGTH = 32
MIN_DISTINCT_CHARACTERS = 10
"""Different ones in a key: fewer are a word written again and again."""

_LOCAL_ENDINGS = (".localhost", ".local", ".test", ".lan", ".internal", ".home.arpa")
_KEY_FILE = "secret-key"
_NEW_KEY = 'python3 -c "import secrets; print(secrets.token_urlsafe(50))"'


def load_secret_key(given: str, folder: Path) -> str:
    """The key that was given, if nobody can guess it; with none, the one kept in the folder, made now if need be."""
    if not given:
        return _kept_key(folder)
    if len(given) < MIN_KEY_LENGTH or len(set(given)) < MIN_DISTINCT_CHARACTERS or given.startswith("django-insecure-"):
        raise ImproperlyConfigured(
            "CLUBNIGHT_SECRET_KEY can be guessed, and with it everyone's links and log-ins: set at least "
            f"{MIN_KEY_LENGTH} random letters, such as {_NEW_KEY} prints, or leave it out: a key is then made "
            f"and kept in {folder / _KEY_FILE}."
        )
    return given


def check_allowed_hosts(given: str, *, debugging: bool) -> list[str]:
    """The names under which the server answers, given with commas between; local ones with none given."""
    names = [name.strip() for name in given.split(",") if name.strip()] or list(LOCAL_NAMES)
    if "*" in names:
        raise ImproperlyConfigured(
            "CLUBNIGHT_HOSTS=* answers to any name, forged ones as well: set the names under which the server is "
            "reached, such as CLUBNIGHT_HOSTS=chess.example.org."
        )
    for name in names:
        if not is_host_name(name):
            raise ImproperlyConfigured(
                f"CLUBNIGHT_HOSTS: {name} is no name of a server: write the names alone, without https://, port and"
                " path, such as CLUBNIGHT_HOSTS=chess.example.org (an IPv6 address in brackets)."
            )
        if name.startswith(".") and "." not in name.strip(".") and not is_local_host(name):
            raise ImproperlyConfigured(
                f"CLUBNIGHT_HOSTS={name} answers to every name that ends so, forged ones as well: write such as"
                " CLUBNIGHT_HOSTS=chess.example.org."
            )
    public = [name for name in names if not is_local_host(name)]
    if debugging and public:
        raise ImproperlyConfigured(
            f"CLUBNIGHT_DEBUG=1 shows the insides of the server to everyone, and {public[0]} is reached from outside: "
            "set CLUBNIGHT_DEBUG=0, or take the name out of CLUBNIGHT_HOSTS."
        )
    return names


def check_metrics_token(given: str) -> str:
    """The token for the server's figures, if nobody can guess it; none: nobody reads them."""
    token = given.strip()
    if token and len(token) < MIN_KEY_LENGTH:
        raise ImproperlyConfigured(
            f"CLUBNIGHT_METRICS_TOKEN can be guessed: set at least {MIN_KEY_LENGTH} random letters, such as {_NEW_KEY} "
            "prints, or leave it out: then nobody reads the server's figures."
        )
    return token


def check_listen_address(address: str, *, debugging: bool) -> None:
    """A server that debugs listens on this machine or on one private address, not on all and not on a public one."""
    if debugging and not _is_private(address):
        raise ImproperlyConfigured(
            f"CLUBNIGHT_DEBUG=1 shows the insides of the server to everyone who reaches {address or 'all addresses'}: "
            "set CLUBNIGHT_DEBUG=0, or let it listen on 127.0.0.1."
        )


def is_local_host(name: str) -> bool:
    """A name or address that leads nowhere from the outside."""
    plain = name.strip("[]").lower().rstrip(".")
    return _is_private(plain) or plain.endswith(_LOCAL_ENDINGS) or not set(".:") & set(plain)


def _is_private(address: str) -> bool:
    if address.lower() in ("localhost", "unix"):
        return True
    try:
        found = ip_address(address.strip("[]"))
    except ValueError:
        return False
    return found.is_private and not found.is_unspecified


def _kept_key(folder: Path) -> str:
    """From the file, which only its owner may read; several processes that start at once all get the same."""
    path = folder / _KEY_FILE
    try:
        key = load_or_create_secret(path, lambda: secrets.token_urlsafe(50))
    except OSError as error:
        raise ImproperlyConfigured(
            f"No key can be kept in {path} ({error.strerror}): set CLUBNIGHT_SECRET_KEY to at least {MIN_KEY_LENGTH} "
            "random letters, or CLUBNIGHT_VAR to a folder in which the server may write."
        ) from error
    if len(key) < MIN_KEY_LENGTH:
        raise ImproperlyConfigured(f"{path} holds no whole key: delete it, and another is made.")
    return key
