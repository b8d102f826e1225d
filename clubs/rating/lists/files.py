"""Files of lists: zipped or not, text or XML, opened as a stream."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, Literal, Protocol

from django.utils.translation import gettext as _

from clubs.models import RatingListImport
from clubs.rating.lists.csv_lists import as_the_file_has_them, read_table
from clubs.rating.lists.fide_text import read_text
from clubs.rating.lists.fide_xml import read_xml
from clubs.rating.lists.lines import Lines, NotARatingList
from common.tabular.written_down import as_written_down, is_written_down

CHUNK = 64 * 1024
LARGEST_UNPACKED = 4 * 1024**3
"""Bytes. FIDE's largest XML file has less than one thousand million."""


class Openable(Protocol):
    """A path, or a file on a shelf."""

    def open(self, mode: Literal["rb"], /) -> BinaryIO: ...


@contextmanager
def open_list(source: Openable) -> Iterator[tuple[Any, int]]:
    """The list's bytes from the start, unpacked, and how many there are. In a zip file it is the largest file."""
    with source.open("rb") as file:
        if not zipfile.is_zipfile(file):
            size = file.seek(0, io.SEEK_END)
            file.seek(0)
            yield file, size
            return
        with _unpacked(file) as unpacked:
            yield unpacked


@contextmanager
def _unpacked(file: BinaryIO) -> Iterator[tuple[Any, int]]:
    with zipfile.ZipFile(file) as archive:
        files = [entry for entry in archive.infolist() if not entry.is_dir()]
        largest = max(files, key=lambda entry: entry.file_size, default=None)
        if largest is None or largest.file_size > LARGEST_UNPACKED:
            raise NotARatingList(1, _("a list in the zip file"))
        with archive.open(largest) as packed:
            yield io.BufferedReader(packed, CHUNK), largest.file_size


def players_of(listed: RatingListImport, file: Any) -> Lines:
    """The players of a file behind the line that the import has reached."""
    if listed.register.club_id is not None:
        columns, sample = listed.register.columns, file.peek(CHUNK)
        columns = as_written_down(columns) if is_written_down(sample) else as_the_file_has_them(columns, sample)
        return read_table(_chunks(file), columns, listed.register.scale, after=listed.line)
    if file.peek(CHUNK).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        return read_xml(_chunks(file), listed.kind, after=listed.line)
    return read_text(_lines(file), listed.kind, after=listed.line)


def _chunks(file: Any) -> Iterator[bytes]:
    while chunk := file.read(CHUNK):
        yield chunk


def _lines(file: Any) -> Iterator[bytes]:
    """Lines of a bounded length, so that a file without any is not read into memory as one."""
    while line := file.readline(CHUNK):
        yield line
