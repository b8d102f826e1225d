"""What every file store can do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import BinaryIO, Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredFileInfo:
    """A file in a store, and its last use in seconds since 1970."""

    name: str
    last_used: float


class FileStore(Protocol):
    """A store of files by name. Files are saved completely or not at all, and saving again replaces them."""

    def save_file(self, name: str, chunks: Iterable[bytes]) -> None: ...

    def open_file(self, name: str) -> BinaryIO:
        """Open a file for reading, with seek. Raises FileNotFoundError if it does not exist."""

    def touch_file(self, name: str) -> None:
        """Set a file's time of last use to now. Ignore a missing file."""

    def delete_file(self, name: str) -> None:
        """Delete a file. Ignore a missing file."""

    def list_files(self) -> list[StoredFileInfo]:
        """Return all files, the most recently used first."""
