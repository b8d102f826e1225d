"""Rating lists as published and as damaged: every refusal names its line."""

from __future__ import annotations

import io
import re
import zipfile

import pytest

from clubs.models import RatingRegister
from clubs.rating.lists.fide_text import read_fide_text_list
from clubs.rating.lists.fide_xml import read_fide_xml_list
from clubs.rating.lists.list_files import open_list_file
from clubs.rating.lists.national_lists import KNOWN_LIST_FORMATS, detect_list_format, read_national_list
from clubs.rating.lists.player_lines import (
    ListedPlayerLine,
    NotARatingList,
    RatingListLineProblem,
    UnusableRatingListLine,
    _year,
)
from lab.made_up_list import HEADER, lines

ONE_KIND = (
    "ID Number      Name                                                         "
    "Fed Sex Tit  WTit OTit           FOA NOV26 Gms K  B-day Flag"
)


def text_line(number="1100", name="Pionek, Jan", rating="1850", kind_columns=3, factor=20) -> str:
    tail = f"{rating:<6}{0:<4}{factor:<3}" * kind_columns
    return f"{number:<15}{name:<61}{'POL':<4}{'F':<4}{'WFM':<5}{'WFM':<5}{'':<15}{'':<4}{tail}{'1990':<6}{'w':<4}"


def read(*texts: str, kind: str = "", after: int = 0) -> list:
    return list(read_fide_text_list([f"{text}\r\n".encode("latin-1") for text in texts], kind, after=after))


XML = """<playerslist>
<player><fideid>1100</fideid><name>Pionek, Jan</name><country>POL</country><sex>M</sex><title></title>
<w_title></w_title><o_title></o_title><foa_title></foa_title>
<rating>1850</rating><games>0</games><k>20</k><rapid_rating>0</rapid_rating><rapid_games>0</rapid_games><rapid_k>20</rapid_k>
<blitz_rating>1900</blitz_rating><blitz_games>0</blitz_games><blitz_k>20</blitz_k><birthday>1990</birthday><flag></flag></player>
<player><fideid>1101</fideid><name>D&apos;Wie&#380;a, Ola</name><country>CZE</country><sex>F</sex><title>WGM</title>
<rating>x</rating><rapid_rating></rapid_rating><blitz_rating></blitz_rating><birthday>0</birthday><flag>wi</flag></player>
<player><fideid>1102</fideid><name>D&apos;Wie&#380;a, Ola</name><country>CZE</country><sex>F</sex><title>WGM</title>
<rating>2300</rating><rapid_rating></rapid_rating><blitz_rating></blitz_rating><birthday>0</birthday><flag>wi</flag></player>
</playerslist>
"""


# -- Refused ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("header", ["", "Name Rating", "ID Number  Fed  SRtng", "ID Number      Name   Fed  B-day"])
def test_a_text_without_fides_header_is_no_list(header):
    with pytest.raises(NotARatingList) as refused:
        read(header, text_line())
    assert refused.value.line == 1


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        (text_line(number=""), RatingListLineProblem.NO_NUMBER),
        (text_line(name=""), RatingListLineProblem.NO_NAME),
        (text_line(rating="18OO"), RatingListLineProblem.BAD_RATING),
        (text_line(rating="9999"), RatingListLineProblem.BAD_RATING),
        (text_line(rating="-100"), RatingListLineProblem.BAD_RATING),
        ("1100 Pionek", RatingListLineProblem.BAD_LINE),
        ("x" * 500, RatingListLineProblem.BAD_LINE),
    ],
)
def test_a_bad_line_is_told_with_its_number_and_the_next_is_read(line, wrong):
    bad, good = read(HEADER, line, text_line())
    assert isinstance(bad, UnusableRatingListLine)
    assert (bad.line, bad.problem) == (2, wrong)
    assert (good.line, good.number) == (3, "1100")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("<players></players>", 1),
        ("<playerslist>\n<player><fideid>1</player></playerslist>", 2),
        ("<playerslist>\n<player>\n", 3),
        ('<!DOCTYPE x [\n<!ENTITY a "b">]><playerslist/>', 2),
        ("no xml", 1),
    ],
)
def test_damaged_xml_is_refused_with_its_line(text, line):
    with pytest.raises(NotARatingList) as refused:
        list(read_fide_xml_list([text.encode()], ""))
    assert refused.value.line == line


def test_a_zip_file_without_a_list_is_refused(tmp_path):
    zipfile.ZipFile(tmp_path / "empty.zip", "w").close()
    with pytest.raises(NotARatingList), open_list_file(tmp_path / "empty.zip"):
        pass


def test_a_national_list_of_endless_texts_is_refused():
    with pytest.raises(NotARatingList):
        list(read_national_list([b'ID;Name\n7;"' + b"x" * 200_000], {"number": 0, "name": 1}, "elo"))


