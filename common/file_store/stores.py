"""Files passed between processes: uploads between two pages, lists to import, printouts to download.

Each file store has a name. By default it is a folder of `CLUBNIGHT_VAR`. With `CLUBNIGHT_FILES=database` it is in the
database (`database_store`), shared by all machines. File names must be impossible to guess, because access is not
checked here. Django models are imported only when a store is requested.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Literal

from common.file_store.protocol import FileStore, StoredFileInfo


@dataclass(frozen=True, slots=True)
class StoredFileHandle:
    """A file in a store that can be opened like a path."""

    store: FileStore
    name: str

    def open(self, _mode: Literal["rb"] = "rb") -> BinaryIO:
        """Open the file. Raises FileNotFoundError if it does not exist."""
        return self.store.open_file(self.name)

    def delete_file(self) -> None:
        self.store.delete_file(self.name)


def file_store(name: str) -> FileStore:
    """Return this server's file store with that name."""
    from django.conf import settings

    if settings.FILES_IN_DATABASE:
        from common.file_store.database_store import DatabaseFileStore

        return DatabaseFileStore(name)
    return FolderFileStore(Path(settings.VAR_DIR) / name)


def read_stored_file(shelf: FileStore, name: str) -> bytes:
    """Return the whole file. Raises FileNotFoundError if it does not exist."""
    with shelf.open_file(name) as file:
        return file.read()


def delete_old_files(shelf: FileStore, *, seconds: float, most: int | None = None, ending: str = "") -> None:
    """Delete files with this ending that have not been used for `seconds`, and all others except the latest `most`."""
    oldest = time.time() - seconds
    kept = [each for each in shelf.list_files() if each.name.endswith(ending)]
    for place, each in enumerate(kept):
        if each.last_used < oldest or (most is not None and place >= most):
            shelf.delete_file(each.name)


@dataclass(frozen=True, slots=True)
class FolderFileStore:
    """A file store in a folder, which is created with the first file."""

    path: Path

    def save_file(self, name: str, chunks: Iterable[bytes]) -> None:
        self.path.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=self.path, prefix=".", delete=False) as unfinished:
            try:
                unfinished.writelines(chunks)
            except BaseException:
                os.unlink(unfinished.name)
                raise
        os.replace(unfinished.name, self._of(name))

    def open_file(self, name: str) -> BinaryIO:
        return self._of(name).open("rb")

    def touch_file(self, name: str) -> None:
        try:
            os.utime(self._of(name))
        except FileNotFoundError:
            return

    def delete_file(self, name: str) -> None:
        self._of(name).unlink(missing_ok=True)

    def list_files(self) -> list[StoredFileInfo]:
        found = []
        for path in self.path.iterdir() if self.path.is_dir() else ():
            try:
                found.append(StoredFileInfo(name=path.name, last_used=path.stat().st_mtime))
            except FileNotFoundError:
                continue
        return sorted(found, key=lambda each: each.last_used, reverse=True)

    def _of(self, name: str) -> Path:
        """Return the path of a file. Raises FileNotFoundError if the name leads elsewhere, which is a bug."""
        if name != os.path.basename(name) or name in ("", ".", ".."):
            raise FileNotFoundError(name)
        return self.path / name
