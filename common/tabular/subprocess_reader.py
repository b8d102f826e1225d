"""Reads files of strangers in a subprocess, with limits of time and memory, and keeps what was read.

A workbook of six kilobytes may hold half a million cells. It must not block a process that serves pages. So
`python -m common.tabular.reader_process` reads the file from standard input and writes JSON. The same file is read once
only: previews and the import itself find the result (`common.jobs.file_reading` has a worker read it first).
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from common.file_store.stores import delete_old_files, file_store, read_stored_file
from common.file_store.uploads import UPLOAD_LIFETIME_SECONDS
from common.tabular.text_tables import UnreadableTable

SQLITE_BEGINNING = b"SQLite format 3\0"
LIGHT_BYTES = 32 * 1024
"""In bytes, unpacked. Reading so little takes no longer than starting a process, except for a database."""
LIGHT_LINES = 1000
"""Each may be a member to be saved, which takes longer than reading the line."""
CPU_SECONDS = 12
"""Processor time. The limit by the clock is three times as long, for busy machines."""
_ROOT = Path(__file__).resolve().parents[2]


def is_light(data: bytes) -> bool:
    """Return True if the unpacked file is small enough to be read in this process. A database never is.

    A small database can hold much text as defaults of columns, and columns that take long to compute.
    """
    if len(data) > LIGHT_BYTES or data.startswith(SQLITE_BEGINNING):
        return False
    if not data.startswith(b"PK\x03\x04"):
        return data.count(b"\n") + data.count(b"\r") + data.count(b"<tr") <= LIGHT_LINES
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as parts:
            return sum(part.file_size for part in parts.infolist()) <= LIGHT_BYTES
    except (zipfile.BadZipFile, NotImplementedError, ValueError):
        return True


def read_in_subprocess(reader: str, data: bytes, *, seconds: int = CPU_SECONDS, **options: Any) -> Any:
    """Return the result of a reader for the file. The reader is given by dotted name and returns plain JSON.

    Raises UnreadableTable if it takes too much time or memory.
    """
    asked = json.dumps(
        {"reader": reader, "options": options, "seconds": seconds, "language": get_language()}, sort_keys=True
    ).encode()
    kept, name = file_store("readings"), hashlib.sha256(asked + b"\n" + data).hexdigest()
    try:
        return _result(json.loads(read_stored_file(kept, name)))
    except FileNotFoundError:
        told = _read(asked, data, seconds)
    delete_old_files(kept, seconds=UPLOAD_LIFETIME_SECONDS)
    kept.save_file(name, [told])
    return _result(json.loads(told))


def _read(asked: bytes, data: bytes, seconds: int) -> bytes:
    try:
        return subprocess.run(
            [sys.executable, "-m", "common.tabular.reader_process"],
            input=asked + b"\n" + data,
            stdout=subprocess.PIPE,
            timeout=3 * seconds,
            cwd=_ROOT,
            env=os.environ,
            check=True,
        ).stdout
    except subprocess.TimeoutExpired as error:
        # Perhaps the machine was busy: the next attempt may succeed.
        raise _too_large() from error
    except subprocess.CalledProcessError:
        return b"null"


def _result(told: Any) -> Any:
    if told is None:
        raise _too_large()
    return told["result"]


def _too_large() -> UnreadableTable:
    return UnreadableTable(_("This file is too large. Save the sheet with the list as a separate file, or as CSV."))
