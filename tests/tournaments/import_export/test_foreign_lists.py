"""Lists as other programs write them and as people paste them: the meaning of each column, and unclear ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from common.tabular.column_mapping import IGNORED_COLUMN
from common.tabular.file_responses import render_xlsx
from tests.factories import make_event, make_member
from tournaments.entries.enrolment import enter_pasted_list, preview_pasted_list
from tournaments.entries.player_rows import RowOutcome
from tournaments.import_export.file_import import apply_import, preview_import
from tournaments.models import Entry
from tournaments.problems import ArbiterProblem

TABLES = Path(__file__).parents[2] / "data" / "tables"
WITHOUT_A_RATING = "Name;Punkty rankingowe klubu\nKot, Ala;1875\nPies, Azor;1640"
"""Nobody knows this heading, and what stands under it looks like ratings."""


@pytest.fixture
def event(club):
    return make_event(club)


def rows_of(event, text, said=None):
    preview = preview_import(event, text.encode(), "players.csv", said)
    assert [str(error) for error in preview.errors] == []
    return preview.players


def facts(row):
    return row.name, row.title, row.federation, row.rating, row.birth, row.fide_id, row.sex, row.club_name


# -- Nothing in silence --------------------------------------------------------------------------------------------


def test_ratings_under_a_heading_that_nobody_knows_are_asked_about(event):
    preview = preview_import(event, WITHOUT_A_RATING.encode(), "players.csv")
    assert not preview.can_be_imported
    assert "Punkty rankingowe klubu" in str(preview.errors[0])
    with pytest.raises(ArbiterProblem, match="Choose what the column"):
        apply_import(event, WITHOUT_A_RATING.encode(), "players.csv", by=None)
    with pytest.raises(ArbiterProblem, match="Choose what the column"):
        enter_pasted_list(event, WITHOUT_A_RATING, by=None)
    assert not Entry.objects.exists()


@pytest.mark.parametrize(("kind", "rating"), [("rating", 1875), ("rating_national", 1875), (IGNORED_COLUMN, 0)])
def test_what_is_said_of_it_is_what_is_entered(event, kind, rating):
    apply_import(event, WITHOUT_A_RATING.encode(), "players.csv", by=None, column_kinds={"1": kind})
    assert event.entries.get(name="Kot, Ala").rating == rating


def test_unknown_headings_are_named(event):
    preview = preview_import(event, b"Name;Rtg;Gr;T-shirt\nKot, Ala;1500;;L", "players.csv")
    assert preview.can_be_imported
    assert [column.heading for column in preview.columns if column.is_unknown] == ["T-shirt"]
    assert "T-shirt" in preview.doubts[0]


def test_a_list_without_ratings_says_so(event):
    assert (
        "No column has ratings. New players will be entered without one"
        in preview_import(event, b"Name\nKot, Ala", "x.csv").doubts[0]
    )


def test_more_cells_than_headings_are_shown(event):
    preview = preview_import(event, b"Name;Rtg\nKot, Ala;1500\nPies, Azor;1400;FM", "players.csv")
    assert [(column.heading, column.kind) for column in preview.columns] == [
        ("Name", "name"),
        ("Rtg", "rating"),
        ("", "title"),
    ]


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ({"0": "rating"}, "Choose the column with the names"),
        ({"1": "rating", "2": "rating"}, "Two columns are set as “rating”"),
    ],
)
def test_what_is_said_must_fit_together(event, said, problem):
    preview = preview_import(event, b"Name;A;B\nKot, Ala;1500;1600", "players.csv", said)
    assert problem in "; ".join(str(error) for error in preview.errors)


def test_what_is_said_of_columns_that_are_not_there_changes_nothing(event):
    said = {"77": "rating", "x": "name", "1": "shoes"}
    assert rows_of(event, "Name;Rtg\nKot, Ala;1500", said)[0].rating == 1500


# -- Programs ------------------------------------------------------------------------------------------------------

KOT = ("Kot, Ala", "WFM", "POL", 1875, "1990", "1100012", "w", "Pod Wieżą")


@pytest.mark.parametrize(
    "headings",
    [
        "No.;;Name;FED;RtgI;RtgN;Birthday;FideID;sex;Club/City",
        "Nr.;Titel;Name;Land;EloI;EloN;Geb;FIDE-Nr.;Geschl.;Verein/Ort",
        "Nr;Tyt.;Nazwisko i imię;Fed;Rtg-Int;Rtg-Nat;Data ur.;ID FIDE;Płeć;Klub/Miasto",
        "Č.;Titul;Jméno;FED;Rtg_Int;Rtg_Nat;Rok nar.;FideID;Pohlaví;Klub/Místo",
        "Ном.;Титла;Име и фамилия;ФЕД;РейтингI;Рейтинг N;Роден;ФИДЕ ИД;Пол;Клуб/Град",
        "No.Ini.;Tít.;Nombre;FED;EloI;Elo nac.;F. nac.;Código FIDE;Sexo;Club/Ciudad",
        "Nr.;Titre;Nom;FED;Elo-FIDE;Elo nat.;Né le;Code FIDE;Sexe;Club/Ville",
        "N.;Titolo;Nome;Fed.;EloI;Elo naz.;Nato il;ID FIDE;Sesso;Circolo/Città",
        "№;Титул;Прізвище, ім'я;ФЕД;Рейтинг ФІДЕ;Нац. рейтинг;Дата народження;Код ФІДЕ;Стать;Клуб/Місто",
    ],
)
def test_chess_results_in_the_languages_of_the_pages(event, headings):
    headings = headings.replace("РейтингI", "Рейтинг")
    text = f"{headings}\n1;WFM;Kot, Ala;POL;1875;1900;1990/00/00;1100012;w;Pod Wieżą\n"
    (row,) = rows_of(event, text + "2;;Pies, Azor;;0;1640;;0;;")[:1]
    assert facts(row) == KOT
    other = rows_of(event, text + "2;;Pies, Azor;;0;1640;;0;;")[1]
    assert facts(other) == ("Pies, Azor", "", "", 1640, "", "", "", "")


def test_a_spreadsheet_of_chess_results_with_what_stands_above_and_below(event):
    lines = [
        ["", "", "Kot, Ala", "POL", 1875],
        ["", "AFM", "Pies, Azor", "CZE", 0],
        ["Program Swiss-Manager, all details at chess-results.com"],
    ]
    data = render_xlsx(
        ["From the Tournament-Results-Server"],
        [["Środowy Open"], ["Starting rank"], ["No.", "", "Name", "FED", "Rtg"], *lines],
        title="list",
    )
    preview = preview_import(event, data, "chessResultsList.xlsx")
    assert [str(error) for error in preview.errors] == []
    assert [(row.line, row.name, row.title, row.rating) for row in preview.players] == [
        (5, "Kot, Ala", "", 1875),
        (6, "Pies, Azor", "", 0),
    ]
    assert preview.passed_over == (1, 2, 3, 7)
    assert "AFM" in str(preview.warnings[0])


def test_an_old_spreadsheet_of_chess_results(event):
    preview = preview_import(event, (TABLES / "swiss_manager.xls").read_bytes(), "list.xls")
    assert [str(error) for error in preview.errors] == []
    first, second = preview.players
    assert facts(first) == ("Kot, Ala", "WFM", "POL", 1875, "1990/03/07", "1100012", "w", "Pod Wieżą")
    assert facts(second) == ("Жеков, Петър", "", "BUL", 1640, "", "", "", "")
    assert preview.passed_over == (1, 2, 3, 8)


def test_an_old_spreadsheet_with_a_cell_far_out_is_refused(event):
    preview = preview_import(event, (TABLES / "far.xls").read_bytes(), "list.xls")
    assert "more than 200 columns" in str(preview.errors[0])


def test_swiss_manager(event, club):
    member = make_member(club, "Kotowa, Ala", national_id="PL-77")
    text = (
        "ID_No;Name;Sex;Fed;Clubnumber;ClubName;Birthday;Rtg_Nat;Fide_No;Rtg_Int\n"
        "PL-77;Kot, Ala;f;POL;0;Pod Wieżą;1990/03/07;1900;1100012;1875\n"
        "0;Pies, Azor;;CZE;0;;0;1640;0;0\n"
    )
    first, second = rows_of(event, text)
    assert facts(first) == ("Kot, Ala", "", "POL", 1875, "1990/03/07", "1100012", "w", "Pod Wieżą")
    assert (first.outcome, first.member) == (RowOutcome.MEMBER, member)
    assert (second.rating, second.fide_id, second.birth, second.national_id) == (1640, "", "", "")


def test_vega(event):
    text = (
        "NAME;COUNTRY;BIRTHDAY;GENDER;TITLE;IDFIDE;ELOFIDE;IDNAT;ELONAT;KCOEFF\n"
        "KOT ALA      ;POL;07.03.90;f;WFM; 1100012; 1875; 0; 0;20\n"
        "PIES AZOR    ;CZE;00.00.00;m; NC;       0;    0; 0;1640; 0\n"
    )
    first, second = rows_of(event, text)
    assert facts(first) == ("KOT ALA", "WFM", "POL", 1875, "1990/03/07", "1100012", "w", "")
    assert facts(second) == ("PIES AZOR", "", "CZE", 1640, "", "", "m", "")


# -- Pasting -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        "1. Kot Ala 1875",
        "1 Kot Ala 1875",
        "12) Kot Ala (1875)",
        "1\t\tKot Ala\t1875",
        "Kot Ala - 1875",
        "7.Kot Ala 1875",
    ],
)
def test_numbering_before_and_a_rating_behind(event, line):
    (row,) = preview_pasted_list(event, line).rows
    assert (row.name, row.rating, row.problems, row.warnings) == ("Kot Ala", 1875, (), ())


@pytest.mark.parametrize(
    ("line", "facts_of_it"),
    [
        ("WFM Kot Ala 1875 POL 1100012", ("Kot Ala", "WFM", "POL", 1875, "", "1100012", "", "")),
        ("Kot, Ala 1875 POL", ("Kot, Ala", "", "POL", 1875, "", "", "", "")),
        ("1100012 Kot Ala 1875 1990", ("Kot Ala", "", "", 1875, "1990", "1100012", "", "")),
        ("Kot Ala WFM POL 1875", ("Kot Ala", "WFM", "POL", 1875, "", "", "", "")),
        ("Kot Ala POL", ("Kot Ala", "", "POL", 0, "", "", "", "")),
        ("KOT JAN", ("KOT JAN", "", "", 0, "", "", "", "")),
        ("IM JAN", ("IM JAN", "", "", 0, "", "", "", "")),
        ("Жеков Петър 1640", ("Жеков Петър", "", "", 1640, "", "", "", "")),
    ],
)
def test_what_stands_in_one_line_with_blanks_alone(event, line, facts_of_it):
    (row,) = preview_pasted_list(event, line).rows
    assert row.problems == ()
    assert facts(row) == facts_of_it


@pytest.mark.parametrize("headings", ["No. Name Rtg", "Poz. Nazwisko Elo", "Rg. Nom FED FIDE ID"])
def test_headings_with_blanks_between_them_are_nobody(event, headings):
    preview = preview_pasted_list(event, f"{headings}\n1. Kot Ala 1875")
    assert [(row.line, row.name) for row in preview.rows] == [(2, "Kot Ala")]
    assert preview.passed_over == (1,)


@pytest.mark.parametrize("line", ["Nom Ala", "Name", "Elo Rtg 1500"])
def test_a_name_that_is_a_heading_too_is_somebody(event, line):
    assert len(preview_pasted_list(event, f"Kot Ala\n{line}").rows) == 2


@pytest.mark.parametrize("line", ["Kot 2 Ala", "Kot, Ala 1;1500"])
def test_figures_in_a_name_are_flagged(event, line):
    (row,) = preview_pasted_list(event, line).rows
    assert "This name contains digits" in str(row.warnings[0])
    assert row.is_to_be_entered


def test_years_before_ratings_are_known_by_what_all_lines_say(event):
    rows = preview_pasted_list(event, "Kot, Ala; 1990; 1875\nPies, Azor; 2011; 1100\nRyba, Iga; 1956").rows
    assert [(row.birth, row.rating) for row in rows] == [("1990", 1875), ("2011", 1100), ("1956", 0)]


def test_a_column_without_a_heading_is_what_somebody_says(event):
    text = "Kot, Ala; 1875; Hetman\nPies, Azor; 1640; Wieża"
    assert not preview_pasted_list(event, text).can_enter_all_rows
    said = {"text-1": "club_name"}
    assert [row.club_name for row in preview_pasted_list(event, text, said).rows] == ["Hetman", "Wieża"]
    entered = enter_pasted_list(
        event, text, by=None, column_kinds={"text-1": IGNORED_COLUMN, "number-1": "rating_national"}
    )
    assert [(entry.rating, entry.club_name) for entry in entered] == [(1875, ""), (1640, "")]


def test_a_pasted_table_has_headings_too(event):
    rows = preview_pasted_list(event, "Lp.\tNazwisko\tImię\tRtgI\n1\tKot\tAla\t1875").rows
    assert [(row.line, row.name, row.rating) for row in rows] == [(2, "Kot, Ala", 1875)]


@pytest.mark.parametrize(
    "text", ["Name;Rtg\nKot, Ala" + ";1" * 5_000, "Kot, Ala" + ";1" * 5_000, "Name" + ";x" * 5_000]
)
def test_there_is_an_end_to_columns(event, text):
    preview = preview_pasted_list(event, text)
    assert len(preview.columns) <= 200
    assert "too many fields" in str(preview.problems[0])
