"""OpenDocument tables: what is read, and what would fill the memory."""

from __future__ import annotations

import io
import zipfile

import pytest

from common.tabular.spreadsheets import read_table

NAMES = " ".join(
    f'xmlns:{short}="urn:oasis:names:tc:opendocument:xmlns:{long}:1.0"'
    for short, long in (("office", "office"), ("table", "table"), ("text", "text"))
)


def ods(rows: str, *, before: str = "", sheets: str = "") -> bytes:
    """The first sheet of a file as LibreOffice writes it."""
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w", zipfile.ZIP_DEFLATED) as parts:
        parts.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet", zipfile.ZIP_STORED)
        parts.writestr(
            "content.xml",
            f'<?xml version="1.0" encoding="UTF-8"?>{before}<office:document-content {NAMES}><office:body>'
            f'<office:spreadsheet><table:table table:name="Sheet1">{rows}</table:table>{sheets}'
            "</office:spreadsheet></office:body></office:document-content>",
        )
    return kept.getvalue()


def cell(text: str = "", more: str = "") -> str:
    return f"<table:table-cell {more}>{f'<text:p>{text}</text:p>' if text else ''}</table:table-cell>"


def row(*cells: str, more: str = "") -> str:
    return f"<table:table-row {more}>{''.join(cells)}</table:table-row>"


REPEATED_ROWS, REPEATED_CELLS = 'table:number-rows-repeated="{}"', 'table:number-columns-repeated="{}"'
HEADINGS = row(cell("Name"), cell("Rating"))


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (row(cell("x", REPEATED_CELLS.format(10**9))), "row 1: The table has more than 200 columns"),
        (HEADINGS + row(cell("x"), more=REPEATED_ROWS.format(10**9)), "row 2: The table has more than"),
        (HEADINGS + row(cell("x")) * 20_010, "The table has more than 20000 rows"),
        (row(cell() * 5_000, cell("x")), "row 1: The table has more than 200 columns"),
        (row(cell("#DIV/0!", 'table:formula="of:=1/0"')), "contains an error: #DIV/0!"),
        ("", "This file is empty"),
        (row(cell(), more=REPEATED_ROWS.format(1_048_576)), "This file is empty"),
        ("<table:table-row>", "damaged"),
        (row(cell("x", REPEATED_CELLS.format("many"))), "damaged"),
    ],
)
def test_what_is_no_table_of_people_is_refused_with_its_place(rows, said):
    table = read_table(ods(rows))
    assert table.lines == ()
    assert said in str(table.problems[0])


def test_words_that_stand_for_more_words_are_not_read():
    bomb = '<!DOCTYPE a [<!ENTITY b "bbbbbbbbbb"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]>'
    assert "damaged" in str(read_table(ods(row(cell("&c;")), before=bomb)).problems[0])


def test_cells_as_they_are_shown():
    number = cell("1 875", 'office:value-type="float" office:value="1875"')
    day = cell("28.03.11", 'office:value-type="date" office:date-value="2011-03-28T00:00:00"')
    end = row(cell("", REPEATED_CELLS.format(16_384)), more=REPEATED_ROWS.format(1_048_570))
    gap = row(cell("", REPEATED_CELLS.format(3)), more=REPEATED_ROWS.format(2))
    people = row(cell("Łoś, Ж&amp;ř"), cell("", REPEATED_CELLS.format(2)), number, day)
    other = "<table:table>" + row(cell("another sheet")) + "</table:table>"
    table = read_table(ods(HEADINGS + gap + people + end, sheets=other))
    assert (table.kind, table.problems) == ("ods", ())
    assert [(line.line, line.cells) for line in table.lines] == [
        (1, ("Name", "Rating")),
        (4, ("Łoś, Ж&ř", "", "", "1875", "2011-03-28")),
    ]
