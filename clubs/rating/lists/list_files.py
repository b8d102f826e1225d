"""List files, zipped or not, text or XML, opened as a stream."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, Literal, Protocol

from django.utils.translation import gettext as _

from clubs.models import RatingListImport
from clubs.rating.lists.fide_text import read_fide_text_list
from clubs.rating.lists.fide_xml import read_fide_xml_list
from clubs.rating.lists.national_lists import detect_list_format, read_national_list
from clubs.rating.lists.player_lines import NotARatingList, RatingListLines
from common.tabular.text_conversion import columns_of_converted_text, is_converted_text

CHUNK_BYTES = 64 * 1024
MAX_UNPACKED_BYTES = 4 * 1024**3
"""Bytes. FIDE's largest XML file has less than one thousand million."""


class OpenableFile(Protocol):
    """A path or a stored file."""

    def open(self, mode: Literal["rb"], /) -> BinaryIO: ...


@contextmanager
def open_list_file(source: OpenableFile) -> Iterator[tuple[Any, int]]:
    """Open a list and yield its unpacked file and size in bytes. From a ZIP, use the largest file.

    Raises NotARatingList if a zip file is empty or too large.
    """
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
        if largest is None or largest.file_size > MAX_UNPACKED_BYTES:
            raise NotARatingList(1, _("a list in the zip file"))
        with archive.open(largest) as packed:
            yield io.BufferedReader(packed, CHUNK_BYTES), largest.file_size


def read_list_players(listed: RatingListImport, file: Any) -> RatingListLines:
    """Yield the players in a file after the line that the import has reached."""
    if listed.register.club_id is not None:
        columns, sample = listed.register.columns, file.peek(CHUNK_BYTES)
        columns = (
            columns_of_converted_text(columns) if is_converted_text(sample) else detect_list_format(columns, sample)
        )
        return read_national_list(_chunks(file), columns, listed.register.scale, after=listed.line)
    if file.peek(CHUNK_BYTES).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        return read_fide_xml_list(_chunks(file), listed.kind, after=listed.line)
    return read_fide_text_list(_lines(file), listed.kind, after=listed.line)


def _chunks(file: Any) -> Iterator[bytes]:
    while chunk := file.read(CHUNK_BYTES):
        yield chunk


def _lines(file: Any) -> Iterator[bytes]:
    """Yield lines of limited length, so that a file without line ends isn't read into memory as one."""
    while line := file.readline(CHUNK_BYTES):
        yield line
