"""Reads slow spreadsheets in a subprocess, with limits of time and memory.

A workbook of three megabytes may hold a million cells. It must not block a process that serves pages. So
`python -m common.tabular.reader_process` reads it from standard input and writes the table as JSON.
"""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from common.tabular.old_excel import is_old_excel
from common.tabular.parsed_table import CellProblem, ParsedTable
from common.tabular.text_tables import TableRow, UnreadableTable

LARGE_WORKBOOK_BYTES = 2 * 1024 * 1024
"""In bytes, unpacked. Below this, reading takes no longer than starting a process."""
CPU_SECONDS = 12
"""Processor time. The limit by the clock is three times as long, for busy machines."""
_ROOT = Path(__file__).resolve().parents[2]


def is_large_workbook(data: bytes) -> bool:
    """Return True if the workbook is too large to read in this process."""
    if is_old_excel(data):
        return len(data) > LARGE_WORKBOOK_BYTES
    if not data.startswith(b"PK\x03\x04"):
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as parts:
            return sum(part.file_size for part in parts.infolist()) > LARGE_WORKBOOK_BYTES
    except (zipfile.BadZipFile, NotImplementedError, ValueError):
        return False


def read_table_in_subprocess(data: bytes, *, most_rows: int, most_bytes: int, seconds: int) -> ParsedTable:
    """Read the table in a subprocess. Raises UnreadableTable if it takes too much time or memory."""
    asked = {"rows": most_rows, "bytes": most_bytes, "seconds": seconds, "language": get_language()}
    try:
        done = subprocess.run(
            [sys.executable, "-m", "common.tabular.reader_process"],
            input=json.dumps(asked).encode() + b"\n" + data,
            stdout=subprocess.PIPE,
            timeout=3 * seconds,
            cwd=_ROOT,
            env=os.environ,
            check=True,
        )
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        raise UnreadableTable(
            _("This file is too large. Save the sheet with the list as a separate file, or as CSV.")
        ) from error
    told = json.loads(done.stdout)
    return ParsedTable(
        lines=tuple(TableRow(line=line, cells=tuple(cells)) for line, cells in told["lines"]),
        kind=told["kind"],
        problems=tuple(CellProblem(**problem) for problem in told["problems"]),
    )
