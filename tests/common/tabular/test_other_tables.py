"""Tables in web pages, DBF, XML, and texts with columns aligned by spaces."""

from __future__ import annotations

import struct

import pytest

from common.file_store.stores import FolderFileStore, StoredFileHandle
from common.tabular import text_conversion
from common.tabular.spreadsheets import read_table
from common.tabular.text_conversion import UnconvertibleFile, convert_file_to_text
from common.tabular.text_tables import UnreadableTable
from common.tabular.xml_tables import read_xml_rows

PEOPLE = (("ID", "NAZWISKO", "ELO"), ("17", "Łoś-Żądło, Jan", "1500"), ("18", "Ćma, Ewa", "1600"))


def dbf(rows=PEOPLE, *, encoding="cp1250", language=0xC8, kinds=b"CCN", deleted=()) -> bytes:
    """A dBase III file, written from the description of the format."""
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    fields = b"".join(
        struct.pack("<11sc4xBB14x", name.encode(), kinds[place : place + 1], widths[place], 0)
        for place, name in enumerate(rows[0])
    )
    header = struct.pack("<BxxxIHH17xB2x", 3, len(rows) - 1, 32 + len(fields) + 1, 1 + sum(widths), language)
    records = b"".join(
        (b"*" if number in deleted else b" ")
        + b"".join(cell.ljust(width).encode(encoding) for cell, width in zip(row, widths, strict=True))
        for number, row in enumerate(rows[1:])
    )
    return header + fields + b"\r" + records + b"\x1a"


def cells(data: bytes) -> list[tuple[str, ...]]:
    table = read_table(data)
    assert not table.problems, table.problems
    return [row.cells for row in table.lines]


@pytest.mark.parametrize(("encoding", "language"), [("cp1250", 0xC8), ("cp852", 0x64), ("cp1250", 0), ("cp852", 0)])
def test_a_dbf_in_the_letters_it_says_or_shows(encoding, language):
    assert cells(dbf(encoding=encoding, language=language)) == list(PEOPLE)
    assert read_table(dbf(encoding=encoding, language=language)).encoding == encoding


def test_one_letter_shows_the_letters_of_a_dbf():
    """The first byte above ASCII: a letter in MS-DOS, and the euro sign in Windows."""
    rows = (("ID", "NAZWISKO"), ("1", "Çelik, Jan"), ("2", "Nikt, Ewa"))
    assert read_table(dbf(rows, encoding="cp852", language=0)).encoding == "cp852"


def test_deleted_records_of_a_dbf_are_gone_and_days_are_days():
    rows = (("ID", "NAME", "BORN"), ("1", "A", "20010203"), ("2", "B", "20010204"))
    assert cells(dbf(rows, kinds=b"CCD", deleted={0})) == [rows[0], ("2", "B", "2001-02-04")]


@pytest.mark.parametrize(
    "data",
    [
        dbf(kinds=b"CMN"),
        dbf()[:70] + b"\xff" * 30,
        b"<table><tr><td>only one line</td></tr></table>",
        b"<html><body>No table</body></html>",
        b"<table>" + b"<tr><td colspan=999>x</td></tr>" * 3 + b"</table>",
        b"<?xml version='1.0'?><list><player><id>1</id><name>A</name></player>",
        b"<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b 'c'>]><a><p x='1' y='2'/></a>",
        b"<list></list>",
    ],
)
def test_what_is_broken_is_refused_with_a_sentence(data):
    table = read_table(data)
    assert table.problems or all(len(row.cells) < 3 for row in table.lines)
    assert "Traceback" not in str(table.problems)


def test_a_page_of_endless_tables_is_refused():
    table = b"<table><tr><td>ID<td>NAME<td>ELO</tr><tr><td>1<td>A<td>9</tr></table>"
    assert not read_table(table * 2_000).problems
    assert "too large" in str(read_table(table * 2_002).problems)


