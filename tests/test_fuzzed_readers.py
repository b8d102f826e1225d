"""Every file reader with damaged files: a result or a refusal of its own, never another error.

In CI a few damaged files each; `CLUBNIGHT_FUZZ=20000 .venv/bin/python -m pytest tests/test_fuzzed_readers.py` for long.
Report files have theirs beside their reader (tests/pairing/engine/trf/test_fuzz.py).
"""

from __future__ import annotations

import io
import json
import os
import tempfile
import zipfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openpyxl import Workbook

from clubs.finance.bank.statement_reader import read_camt_or_mt940, read_pasted_statement
from clubs.finance.bank.statement_tables import read_bank_table
from clubs.rating.lists.fide_text import read_fide_text_list
from clubs.rating.lists.fide_xml import read_fide_xml_list
from clubs.rating.lists.player_lines import NotARatingList
from common.problems import OfficerProblem
from common.tabular.spreadsheets import read_table
from operations.backups.archive import MANIFEST, unpack_archive
from operations.backups.encryption import generate_key_pair, parse_backup_key
from operations.backups.problems import BackupProblem
from operations.event_transfer.file_reader import read_event_file
from tests.clubs.finance.bank.test_formats import CAMT, DETAIL, ENTRY, MT940, OURS, TABLE, THEIRS, TODAY
from tests.clubs.rating.lists.test_reading import ONE_KIND, XML, text_line
from tournaments.import_export.file_import import read_player_table
from tournaments.problems import ArbiterProblem

TABLES = Path(__file__).parent / "data" / "tables"
EXAMPLES = int(os.environ.get("CLUBNIGHT_FUZZ", "30"))
PIECES = st.sampled_from(
    [
        *(bytes([letter]) for letter in b"\r\n\t;,\"'<>&[{]}:-0\xff\x00"),
        *(
            b"9" * 30,
            b"NaN",
            b"null",
            b"1e999",
            b"\\u0000",
            b"\\ud800",
            b"\xc5\x81",
            b"PK\x03\x04",
            b"../",
            b"\xe2\x80\xae",
        ),
    ]
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """A complete file, its reader, and its possible refusals."""

    whole: bytes
    read: Callable[[bytes], object]
    refusals: tuple[type[Exception], ...]


def a_sheet() -> bytes:
    book, file = Workbook(), io.BytesIO()
    for row in (("Name", "Rating", "Born"), ("Pionek, Jan", 1850, 1990), ("Wieża, Ewa", "x", "1.2.2001")):
        book.active.append(row)
    book.save(file)
    return file.getvalue()


def an_event() -> bytes:
    """A small file by hand; other tests check its contents."""
    made = "2026-11-22T10:00:00Z"
    round_ = {"number": 1, "state": "waiting", "version": 0, "publications": 0, "scores": {}, "decision": None}
    times = ("starts_at", "check_in_closed_at", "paired_at", "published_at", "provisional_until")
    lists = ("boards", "byes", "door", "claims", "second_readings", "steps", "restore_points", "trials")
    round_ |= dict.fromkeys(times) | {name: [] for name in lists}
    told = {"format": "clubnight-event", "version": 1, "made_at": made, "program": "0", "club": "x", "series": ""}
    return json.dumps(told | {"rounds": [round_], "people": [], "players": [], "kept_apart": [], "log": []}).encode()


def a_backup() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        told = {"format": "clubnight-backup", "version": 1, "made_at": "x", "program": "0", "database": "sqlite"}
        digest = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"
        told |= {"migrations": [], "rows": {}, "files": {"database.sqlite3": [1, digest]}}
        archive.writestr("database.sqlite3", "x")
        archive.writestr(MANIFEST, json.dumps(told))
    return file.getvalue()


def unpacked(data: bytes) -> object:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "one.zip").write_bytes(data)
        (folder / "in").mkdir()
        manifest = unpack_archive(folder / "one.zip", folder / "in")
        assert {path.name for path in folder.iterdir()} == {"one.zip", "in"}
        return manifest


def text_of(data: bytes) -> str:
    return data.decode("utf-8", "replace")


DETAILS = DETAIL.format(text="dues", own="", theirs=THEIRS)
ENTRIES = ENTRY.format(details=DETAILS, amount="120.00", mark="CRDT", state="BOOK", reference="R-1")
LINES = "\r\n".join((ONE_KIND, text_line(kind_columns=1)))

