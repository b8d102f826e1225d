"""Heavy files are read elsewhere, once, and not for ever."""

from __future__ import annotations

import io
import subprocess
import zipfile

import pytest
from openpyxl import Workbook

from common.tabular import spreadsheets, subprocess_reader
from common.tabular.reader_process import MAX_RESULT_BYTES
from common.tabular.spreadsheets import MAX_ROWS, MAX_UNPACKED_BYTES, read_table, read_table_in_process
from common.tabular.subprocess_reader import is_light, read_in_subprocess
from common.tabular.text_tables import UnreadableTable

pytestmark = pytest.mark.one_database

READER = "common.tabular.spreadsheets.table_as_json"
LIMITS = {"most_rows": MAX_ROWS, "most_bytes": MAX_UNPACKED_BYTES}


@pytest.fixture(autouse=True)
def var(settings, tmp_path) -> None:
    settings.VAR_DIR = tmp_path


def workbook(*rows: list[object]) -> bytes:
    book, file = Workbook(), io.BytesIO()
    for row in rows:
        book.active.append(row)
    book.save(file)
    return file.getvalue()


LIST = workbook(["Name", "Rating"], ["Łoś, Jan", 1850], [None, "=1+1"])


def with_empty_cells(rows: int, columns: int) -> bytes:
    """A small file that holds as many cells as these, none of which has anything in it."""
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(LIST)) as old, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            part = old.read(name)
            if name == "xl/worksheets/sheet1.xml":
                row = b"<row>" + b"<c/>" * columns + b"</row>"
                part = part.replace(b"</sheetData>", row * rows + b"</sheetData>")
            new.writestr(name, part)
    return packed.getvalue()


def test_what_takes_too_long_is_ended_and_refused_with_words():
    with pytest.raises(UnreadableTable, match="Save the sheet with the list as a separate file, or as CSV"):
        read_in_subprocess(READER, LIST, seconds=0, **LIMITS)


def test_it_is_the_same_table_and_read_once(monkeypatch):
    monkeypatch.setattr(subprocess_reader, "LIGHT_BYTES", 0)
    text = "Name;Rating\nŁoś, Jan;1850\n".encode("cp1250")
    for data in (LIST, text):
        assert read_table(data) == read_table_in_process(data, **LIMITS)
    assert "formula without a result" in read_table(LIST).problems[0].message

    def again(*_args: object, **_more: object) -> None:
        raise AssertionError("read a second time")

    monkeypatch.setattr(subprocess, "run", again)
    assert read_table(text).encoding == "cp1250"


def test_what_is_refused_is_not_tried_again_and_again(monkeypatch):
    runs = []

    def fails(command: list[str], **_more: object) -> None:
        runs.append(command)
        raise subprocess.CalledProcessError(-9, command)

    monkeypatch.setattr(subprocess, "run", fails)
    for _again in range(2):
        with pytest.raises(UnreadableTable):
            read_in_subprocess(READER, LIST, **LIMITS)
    assert len(runs) == 1


def test_only_what_is_small_is_read_here():
    assert is_light(LIST)
    assert is_light(b"PK\x03\x04" + bytes(100))
    assert not is_light(b"Name;Rating\n" * 10_000)
    assert not is_light(workbook(["x" * 30_000] * 3))
    assert not is_light(b"\xd0\xcf\x11\xe0" + bytes(subprocess_reader.LIGHT_BYTES))
    assert not is_light(b"SQLite format 3\0" + bytes(100)), "a small database can compute for long"


def test_a_result_that_is_too_long_is_refused():
    with pytest.raises(UnreadableTable, match="too large"):
        read_in_subprocess(f"{__name__}.long_result", b"", letters=MAX_RESULT_BYTES)
    assert read_in_subprocess(f"{__name__}.long_result", b"", letters=10) == "x" * 10


def long_result(_data: bytes, *, letters: int) -> str:
    return "x" * letters


def test_six_kilobytes_of_empty_cells_are_not_opened_by_a_page(monkeypatch):
    """2,450 rows of 190 cells kept a process of the pages for six seconds."""
    data = with_empty_cells(2_450, 190)
    assert len(data) < 16_000
    assert not is_light(data)
    monkeypatch.setattr(spreadsheets, "read_table_in_process", None)
    assert [str(problem) for problem in read_table(data).problems] == ["The file is too large."]


def test_cells_are_counted_before_the_library_makes_an_object_of_each(monkeypatch):
    monkeypatch.setattr("openpyxl.load_workbook", None)
    table = read_table_in_process(with_empty_cells(2_450, 190), **LIMITS)
    assert [str(problem) for problem in table.problems] == ["The file is too large."]


def test_letters_of_other_scripts_are_not_escaped(tmp_path):
    """Escaped, they take six bytes each, and a list of 150,000 Cyrillic names was refused as too large."""
    told = read_in_subprocess(READER, workbook(["Име"], ["Поплавски, Яна"]), **LIMITS)
    assert "Поплавски, Яна" in str(told)
    (kept,) = (path for path in tmp_path.rglob("*") if path.is_file())
    assert "Поплавски, Яна".encode() in kept.read_bytes()