def test_a_heading_that_no_column_has_is_named():
    """A federation's list has other columns this year: a message says so, and nothing is read by position."""
    columns = {"number": "ID", "name": "Spielername", "standard": "DWZ", "separator": ",", "headings": 2}
    with pytest.raises(NotARatingList, match="line 2: a column named “DWZ” expected"):
        list(read_national_list([b"Stand Oktober\nID,Spielername,DWZ-neu\n7,Pionek,1850\n"], columns, "elo"))


@pytest.mark.parametrize(
    ("row", "wrong"),
    [
        (";Pionek;1850", RatingListLineProblem.NO_NUMBER),
        ("7;;1850", RatingListLineProblem.NO_NAME),
        ("7;Pionek;many", RatingListLineProblem.BAD_RATING),
        ("7;Pionek;NaN", RatingListLineProblem.BAD_RATING),
        ("7", RatingListLineProblem.BAD_LINE),
        ('7;"Pionek;1850', RatingListLineProblem.BAD_LINE),
    ],
)
def test_a_bad_row_of_a_national_list_is_told_with_its_number(row, wrong):
    columns = {"number": 0, "name": 1, "standard": 2}
    bad, good = read_national_list([f"ID;Name;Elo\n{row}\n8;Goniec;1900\n".encode()], columns, "elo")
    assert (bad.line, bad.problem) == (2, wrong)
    assert good.number == "8"


# -- Read ------------------------------------------------------------------------------------------------------------


def test_a_combined_list():
    (player,) = read(HEADER, text_line())
    assert player == ListedPlayerLine(
        line=2,
        number="1100",
        name="Pionek, Jan",
        federation="POL",
        sex="w",
        title="WFM",
        birth_year=1990,
        ratings={"standard": 1850, "rapid": 1850, "blitz": 1850},
        factors={"standard": 20, "rapid": 20, "blitz": 20},
    )


def test_a_list_of_one_kind_gives_that_kind_alone():
    (player,) = read(ONE_KIND, text_line(kind_columns=1), kind="rapid")
    assert player.ratings == {"rapid": 1850}
    assert player.birth_year == 1990
    one_kind = re.sub(r"<(rapid|blitz)_\w+>.*?</\w+>|<player><fideid>110[12].*?</player>", "", XML, flags=re.DOTALL)
    (player,) = read_fide_xml_list([one_kind.encode()], "rapid")
    assert (player.ratings, player.factors) == ({"rapid": 1850}, {"rapid": 20})


def test_a_list_without_the_column_of_online_titles():
    """The older layout: everything after it is four places further left."""
    header = HEADER.replace("FOA ", "")
    line = text_line()
    (player,) = read(header, line[:109] + line[113:])
    assert player.ratings == {"standard": 1850, "rapid": 1850, "blitz": 1850}


def test_reading_goes_on_behind_a_line():
    assert [player.line for player in read(HEADER, *(text_line(number=str(n)) for n in range(1, 6)), after=4)] == [5, 6]


@pytest.mark.parametrize("size", [7, 64, 100_000])
def test_xml_in_pieces(size):
    data = XML.encode()
    first, bad, last = read_fide_xml_list((data[n : n + size] for n in range(0, len(data), size)), "")
    assert first.ratings == {"standard": 1850, "rapid": 0, "blitz": 1900}
    assert (bad.line, bad.problem) == (2, RatingListLineProblem.BAD_RATING)
    assert (last.name, last.title, last.birth_year, last.line) == ("D'Wieża, Ola", "WGM", None, 3)
    assert [player.line for player in read_fide_xml_list([data], "", after=2)] == [3]


