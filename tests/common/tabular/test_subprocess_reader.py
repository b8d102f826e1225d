"""Large workbooks are read in another process, with a time limit."""

from __future__ import annotations

import io

import pytest
from openpyxl import Workbook

from common.tabular import subprocess_reader
from common.tabular.spreadsheets import MAX_ROWS, MAX_UNPACKED_BYTES, read_table, read_table_in_process
from common.tabular.subprocess_reader import is_large_workbook, read_table_in_subprocess

pytestmark = pytest.mark.one_database


def workbook(*rows: list[object]) -> bytes:
    book, file = Workbook(), io.BytesIO()
    for row in rows:
        book.active.append(row)
    book.save(file)
    return file.getvalue()


LIST = workbook(["Name", "Rating"], ["Łoś, Jan", 1850], [None, "=1+1"])


def test_what_takes_too_long_is_ended_and_refused_with_words():
    with pytest.raises(
        subprocess_reader.UnreadableTable, match="Save the sheet with the list as a separate file, or as CSV"
    ):
        read_table_in_subprocess(LIST, most_rows=MAX_ROWS, most_bytes=MAX_UNPACKED_BYTES, seconds=0)


def test_it_is_the_same_table(monkeypatch):
    monkeypatch.setattr(subprocess_reader, "LARGE_WORKBOOK_BYTES", 0)
    assert read_table(LIST) == read_table_in_process(LIST, most_rows=MAX_ROWS, most_bytes=MAX_UNPACKED_BYTES)
    assert "formula without a result" in read_table(LIST).problems[0].message


def test_what_is_small_or_no_workbook_is_read_here():
    assert not is_large_workbook(LIST)
    assert not is_large_workbook(b"Name;Rating\n" * 1_000_000)
    assert not is_large_workbook(b"PK\x03\x04" + bytes(100))
    assert is_large_workbook(workbook(["x" * 30_000] * 100))
    assert is_large_workbook(b"\xd0\xcf\x11\xe0" + bytes(subprocess_reader.LARGE_WORKBOOK_BYTES))
