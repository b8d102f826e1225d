"""A file store in the database, for servers with several machines."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import BinaryIO, cast

from django.db import transaction
from django.utils import timezone

from common.file_store.protocol import StoredFileInfo
from common.models import StoredFile, StoredFileChunk

CHUNK_BYTES = 1024 * 1024
"""The bytes of one row: small enough to keep memory use low for a list of 300 MB."""


@dataclass(frozen=True, slots=True)
class DatabaseFileStore:
    """A file store in the database, identified by its name."""

    store_name: str

    @transaction.atomic
    def save_file(self, name: str, chunks: Iterable[bytes]) -> None:
        now = timezone.now()
        # If two processes save the same file, the second waits for the first and replaces it.
        file, _is_new = StoredFile.objects.update_or_create(
            store=self.store_name, name=name, defaults={"size": 0, "used_at": now}
        )
        file.pieces.all().delete()
        size = 0
        for number, data in enumerate(_pieces(chunks)):
            StoredFileChunk.objects.create(file=file, number=number, data=data)
            size += len(data)
        StoredFile.objects.filter(pk=file.pk).update(size=size)

    def open_file(self, name: str) -> BinaryIO:
        file = StoredFile.objects.filter(store=self.store_name, name=name).first()
        if file is None:
            raise FileNotFoundError(name)
        return cast(BinaryIO, io.BufferedReader(_Reader(file), CHUNK_BYTES))

    def touch_file(self, name: str) -> None:
        StoredFile.objects.filter(store=self.store_name, name=name).update(used_at=timezone.now())

    def delete_file(self, name: str) -> None:
        StoredFile.objects.filter(store=self.store_name, name=name).delete()

    def list_files(self) -> list[StoredFileInfo]:
        rows = StoredFile.objects.filter(store=self.store_name).order_by("-used_at", "-pk")
        return [
            StoredFileInfo(name=name, last_used=used.timestamp()) for name, used in rows.values_list("name", "used_at")
        ]


class _Reader(io.RawIOBase):
    """Reads a file chunk by chunk, with one query each."""

    def __init__(self, file: StoredFile) -> None:
        self._file = file
        self._place = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        began = {io.SEEK_SET: 0, io.SEEK_CUR: self._place, io.SEEK_END: self._file.size}[whence]
        self._place = max(0, began + offset)
        return self._place

    def tell(self) -> int:
        return self._place

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        if self._place >= self._file.size:
            return 0
        number, within = divmod(self._place, CHUNK_BYTES)
        data = self._file.pieces.filter(number=number).values_list("data", flat=True).first()
        if data is None:
            raise FileNotFoundError(self._file.name)
        found = bytes(data)[within : within + len(buffer)]
        buffer[: len(found)] = found
        self._place += len(found)
        return len(found)


def _pieces(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Divide the bytes into chunks of equal length."""
    waiting = bytearray()
    for chunk in chunks:
        waiting += chunk
        while len(waiting) >= CHUNK_BYTES:
            yield bytes(waiting[:CHUNK_BYTES])
            del waiting[:CHUNK_BYTES]
    if waiting:
        yield bytes(waiting)