def test_a_zipped_list_is_unpacked_as_it_is_read(tmp_path):
    with zipfile.ZipFile(tmp_path / "list.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("readme.txt", "short")
        archive.writestr("players_list_foa.txt", HEADER + "\r\n" + "".join(lines(50)))
    with open_list_file(tmp_path / "list.zip") as (file, size):
        assert size > 8_000
        assert len(list(read_fide_text_list(file, ""))) == 50


@pytest.mark.parametrize(
    ("scale", "cell", "elo"),
    [
        (RatingRegister.Scale.ELO, "1850", 1850),
        (RatingRegister.Scale.INGO, "100", 2040),
        (RatingRegister.Scale.INGO, "112,5", 1940),
        (RatingRegister.Scale.BCF, "150", 1800),
        (RatingRegister.Scale.BCF, "", 0),
        (RatingRegister.Scale.INGO, "-", 0),
    ],
)
def test_scales_of_national_lists(scale, cell, elo):
    columns = {"number": 0, "name": 1, "given_name": 2, "standard": 3, "separator": ";", "headings": 0}
    (player,) = read_national_list([f"A-17;Żółć;Grażyna;{cell}".encode()], columns, scale)
    assert (player.number, player.name, player.ratings) == ("A-17", "Żółć, Grażyna", {"standard": elo})


@pytest.mark.parametrize(
    ("known", "text", "encoding"),
    [
        (
            "DSB (spieler.csv)",
            "ID,VKZ,Mgl-Nr,Status,Spielername,Geschlecht,Spielberechtigung,Geburtsjahr,Letzte-Auswertung,DWZ,Index,"
            'FIDE-Elo,FIDE-Titel,FIDE-ID,FIDE-Land\n7,70101,12,A,"Schäfer,Ulrike",W,D,1988,202610,1850,41,1902,WFM,1,GER',
            "cp1252",
        ),
        (
            "Swiss-Manager (ID_No; Name; Rtg_Nat; ...)",
            "ID_No;Name;Fed;Sex;Clubnumber;ClubName;Birthday;Rtg_Nat;Fide_No;Rtg_Int;Title;Type;Status;K;\n"
            "7;Schäfer, Ulrike;GER;w;3;Wieża;1988/04/01;1850;1;1902;WFM;;A;20;",
            "utf-8",
        ),
    ],
)
def test_known_lists_are_read_by_their_headings(known, text, encoding):
    data = text.encode(encoding)
    told = detect_list_format({**KNOWN_LIST_FORMATS[known], "separator": "", "encoding": "", "headings": 1}, data)
    (player,) = read_national_list([data], told, "elo")
    assert (player.number, player.name, player.ratings) == ("7", "Schäfer, Ulrike", {"standard": 1850})
    assert (player.federation, player.sex, player.title, player.birth_year) == ("GER", "w", "WFM", 1988)


def test_a_clubs_list_of_the_dsb_is_read_by_its_headings():
    data = (
        "id|nachname|vorname|titel|verein|mglnr|status|dwz|dwzindex|turniercode|turnierende|fideid|fideelo|fidetitel\n"
        "7|Schäfer|Ulrike||70101|12|A|1850|41|C001-101-ABC|2026-10-11|1|1902|WFM\n"
    ).encode()
    known = {**KNOWN_LIST_FORMATS["DSB (id|nachname|vorname|...)"], "separator": "", "encoding": "", "headings": 1}
    (player,) = read_national_list([data], detect_list_format(known, data), "elo")
    assert (player.number, player.name, player.ratings) == ("7", "Schäfer, Ulrike", {"standard": 1850})
    assert player.title == "WFM"


def test_titles_of_officials_that_push_a_line_to_the_right_move_no_rating():
    """Three lines of FIDE's combined list of October 2026 are one character longer than the others."""
    line = text_line().replace(f"{'':<15}{'':<4}1850", f"{'SI,FI,LSI,SLI,NAAFM':<20}1850")
    (player,) = read(HEADER, line)
    assert len(line) == len(text_line()) + 1
    assert player.ratings == {"standard": 1850, "rapid": 1850, "blitz": 1850}
    assert (player.birth_year, player.factors) == (1990, {"standard": 20, "rapid": 20, "blitz": 20})


def test_a_list_by_headings_that_was_stopped_goes_on_with_the_same_columns():
    columns = {"number": "Nr.", "name": "JMÉNO", "standard": 2, "headings": 1}
    (player,) = read_national_list(
        ["Elo;Jméno;Národní;nr\n1;Šach;1900;5\n2;Mat;1800;6\n".encode()], columns, "elo", after=2
    )
    assert (player.number, player.name, player.ratings) == ("6", "Mat", {"standard": 1800})


def test_a_national_list_in_another_encoding():
    columns = {"number": 0, "name": 1, "encoding": "cp1250", "separator": "\t"}
    (player,) = read_national_list([io.BytesIO("ID\tJméno\n7\tŠťastný".encode("cp1250")).read()], columns, "elo")
    assert player.name == "Šťastný"


@pytest.mark.parametrize(
    ("text", "year"),
    [
        ("1990", 1990),
        ("1990-02-03", 1990),
        ("03.02.1990", 1990),
        ("0", None),
        ("", None),
        ("90", None),
        ("1849", None),
        ("1850", 1850),
        ("2100", 2100),
        ("2101", None),
        ("١٩٩٠", None),
    ],
)
def test_the_year_is_found_wherever_it_stands_in_a_date(text: str, year: int | None):
    assert _year(text) == year


def test_a_title_above_the_headings_says_nothing_of_what_parts_the_columns():
    data = "Lista, stan, na, dziś, i, jutro\nNr;Nazwisko;Ranking\n1;Nikt, Jan;1900\n".encode()
    assert detect_list_format({"separator": "", "encoding": "", "headings": 2}, data)["separator"] == ";"
