"""Tables of players in CSV files."""

from __future__ import annotations

import pytest

from common.tabular.file_responses import render_xlsx
from tests.factories import make_event, make_member
from tournaments.entries.player_rows import RowOutcome
from tournaments.import_export.file_import import apply_import, preview_import
from tournaments.models import Entry, LogEntry
from tournaments.problems import ArbiterProblem

HEADERS = {
    "en": "Name;Rating;Title;Fed;Birth year;FIDE ID;Sex;Club",
    "pl": "Nazwisko i imię;Ranking;Tytuł;Kraj;Rok urodzenia;ID FIDE;Płeć;Klub",
    "cs": "Příjmení a jméno;Elo;Titul;Země;Ročník;FIDE ID;Pohlaví;Oddíl",
    "bg": "Фамилия и име;Рейтинг;Титла;Федерация;Година на раждане;ФИДЕ ИД;Пол;Клуб",
    "de": "Name, Vorname;Wertung;Titel;Verband;Geburtsjahr;FIDE-Nummer;Geschlecht;Verein",
}
ROW = "Łoś, Żaneta;1875;FM;POL;1990;1234567;{};Pod Wieżą"


@pytest.fixture
def event(club):
    return make_event(club)


@pytest.mark.parametrize(("most", "is_taken"), [(2, False), (3, True)])
def test_a_file_may_have_as_many_lines_as_an_event_players(event, monkeypatch, most, is_taken):
    monkeypatch.setattr("tournaments.import_export.file_import.MAX_PLAYERS", most)
    preview = preview_import(event, b"Wieza, Ola;1900\nGoniec, Jan;1800\n\nPionek, Iga;1700\n", "three.csv")
    assert preview.can_be_imported == is_taken
    assert len(preview.players) == (3 if is_taken else 0)
    assert [str(error) for error in preview.errors] == ([] if is_taken else ["The table has more than 2 rows."])


# -- Refusals ------------------------------------------------------------------------------------------------------


def test_a_duplicate_is_shown_beside_its_twin_and_not_entered(event):
    text = "Name;Rating\nKot, Ala;1500\nKot, Ala;1400"
    rows = preview_import(event, text.encode(), "players.csv").players
    assert [(row.line, row.outcome, row.twin) for row in rows][1:] == [(3, "duplicate", 2)]
    apply_import(event, text.encode(), "players.csv", by=None)
    assert [(entry.name, entry.rating) for entry in event.entries.all()] == [("Kot, Ala", 1500)]


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("", 0, 0),
        ("\n;;;\n", 0, 0),
        ("Name;Rating", 0, 0),
        ("Kot, \x01Ala;1500", 1, 1),
        ("\u202eKot, Ala;1500", 1, 1),
        ("Name;Rating\n\u2067Kot, Ala;1500", 2, 1),
        ("Name;Birth year\nKot, Ala;1990-99-99", 2, 2),
        ("Name;Birth year\nKot, Ala;30.02.1990", 2, 2),
        ("Name;Birth year\nKot, Ala;19٩٠", 2, 2),
        ("Name;Rating\nKot, Ala;٢٠٠٠", 2, 2),
        ("Name;Rating\nKot, Ala;abc", 2, 2),
        ("Name;Rating\nKot, Ala;3501", 2, 2),
        ("Name;Rating\n;1500", 2, 1),
        ("Rating;Name\n1500", 2, 2),
        ("Name;Title\nKot, Ala;XM", 2, 2),
        ("Name;Fed\nKot, Ala;Polska", 2, 2),
        ("Name;Birth year\nKot, Ala;90", 2, 2),
        ("Name;FIDE ID\nKot, Ala;12a", 2, 2),
        ('Name;Rating\n"Kot, Ala;1500', 2, 0),
        ('Name;Rating\n"Kot" Ala;1500\nPies, Azor;1400', 2, 0),
    ],
)
def test_what_is_wrong_is_named_with_its_place_and_nothing_is_written(text, line, column, event):
    preview = preview_import(event, text.encode(), "players.csv")
    assert [(error.line, error.column) for error in preview.errors] == [(line, column)]
    before = LogEntry.objects.count()
    with pytest.raises(ArbiterProblem):
        apply_import(event, text.encode(), "players.csv", by=None)
    assert not Entry.objects.exists()
    assert LogEntry.objects.count() == before


def test_bytes_that_are_no_text(event):
    preview = preview_import(event, b"\x00\x01\x02PK\x03\x04" * 100, "players.csv")
    assert not preview.can_be_imported
    assert preview.players == ()


def test_the_place_of_a_mistake_is_said_as_spreadsheets_name_it(event):
    said = preview_import(event, "Nazwisko;Klub;Ranking\nKot, Ala;Wieża;abc".encode(), "players.csv").errors
    assert str(said[0]).startswith("line 2, column C (Ranking): ")
    assert str(preview_import(event, b"Kot, Ala\nPies, Azor;?!", "x.csv").errors[0]).startswith("line 2, column B: ")


def test_a_damaged_spreadsheet(event):
    (error,) = preview_import(event, b"PK\x03\x04" + bytes(100), "players.xlsx").errors
    assert "damaged" in str(error)