def test_of_a_page_the_table_of_people_is_taken():
    page = """<!DOCTYPE html><html><head><meta charset="windows-1250"></head><body><table><tr><td>
      <table><tr><td>Menu</td></tr><tr><td>More</td></tr><tr><td>Much more</td></tr></table></td><td>
      <table><tr><th>Lp.</th><th>Nazwisko</th><th>Rtg</th></tr>
      <tr><td>1<td>Łoś&nbsp;Żądło,<br>Jan<td>1500<tr><td>2</td><td><a href=x>Ćma &amp; Syn</a></td><td></td></tr>
      </table></td></tr></table><script>var a = "<table>";</script></body></html>"""
    rows = [("Lp.", "Nazwisko", "Rtg"), ("1", "Łoś Żądło, Jan", "1500"), ("2", "Ćma & Syn", "")]
    assert cells(page.encode("cp1250")) == rows


def test_xml_of_any_names():
    data = """<?xml version="1.0" encoding="windows-1250"?><rating date="2026-11"><made>x</made><players>
      <player id="17"><name>Łoś, Jan</name><club><name>Wieża</name></club></player>
      <player id="18"><name>Ćma, Ewa</name><elo>1600</elo></player></players></rating>"""
    assert cells(data.encode("cp1250")) == [
        ("id", "name", "club/name", "elo"),
        ("17", "Łoś, Jan", "Wieża", ""),
        ("18", "Ćma, Ewa", "", "1600"),
    ]


def test_a_text_whose_columns_blanks_set():
    text = """Turniej próbny

 ID  NAME                 FED  Elo   BIRTHDAY
  1  Łoś-Żądło Jan        POL  1500  1990
 12  Ćma Ewa              CZE        2001
  3  van der Dokąd Ola    NED   900  1985
"""
    told = read_table(text.encode("cp1250"))
    assert (told.kind, told.encoding) == ("txt", "cp1250")
    assert [row.cells for row in told.lines[1:]] == [
        ("ID", "NAME", "FED", "Elo", "BIRTHDAY"),
        ("1", "Łoś-Żądło Jan", "POL", "1500", "1990"),
        ("12", "Ćma Ewa", "CZE", "", "2001"),
        ("3", "van der Dokąd Ola", "NED", "900", "1985"),
    ]


def test_more_columns_than_a_table_may_have_are_told_apart_from_damage():
    with pytest.raises(UnreadableTable, match="more than 2 columns"):
        list(read_xml_rows(b"<a><b x='1' y='2' z='3'/></a>", most_rows=9, most_columns=2))


def test_what_holds_nothing_is_not_written_down(tmp_path):
    shelf = FolderFileStore(tmp_path)
    shelf.save_file("list", [b'<?xml version="1.0"?><players></players>'])
    with pytest.raises(UnconvertibleFile, match="This file is empty"):
        convert_file_to_text(StoredFileHandle(shelf, "list"))


def test_a_page_is_written_down_also_where_its_lines_are_full_of_marks(tmp_path):
    shelf = FolderFileStore(tmp_path)
    page = "<table><tr><td>ID</td><td>Name&nbsp;&nbsp;</td></tr>\n<tr><td>1</td><td>A,&nbsp;&nbsp;B,</td></tr></table>"
    shelf.save_file("list", [page.encode()])
    assert convert_file_to_text(StoredFileHandle(shelf, "list")) == "html"
    shelf.save_file("list", [b"ID;Name;Elo\n1;A;9\n"])
    assert convert_file_to_text(StoredFileHandle(shelf, "list")) == ""


def test_a_list_with_too_many_rows_is_refused_with_the_way_out(tmp_path, monkeypatch):
    monkeypatch.setattr(text_conversion, "MAX_ROWS", 3)
    shelf = FolderFileStore(tmp_path)
    shelf.save_file("list", [b"<list>" + b"<p><id>1</id><name>B</name></p>" * 4 + b"</list>"])
    with pytest.raises(UnconvertibleFile, match=r"more than 3 rows.*Save it as CSV"):
        convert_file_to_text(StoredFileHandle(shelf, "list"))