READERS = {
    "CAMT.053": Reader(
        whole=CAMT.format(ours=OURS, entries=ENTRIES).encode(),
        read=lambda data: read_camt_or_mt940(data, today=TODAY),
        refusals=(OfficerProblem,),
    ),
    "MT940": Reader(
        whole=MT940.format(ours=OURS, theirs=THEIRS).encode(),
        read=lambda data: read_camt_or_mt940(data, today=TODAY),
        refusals=(OfficerProblem,),
    ),
    "a bank's table": Reader(whole=TABLE.encode(), read=read_bank_table, refusals=(OfficerProblem,)),
    "pasted payments": Reader(
        whole=b"2026-11-20; 120.00; dues\n2026-11-21; -5; stamps",
        read=lambda data: read_pasted_statement(text_of(data), today=TODAY),
        refusals=(),
    ),
    "a table": Reader(whole="Name;Rating\nŁoś, Jan;1850\n".encode(), read=read_table, refusals=()),
    "a spreadsheet": Reader(whole=a_sheet(), read=read_table, refusals=()),
    "an old spreadsheet": Reader(whole=(TABLES / "swiss_manager.xls").read_bytes(), read=read_table, refusals=()),
    "a list of players": Reader(whole="Name;Rating\nŁoś, Jan;1850\n".encode(), read=read_player_table, refusals=()),
    "FIDE's list as text": Reader(
        whole=LINES.encode("latin-1"),
        read=lambda data: list(read_fide_text_list(io.BytesIO(data), "standard")),
        refusals=(NotARatingList,),
    ),
    "FIDE's list as XML": Reader(
        whole=XML.encode(),
        read=lambda data: list(read_fide_xml_list([data[:99], data[99:]], "")),
        refusals=(NotARatingList,),
    ),
    "an event": Reader(whole=an_event(), read=read_event_file, refusals=(ArbiterProblem,)),
    "a backup": Reader(whole=a_backup(), read=unpacked, refusals=(BackupProblem,)),
    "a key": Reader(
        whole=generate_key_pair()[0].encode(),
        read=lambda data: parse_backup_key(text_of(data)),
        refusals=(BackupProblem,),
    ),
}


@st.composite
def damaged(draw: st.DrawFn, whole: bytes) -> bytes:
    """The file with a few parts inserted, deleted or changed, or with its end cut off."""
    data = bytearray(whole)
    for _ in range(draw(st.integers(min_value=1, max_value=6))):
        at = draw(st.integers(min_value=0, max_value=len(data)))
        kind = draw(st.sampled_from(["insert", "replace", "delete", "cut", "twice"]))
        if kind == "insert":
            data[at:at] = draw(PIECES)
        elif kind == "replace":
            data[at : at + 1] = draw(PIECES)
        elif kind == "delete":
            del data[at : at + draw(st.integers(min_value=1, max_value=40))]
        elif kind == "twice":
            data[at:at] = data[at : at + draw(st.integers(min_value=1, max_value=200))]
        else:
            del data[at:]
    return bytes(data)


@pytest.mark.parametrize("name", READERS)
def test_a_damaged_file_is_read_or_refused(name):
    reader = READERS[name]

    @settings(max_examples=EXAMPLES, deadline=None, derandomize=EXAMPLES <= 30, suppress_health_check=list(HealthCheck))
    @given(data=damaged(reader.whole))
    def holds(data: bytes) -> None:
        with suppress(*reader.refusals):
            reader.read(data)

    holds()


def test_a_backup_whose_compressed_part_is_damaged():
    """Found by `fuzz_readers`: the decompression library has messages of its own."""
    whole = READERS["a backup"].whole
    at = whole.rindex(MANIFEST.encode(), 0, whole.index(b"PK\x01\x02")) + len(MANIFEST)
    with pytest.raises(BackupProblem, match="not a complete Clubnight backup"):
        unpacked(whole[:at] + b"\xff" + whole[at + 1 :])


@pytest.mark.parametrize("name", READERS)
def test_the_whole_file_is_read(name):
    """Otherwise only refusals would be tested."""
    reader = READERS[name]
    if name == "an event":
        with pytest.raises(ArbiterProblem, match="event"):
            reader.read(reader.whole)
    else:
        assert reader.read(reader.whole) is not None
