"""Secrets that the server makes for itself and keeps in a file that only its owner may read."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from pathlib import Path


def kept_secret(path: Path, make: Callable[[], str]) -> str:
    """What the file holds, made now if there is none: of several processes that start at once all get the same.

    OSError where nothing can be kept there. ASCII.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        _put(path, make())
    path.chmod(0o600)
    return path.read_text(encoding="ascii").strip()


def _put(path: Path, text: str) -> None:
    """Written aside and linked in whole, so that nobody reads half of it and the first one there stays."""
    aside = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    with os.fdopen(os.open(aside, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w", encoding="ascii") as file:
        file.write(text)
    try:
        os.link(aside, path)
    except FileExistsError:
        pass
    finally:
        aside.unlink()
