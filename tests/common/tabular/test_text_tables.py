"""Tables in text files: what all their readers rely on."""

from __future__ import annotations

import codecs

import pytest

from common.tabular.text_tables import (
    MAX_LINE_LENGTH,
    UnreadableTable,
    detect_separator,
    escape_formula,
    parse_table_rows,
    read_text_table,
    split_text_lines,
    unescape_formula,
)


def rows(text: str, separator: str = ";") -> list[tuple[int, tuple[str, ...], bool]]:
    return [(row.line, row.cells, bool(row.problem)) for row in parse_table_rows(split_text_lines([text]), separator)]


@pytest.mark.parametrize("line", ['"Kot;1', '"Kot" Ala;1', 'Kot;"1', '"' + "x" * (MAX_LINE_LENGTH - 1)])
def test_a_line_whose_marks_do_not_close_takes_no_other_with_it(line):
    read = rows(f'name;rating\n{line}\nPies;2\n\n\'Koza;"3"\n')
    assert [(number, wrong) for number, _cells, wrong in read] == [
        (1, False),
        (2, True),
        (3, False),
        (4, False),
        (5, False),
    ]
    assert read[1][1] == (line,)
    assert [cells for _number, cells, _wrong in read[2:]] == [("Pies", "2"), (), ("'Koza", "3")]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("A,=1+1,B", "A,'=1+1,B"),
        ("x,\u00a0+1|cmd", "x,'\u00a0+1|cmd"),
        ("=1,\t@b", "'=1,\t'@b"),
        ("Kot, -abc", "Kot,' -abc"),
        ("x\n=cmd|'/C calc'!A0\ny", "x\n'=cmd|'/C calc'!A0\ny"),
        ("x\r\n@b", "x\r\n'@b"),
        ("Kot,'=1,=2", "Kot,''=1,'=2"),
        *(
            (same, same)
            for same in ("Kot, Ala", "round 1, -5, +48 600", "a=b", "1-0, 0-1", "Kot, -", "ul. 1\n-5", "a,'b")
        ),
    ],
)
def test_what_would_begin_a_formula_where_commas_part_cells_is_guarded_too(text, written):
    assert escape_formula(text) == written
    assert unescape_formula(written) == text


def test_a_mark_that_closes_only_far_below_is_not_closed():
    text = '"Kot\n' + "Pies;1500\n" * (MAX_LINE_LENGTH // 10) + '"\n'
    read = rows(text)
    assert (read[0], read[1]) == ((1, ('"Kot',), True), (2, ("Pies", "1500"), False))
    assert len(read) == MAX_LINE_LENGTH // 10 + 2


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_cell_over_several_lines_counts_them(end):
    text = end.join(['1; "two', 'lines; ""quoted"""', "3;4"])
    assert [(line, len(cells)) for line, cells, _wrong in rows(text)] == [(1, 2), (3, 2)]
    assert rows(text)[0][1][1].splitlines() == ["two", 'lines; "quoted"']


@pytest.mark.parametrize("size", [1, 3, 100])
def test_lines_of_a_text_in_pieces(size):
    text = "ab\r\ncd\n\nef\rgh"
    pieces = [text[n : n + size] for n in range(0, len(text), size)]
    assert "".join(split_text_lines(pieces)) == text
    assert [line.strip() for line in split_text_lines(pieces)] == ["ab", "cd", "", "ef", "gh"]


@pytest.mark.parametrize("size", [7, 1000, 100_000])
def test_an_endless_line_is_told_by_its_number_before_more_is_read(size):
    pieces = (("a;b\n" * 3 + "x" * MAX_LINE_LENGTH * 3)[n : n + size] for n in range(0, MAX_LINE_LENGTH * 2, size))
    with pytest.raises(UnreadableTable) as refused:
        list(split_text_lines(pieces))
    assert refused.value.line == 4
    assert size > MAX_LINE_LENGTH or next(pieces)


def test_a_line_of_exactly_the_greatest_length():
    assert [len(line) for line in split_text_lines(["x" * MAX_LINE_LENGTH + "\r\n"])] == [MAX_LINE_LENGTH + 2]


@pytest.mark.parametrize(
    ("lines", "separator"),
    [
        (["name;rating", "Kot, Ala;1"], ";"),
        (["name", "Kot, Ala", "Pies, Azor"], ";"),
        (["name\trating", "Kot, Ala\t1", "a\tb"], "\t"),
        (['"Kot, Ala",1', '"Pies; Azor",2'], ","),
        (["a|b|c", "a|b;|c"], "|"),
        ([], ";"),
    ],
)
def test_what_parts_the_cells(lines, separator):
    assert detect_separator(lines) == separator


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        ("sep=|\na;b|Łoś".encode(), "utf-8-sig"),
        (codecs.BOM_UTF16_LE + "SEP=|\r\na;b|Łoś".encode("utf-16-le"), "utf-16"),
    ],
)
def test_a_line_may_say_the_separator(data, encoding):
    read, letters, separator = read_text_table(data)
    assert [(row.line, row.cells) for row in read] == [(2, ("a;b", "Łoś"))]
    assert (letters, separator) == (encoding, "|")
