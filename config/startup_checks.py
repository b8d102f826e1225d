"""Checks before start-up: a guessable key, any host name, or debugging on a public server.

Each check raises ImproperlyConfigured with a sentence that says what to set.
"""

from __future__ import annotations

import re
import secrets
from ipaddress import ip_address
from pathlib import Path

from django.contrib.auth.password_validation import CommonPasswordValidator
from django.core.exceptions import ImproperlyConfigured

from common.text.secret_files import load_or_create_secret
from config.env_readers import is_host_name

LOCAL_NAMES = ("localhost", "127.0.0.1", "[::1]")
"""The allowed hosts by default."""

MIN_KEY_LENGTH = 32
MIN_DISTINCT_TRIPLES = 20
"""The fewest distinct groups of three characters in a key, without known words: with less it can be guessed."""
MIN_KIND_CHANGES = 5
_KIND_CHANGES = re.compile(r"[a-z](?=[A-Z0-9])|[A-Z](?=[a-z0-9])|[0-9](?=[A-Za-z])")
OWN_WORDS = frozenset(("chess", "club", "clubnight", "django", "example", "production", "random", "secret", "server"))

_LOCAL_ENDINGS = (".localhost", ".local", ".test", ".lan", ".internal", ".home.arpa")
_KEY_FILE = "secret-key"
_NEW_KEY = 'python3 -c "import secrets; print(secrets.token_urlsafe(50))"'


def load_secret_key(given: str, folder: Path) -> str:
    """Return the given key if it cannot be guessed. Without one, return the stored key, creating it if needed."""
    if not given:
        return _kept_key(folder)
    if len(given) < MIN_KEY_LENGTH or given.startswith("django-insecure-") or not _is_random(given):
        raise ImproperlyConfigured(
            "CLUBNIGHT_SECRET_KEY can be guessed, and so can everyone's links and accounts. Set at least "
            f"{MIN_KEY_LENGTH} random characters ({_NEW_KEY} prints some), or leave it out to have a key created "
            f"in {folder / _KEY_FILE}."
        )
    return given


def check_allowed_hosts(given: str, *, debugging: bool) -> list[str]:
    """Return the host names of the server from a comma-separated list, by default the local ones."""
    names = [name.strip() for name in given.split(",") if name.strip()] or list(LOCAL_NAMES)
    if "*" in names:
        raise ImproperlyConfigured(
            "CLUBNIGHT_HOSTS=* accepts any name, even forged ones. Set the names of the server, "
            "such as CLUBNIGHT_HOSTS=chess.example.org."
        )
    for name in names:
        if not is_host_name(name):
            raise ImproperlyConfigured(
                f"CLUBNIGHT_HOSTS: {name} is not a server name. Leave out https://, port and path, as in "
                "CLUBNIGHT_HOSTS=chess.example.org. Put an IPv6 address in brackets."
            )
        if name.startswith(".") and "." not in name.strip(".") and not is_local_host(name):
            raise ImproperlyConfigured(
                f"CLUBNIGHT_HOSTS={name} accepts every name with this ending, even forged ones. "
                "Example: CLUBNIGHT_HOSTS=chess.example.org"
            )
    public = [name for name in names if not is_local_host(name)]
    if debugging and public:
        raise ImproperlyConfigured(
            f"CLUBNIGHT_DEBUG=1 shows the server's internals to everyone, and {public[0]} can be reached from outside. "
            "Set CLUBNIGHT_DEBUG=0, or remove the name from CLUBNIGHT_HOSTS."
        )
    return names


def check_metrics_token(given: str) -> str:
    """Return the metrics token if it cannot be guessed. Without a token, nobody can read the metrics."""
    token = given.strip()
    if token and len(token) < MIN_KEY_LENGTH:
        raise ImproperlyConfigured(
            f"CLUBNIGHT_METRICS_TOKEN can be guessed. Set at least {MIN_KEY_LENGTH} random characters "
            f"({_NEW_KEY} prints some), or leave it out to turn the metrics off."
        )
    return token


def check_listen_address(address: str, *, debugging: bool) -> None:
    """Refuse debug mode if the server listens on all addresses or on a public one."""
    if debugging and not _is_private(address):
        raise ImproperlyConfigured(
            f"CLUBNIGHT_DEBUG=1 shows the server's internals to everyone who can reach "
            f"{address or 'all its addresses'}. Set CLUBNIGHT_DEBUG=0, or let it listen on 127.0.0.1."
        )


def is_local_host(name: str) -> bool:
    """Return True for a name or address that cannot be reached from outside."""
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


def _is_random(key: str) -> bool:
    """Return False for words or a phrase: few places where a small letter, a capital or a digit follows another kind,
    or little left without usual passwords and repetitions."""
    if len(_KIND_CHANGES.findall(key)) < MIN_KIND_CHANGES:
        return False
    words = CommonPasswordValidator().passwords | OWN_WORDS
    rest, place = "", 0
    plain = key.lower()
    while place < len(plain):
        longest = next((end for end in range(len(plain), place + 3, -1) if plain[place:end] in words), 0)
        rest, place = (rest, longest) if longest else (rest + plain[place], place + 1)
    return len({rest[at : at + 3] for at in range(len(rest) - 2)}) >= MIN_DISTINCT_TRIPLES


def _kept_key(folder: Path) -> str:
    """Return the stored key, which only its owner can read. Processes starting together get the same one."""
    path = folder / _KEY_FILE
    try:
        key = load_or_create_secret(path, lambda: secrets.token_urlsafe(50))
    except OSError as error:
        raise ImproperlyConfigured(
            f"Can't save a key in {path} ({error.strerror}). Set CLUBNIGHT_SECRET_KEY to at least {MIN_KEY_LENGTH} "
            "random characters, or CLUBNIGHT_VAR to a folder that the server can write to."
        ) from error
    if len(key) < MIN_KEY_LENGTH:
        raise ImproperlyConfigured(f"{path} has no complete key. Delete it to create a new one.")
    return key