def test_a_spreadsheet_of_players(event):
    data = render_xlsx(["Name", "Rating"], [["Kot, Ala", 1500], ["Pies, Azor", None]], title="Players")
    preview = preview_import(event, data, "players.xlsx")
    assert [(row.line, row.name, row.rating) for row in preview.players] == [
        (2, "Kot, Ala", 1500),
        (3, "Pies, Azor", 0),
    ]
    assert preview.can_be_imported


def test_of_a_line_that_is_no_player_at_all_a_few_faults_are_enough(event):
    preview = preview_import(event, b"Kot, Ala" + b";?!" * 1000, "players.csv")
    assert 0 < len(preview.errors) <= 5


def test_letters_of_every_script_and_what_joins_them_make_names(event):
    names = "Łoś, Żaneta\nЖуков, Петър\nכהן, דוד\nنمی\u200cدانم, علی\nOʼNeill, Ann-Sofie"
    preview = preview_import(event, names.encode(), "players.csv")
    assert [row.name for row in preview.players] == names.split("\n")
    assert preview.can_be_imported


def test_a_list_goes_into_an_event_not_into_a_club(club):
    preview = preview_import(club, b"Name;Rating\nKot;1500", "players.csv")
    assert not preview.can_be_imported
    with pytest.raises(ArbiterProblem):
        apply_import(club, b"Name;Rating\nKot;1500", "players.csv", by=None)


# -- What is read --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("language", "woman"), [("en", "F"), ("pl", "K"), ("cs", "Ž"), ("bg", "ж"), ("de", "w")])
def test_columns_named_in_five_languages(language, woman, event):
    preview = preview_import(event, f"{HEADERS[language]}\n{ROW.format(woman)}".encode(), "players.csv")
    assert preview.errors == ()
    (row,) = preview.players
    assert (row.name, row.rating, row.title, row.federation) == ("Łoś, Żaneta", 1875, "FM", "POL")
    assert (row.birth, row.fide_id, row.sex, row.club_name) == ("1990", "1234567", "w", "Pod Wieżą")


def test_an_id_beside_a_fide_id_is_the_federations(event):
    """The German federation's heading: otherwise its ID would be taken for FIDE's."""
    text = 'ID,Mgl-Nr,Spielername,Geburtsjahr,DWZ,FIDE-ID,FIDE-Land\n10017233,12,"Pionek, Ewa",1990,1700,4611111,GER'
    (row,) = preview_import(event, text.encode(), "spieler.csv").players
    assert (row.name, row.rating, row.fide_id, row.national_id) == ("Pionek, Ewa", 1700, "4611111", "10017233")
    (row,) = preview_import(event, b"ID;Name\n4611111;Kot", "players.csv").players
    assert (row.fide_id, row.national_id) == ("4611111", "")


@pytest.mark.parametrize("separator", [";", "\t", "|", ","])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1250"])
def test_separators_and_encodings(separator, encoding, event):
    lines = ["Nazwisko,Ranking", '"Łoś-Żółć, Żaneta",1875', '"Kiełb, Świętopełk",1600']
    text = "\r\n".join(line.replace('",', '"' + separator).replace("o,R", f"o{separator}R") for line in lines)
    preview = preview_import(event, text.encode(encoding), "players.csv")
    assert [(row.name, row.rating) for row in preview.players] == [
        ("Łoś-Żółć, Żaneta", 1875),
        ("Kiełb, Świętopełk", 1600),
    ]


def test_bulgarian_in_its_old_code_page(event):
    text = "Фамилия;Име;Рейтинг\nПешкова;Десислава;1700\nТопов;Огнян;1650\n"
    preview = preview_import(event, text.encode("cp1251"), "players.csv")
    assert [row.name for row in preview.players] == ["Пешкова, Десислава", "Топов, Огнян"]


def test_columns_without_names_are_read_by_their_look(event):
    preview = preview_import(event, b"Kot;Ala;1500;POL\nPies, Azor;WFM;1490;2001", "players.csv")
    assert [(row.name, row.rating, row.birth) for row in preview.players] == [
        ("Kot, Ala", 1500, ""),
        ("Pies, Azor", 1490, "2001"),
    ]


def test_other_columns_are_passed_over(event):
    preview = preview_import(event, b"No;Name;Shoe size;Rating\n1;Kot, Ala;42;1500", "players.csv")
    assert [(row.name, row.rating) for row in preview.players] == [("Kot, Ala", 1500)]


def test_a_list_is_entered_and_entered_again_without_doubles(event, club, secretary):
    ala = make_member(club, "Kot, Ala", 1450)
    data = b"Name;Rating\nKot, Ala;1500\nPies, Azor;1400"
    apply_import(event, data, "players.csv", by=secretary)
    assert sorted(event.entries.values_list("name", "rating", "member")) == [
        ("Kot, Ala", 1500, ala.pk),
        ("Pies, Azor", 1400, None),
    ]
    preview = preview_import(event, data, "players.csv")
    assert {row.outcome for row in preview.players} == {RowOutcome.ALREADY_ENTERED}
    apply_import(event, data, "players.csv", by=secretary)
    assert event.entries.count() == 2


def test_three_thousand_players(event, django_assert_max_num_queries):
    data = "\n".join(["Name;Rating", *(f"Pionek, Nr{number};{number % 2500}" for number in range(3000))]).encode()
    with django_assert_max_num_queries(80):
        apply_import(event, data, "players.csv", by=None)
    assert event.entries.count() == 3000
