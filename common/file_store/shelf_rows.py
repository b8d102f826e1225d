"""A shelf that is rows of the database, for servers of several machines."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import BinaryIO, cast

from django.db import transaction
from django.utils import timezone

from common.file_store.shelves import Kept
from common.models import WorkingFile, WorkingPiece

PIECE = 1024 * 1024
"""Bytes of a row: few enough that a list of 300 MB needs no more memory than a letter."""


@dataclass(frozen=True, slots=True)
class Rows:
    """A shelf by its name."""

    shelf: str

    @transaction.atomic
    def put(self, name: str, chunks: Iterable[bytes]) -> None:
        now = timezone.now()
        # Two who lay down the same: the second waits for the first's row, and takes its place.
        file, _is_new = WorkingFile.objects.update_or_create(
            shelf=self.shelf, name=name, defaults={"size": 0, "used_at": now}
        )
        file.pieces.all().delete()
        size = 0
        for number, data in enumerate(_pieces(chunks)):
            WorkingPiece.objects.create(file=file, number=number, data=data)
            size += len(data)
        WorkingFile.objects.filter(pk=file.pk).update(size=size)

    def open(self, name: str) -> BinaryIO:
        file = WorkingFile.objects.filter(shelf=self.shelf, name=name).first()
        if file is None:
            raise FileNotFoundError(name)
        return cast(BinaryIO, io.BufferedReader(_Reader(file), PIECE))

    def use(self, name: str) -> None:
        WorkingFile.objects.filter(shelf=self.shelf, name=name).update(used_at=timezone.now())

    def remove(self, name: str) -> None:
        WorkingFile.objects.filter(shelf=self.shelf, name=name).delete()

    def kept(self) -> list[Kept]:
        rows = WorkingFile.objects.filter(shelf=self.shelf).order_by("-used_at", "-pk")
        return [Kept(name=name, used=used.timestamp()) for name, used in rows.values_list("name", "used_at")]


class _Reader(io.RawIOBase):
    """A file read piece by piece, one query each."""

    def __init__(self, file: WorkingFile) -> None:
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
        number, within = divmod(self._place, PIECE)
        data = self._file.pieces.filter(number=number).values_list("data", flat=True).first()
        if data is None:
            raise FileNotFoundError(self._file.name)
        found = bytes(data)[within : within + len(buffer)]
        buffer[: len(found)] = found
        self._place += len(found)
        return len(found)


def _pieces(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The same bytes in pieces of one length."""
    waiting = bytearray()
    for chunk in chunks:
        waiting += chunk
        while len(waiting) >= PIECE:
            yield bytes(waiting[:PIECE])
            del waiting[:PIECE]
    if waiting:
        yield bytes(waiting)
