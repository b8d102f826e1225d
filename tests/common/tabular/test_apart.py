"""Heavy workbooks are read elsewhere, and not for ever."""

from __future__ import annotations

import io

import pytest
from openpyxl import Workbook

from common.tabular import apart
from common.tabular.apart import is_heavy, read_apart
from common.tabular.spreadsheets import LARGEST_UNPACKED, MOST_ROWS, read_here, read_table

pytestmark = pytest.mark.one_database


def workbook(*rows: list[object]) -> bytes:
    book, file = Workbook(), io.BytesIO()
    for row in rows:
        book.active.append(row)
    book.save(file)
    return file.getvalue()


LIST = workbook(["Name", "Rating"], ["Łoś, Jan", 1850], [None, "=1+1"])


def test_what_takes_too_long_is_ended_and_refused_with_words():
    with pytest.raises(apart.Unreadable, match="too much in this file"):
        read_apart(LIST, most_rows=MOST_ROWS, most_bytes=LARGEST_UNPACKED, seconds=0)


def test_it_is_the_same_table(monkeypatch):
    monkeypatch.setattr(apart, "HEAVY", 0)
    assert read_table(LIST) == read_here(LIST, most_rows=MOST_ROWS, most_bytes=LARGEST_UNPACKED)
    assert "formula without a result" in read_table(LIST).problems[0].message


def test_what_is_small_or_no_workbook_is_read_here():
    assert not is_heavy(LIST)
    assert not is_heavy(b"Name;Rating\n" * 1_000_000)
    assert not is_heavy(b"PK\x03\x04" + bytes(100))
    assert is_heavy(workbook(["x" * 30_000] * 100))
    assert is_heavy(b"\xd0\xcf\x11\xe0" + bytes(apart.HEAVY))
