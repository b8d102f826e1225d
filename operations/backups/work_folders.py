"""Private folders for data on its way into or out of a backup, and the deletion of what a killed process left."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from django.conf import settings

_PREFIX = ".backup-work-"


@contextmanager
def private_folder(parent: Path) -> Iterator[Path]:
    """Create a folder that only its owner can open, for the duration of the block.

    Its process holds a lock on it, which the system releases however the process ends.
    """
    with tempfile.TemporaryDirectory(prefix=_PREFIX, dir=parent) as name, _locked(Path(name)):
        yield Path(name)


def delete_leftovers(*more: Path) -> None:
    """Delete the folders of killed processes, as they may contain the whole database, unencrypted."""
    for parent in {Path(settings.VAR_DIR), Path(settings.BACKUP_DIR), *more}:
        for folder in parent.glob(f"{_PREFIX}*"):
            # A folder in use, or of another user, stays.
            with suppress(OSError), _locked(folder):
                shutil.rmtree(folder)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder. Raises OSError if another process has it, or if it isn't a folder."""
    if sys.platform == "win32":  # which does not delete a folder in use
        yield
        return
    import fcntl

    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(handle)
