"""Files that one process lays aside for another: uploads between two pages, lists to import, papers to fetch.

They lie on shelves, each with a name. By default a shelf is a folder of `CLUBNIGHT_VAR`; by `CLUBNIGHT_FILES=database`
it is rows (`database_store`), which every machine sees that sees the database. Whoever lays a file down names it so
that nobody guesses it; nothing here says who may have it. Nothing of Django is read before a shelf is asked for.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Literal, Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredFileInfo:
    """A file on a shelf, and when somebody wanted it last, in seconds since 1970."""

    name: str
    last_used: float


class FileStore(Protocol):
    """Files by name; a file is there whole or not at all, and one laid down again takes the other's place."""

    def save_file(self, name: str, chunks: Iterable[bytes]) -> None: ...

    def open_file(self, name: str) -> BinaryIO:
        """For reading, at any place; raises FileNotFoundError."""

    def touch_file(self, name: str) -> None:
        """Say that somebody wanted it just now; not there: no error."""

    def delete_file(self, name: str) -> None:
        """Not there: no error."""

    def list_files(self) -> list[StoredFileInfo]:
        """All there are, those wanted last first."""


@dataclass(frozen=True, slots=True)
class StoredFileHandle:
    """A file on a shelf that is opened as a path is."""

    store: FileStore
    name: str

    def open(self, _mode: Literal["rb"] = "rb") -> BinaryIO:
        """Raises FileNotFoundError."""
        return self.store.open_file(self.name)

    def delete_file(self) -> None:
        self.store.delete_file(self.name)


def file_store(name: str) -> FileStore:
    """The shelf of this server by this name."""
    from django.conf import settings

    if settings.FILES_IN_DATABASE:
        from common.file_store.database_store import DatabaseFileStore

        return DatabaseFileStore(name)
    return FolderFileStore(Path(settings.VAR_DIR) / name)


def read_stored_file(shelf: FileStore, name: str) -> bytes:
    """The whole file; raises FileNotFoundError."""
    with shelf.open_file(name) as file:
        return file.read()


def delete_old_files(shelf: FileStore, *, seconds: float, most: int | None = None, ending: str = "") -> None:
    """Throw away what nobody has wanted for so long, and of names that end like this all but the `most` wanted last."""
    oldest = time.time() - seconds
    kept = [each for each in shelf.list_files() if each.name.endswith(ending)]
    for place, each in enumerate(kept):
        if each.last_used < oldest or (most is not None and place >= most):
            shelf.delete_file(each.name)


@dataclass(frozen=True, slots=True)
class FolderFileStore:
    """A shelf that is a folder, made when the first file is laid down."""

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
        """The file's place. Names are made by the program; one that led elsewhere would be a mistake of it."""
        if name != os.path.basename(name) or name in ("", ".", ".."):
            raise FileNotFoundError(name)
        return self.path / name
