"""Secrets that the server makes for itself, in a file that only its owner may read; where files can be made."""

from __future__ import annotations

import errno
import os
import secrets
import tempfile
from collections.abc import Callable
from pathlib import Path


def load_or_create_secret(path: Path, make: Callable[[], str]) -> str:
    """What the file holds, made now if there is none: of several processes that start at once all get the same.

    OSError where nothing can be kept there. ASCII.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        _put(path, make())
    path.chmod(0o600)
    return path.read_text(encoding="ascii").strip()


def can_create_files(folder: Path) -> bool:
    """Files can be made there; if there is no such folder yet, in the nearest above it. A full disk is no reason."""
    there = next(each for each in (folder.absolute(), *folder.absolute().parents) if each.exists())
    try:
        with tempfile.TemporaryFile(dir=there):
            return True
    except OSError as error:
        return error.errno in (errno.ENOSPC, errno.EDQUOT)


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
