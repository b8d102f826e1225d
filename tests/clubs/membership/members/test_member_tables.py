"""Member tables: imported from every kind of file, all or nothing, then exported and imported again."""

from __future__ import annotations

import io
import re
import zipfile
from datetime import date, datetime

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from openpyxl import Workbook, load_workbook

from clubs.membership.members.import_export import (
    add_missing_headings,
    import_members,
    members_to_table,
    preview_member_import,
)
from clubs.models import Member, PersonalDataAccess
from common.problems import OfficerProblem
from common.tabular.file_responses import render_csv, render_xlsx
from common.tabular.parsed_table import spreadsheet_column_letters
from common.tabular.spreadsheets import read_table
from tests.clubs.member_scenario import SECRETS, make_book, page
from tests.factories import make_member, make_user
from tests.scenario import SIGN_IN_FIRST, Cast

TODAY = date(2026, 11, 21)
HEAD = "family name;given name;born;rating;e-mail;status;FIDE ID;groups"


def preview(club, text: str, encoding: str = "utf-8"):
    return preview_member_import(club, text.encode(encoding), today=TODAY)


def said(club, text: str) -> list[str]:
    return [str(problem) for problem in preview(club, text).problems]


def xlsx(*rows: list[object]) -> bytes:
    book = Workbook()
    for row in rows:
        book.active.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


# -- Refused -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "place", "why"),
    [
        (";Jan", "column A (family name)", "name is missing"),
        ("123;Jan", "column A (family name)", "name is missing"),
        ("Nowa;Ola;30.2.2011", "column C (born)", "a birth date"),
        ("Nowa;Ola;2031", "column C (born)", "a birth date"),
        ("Nowa;Ola;;18OO", "column D (rating)", ""),
        ("Nowa;Ola;;9999", "column D (rating)", "3500"),
        ("Nowa;Ola;;-5", "column D (rating)", ""),
        ("Nowa;Ola;;;ola(at)poczta", "column E (e-mail)", "valid email"),
        ("Nowa;Ola;;;;friend", "column F (status)", "a status"),
        ("Nowa;Ola;;;;;12A", "column G (FIDE ID)", ""),
        (f"Nowa;Ola;;;;;{'9' * 5000}", "column G (FIDE ID)", ""),
        ("Nowa;Ola;;²", "column D (rating)", ""),
        ("Nowa;Ola;;;;;;;too much", "column I", "This row has more cells than the header row"),
        (f"{'N' * 81};Ola", "column A (family name)", "too long"),
        (f"Nowa, {'O' * 81}", "column A (family name)", "too long"),
    ],
)
def test_a_wrong_cell_is_named_by_line_and_column(club, line, place, why):
    (problem,) = said(club, f"{HEAD}\nDobra;Iga\n{line}\n")
    assert problem.startswith(f"row 3, {place}")
    assert why in problem


def test_every_wrong_cell_is_told_at_once(club):
    assert len(said(club, f"{HEAD}\n;Jan;x\nNowa;Ola;;z;z;z;z\n")) == 6


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "This file is empty"),
        (b"\n\n;;\n", "This file is empty"),
        (b"\x00\x01\x02\x00", "a text file or an Excel file (XLSX)"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1rest", "an Excel file (XLS)"),
        (b"PK\x03\x04 and no more", "damaged"),
        (b"one;two\n1;2\n", "The first row must contain the column names"),
        (b"name\n" + b'"' + b"x" * 200_000 + b'"\n', "more than 20000 characters"),
        (b"name;" + b"x;" * 200 + b"\nNowa\n", "more than 200 columns"),
        ("name;born\nNowa;2011\n".encode("utf-16-le"), "a text file or an Excel file (XLSX)"),
        (b'family name;given name\n"Nowa;Ola\n', "quotation mark"),
        (b'family name;given name\n"No"wa;Ola\n', "quotation mark"),
    ],
)
def test_a_file_that_is_no_table_is_refused(club, data, why):
    assert why in str(preview_member_import(club, data, today=TODAY).problems[0])


def test_a_zip_that_is_no_workbook_is_refused(club):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as parts:
        parts.writestr("hello.txt", "x")
    assert "damaged" in str(read_table(out.getvalue()).problems[0])


def test_a_workbook_that_would_fill_the_memory_is_refused():
    assert "too large" in str(read_table(xlsx(["name"], ["Nowa"]), most_bytes=100).problems[0])


def test_too_many_lines_are_refused():
    for data in (xlsx(*[["name"]] * 6), b"name\n" + b"x\n" * 5):
        assert "more than 3 rows" in str(read_table(data, most_rows=3).problems[0])
        assert len(read_table(data, most_rows=6).lines) == 6


def test_a_formula_without_a_result_is_named_by_its_cell():
    (problem,) = read_table(xlsx(["name", "rating"], ["Nowa", "=1800+50"])).problems
    assert str(problem).startswith("row 2, column B")
    assert "formula" in str(problem)


def test_who_stands_twice_is_named(club):
    assert "Duplicate of row 2" in said(club, f"{HEAD}\nNowa;Ola;2001\nNOWA;Ola;2001\n")[0]
    assert "Duplicate of row 2" in said(club, f"{HEAD}\nNowa;Ola;;;;;77\nInna;Ala;;;;;77\n")[0]


def test_a_name_of_two_members_must_be_made_clear(club):
    for year in (1980, 2009):
        make_member(club, "Kot, Jan", birth_year=year)
    assert "2 members have this name" in said(club, "name\nKot, Jan\n")[0]
    assert said(club, "name;born\nKot, Jan;2009\n") == []


@pytest.mark.every_database
@pytest.mark.parametrize("number", ["9" * 5000, "9" * 20, "²", "-1", "1.5"])
def test_a_number_that_no_member_can_have_is_refused(club, number):
    (problem,) = said(club, f"number;name\n{number};Nowa\n")
    assert problem.startswith("row 2, column A (number): No member has the membership number")


def test_numbers_that_are_not_of_this_club_are_refused(club, neighbour):
    other = make_member(neighbour.memberships.get().club, "Obca, Ala")
    assert "No member has the membership number" in said(club, f"number;name\n{other.pk};Obca, Ala\n")[0]
    assert "No member has the membership number" in said(club, "number;name\n٣;Obca, Ala\n")[0]


def test_two_members_in_one_line_are_refused(club):
    one, other = make_member(club, "Kot, Jan"), make_member(club, "Pies, Jan", fide_id=77)
    assert (
        "The membership number and the IDs belong to 2 different members"
        in said(club, f"number;name;FIDE ID\n{one.pk};Kot, Jan;{other.fide_id}\n")[0]
    )


def test_with_one_wrong_line_nothing_is_written(club, secretary):
    with pytest.raises(OfficerProblem, match="row 3"):
        import_members(club, f"{HEAD}\nDobra;Iga\nZła;Ewa;;x\n".encode(), today=TODAY, by=secretary)
    assert not Member.objects.exists()


# -- Read ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1250"])
@pytest.mark.parametrize("mark", [";", ",", "\t", "|"])
def test_letters_and_separators_are_found_out(club, encoding, mark):
    text = "Nazwisko;Imię;Rok urodzenia\nŻółć;Grażyna;1975\nŚwięcka;Łucja;1980\n".replace(";", mark)
    found = preview(club, text, encoding)
    assert [row.name for row in found.rows] == ["Żółć, Grażyna", "Święcka, Łucja"]
    assert found.rows[0].values["birth_year"] == 1975


@pytest.mark.parametrize(
    ("encoding", "text", "name"),
    [
        ("cp1251", "Фамилия;Име;Роден\nЖечев;Петър;1970\nЦарева;Асена;1981\n", "Жечев, Петър"),
        ("cp1250", "Příjmení;Jméno;Narozen\nŠťastný;Jiří;1970\nDvořáčková;Žofie;1981\n", "Šťastný, Jiří"),
    ],
)
def test_tables_of_other_countries(club, encoding, text, name):
    assert preview(club, text, encoding).rows[0].name == name


def test_excels_own_first_line_and_texts_of_several_lines(club):
    found = preview(club, 'sep=|\nname|address\n"Nowa, Ola"|"ul. Zmyślona 7\n00-000 Zamatowice"\nInna, Ala|x\n')
    assert found.rows[0].values["address"] == "ul. Zmyślona 7\n00-000 Zamatowice"
    assert found.rows[1].line == 5


def test_a_workbook_with_days_numbers_and_results_of_formulas(club):
    data = xlsx(
        ["family name", "given name", "born", "rating", "FIDE ID", "joined"],
        ["Nowa", "Ola", datetime(2011, 3, 28), 1850.0, 1234567, date(2024, 9, 1)],
        [None, None, None, None, None, None],
        ["Inna", "Ala", 1980, None, "7654321", "1.10.2025"],
    )
    first, second = preview_member_import(club, data, today=TODAY).rows
    assert first.values | {"family_name": ""} == {
        "family_name": "",
        "given_name": "Ola",
        "birth_date": date(2011, 3, 28),
        "birth_year": 2011,
        "rating": 1850,
        "fide_id": 1234567,
        "joined_on": date(2024, 9, 1),
    }
    assert (second.line, second.values["joined_on"], second.values["birth_year"]) == (4, date(2025, 10, 1), 1980)


def test_a_formula_counts_as_what_it_came_to(club):
    """As Excel writes it: formula and result side by side; openpyxl itself writes no results."""
    data = xlsx(["name", "rating"], ["Nowa, Ola", "=1800+50"])
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        for part in old.namelist():
            content = old.read(part)
            if part.endswith("sheet1.xml"):
                assert b"<v" in content
                content = content.replace(b"<f>1800+50</f><v></v>", b"<f>1800+50</f><v>1850</v>")
                content = content.replace(b"<f>1800+50</f><v />", b"<f>1800+50</f><v>1850</v>")
                content = content.replace(b"<f>1800+50</f><v/>", b"<f>1800+50</f><v>1850</v>")
            new.writestr(part, content)
    assert preview_member_import(club, out.getvalue(), today=TODAY).rows[0].values["rating"] == 1850


def test_an_empty_cell_changes_nothing_and_a_full_one_does(club, secretary):
    old = make_member(club, "Stara, Ola", 1500, email="a@b.example", birth_date=date(1980, 5, 5))
    text = f"{HEAD}\nStara;Ola;1980;1600;;;;juniors, first team\nNowa;Iga;;;;applicant\n"
    done = import_members(club, text.encode(), today=TODAY, by=secretary)
    assert (done.added_count, done.changed_count, done.unchanged_count) == (1, 1, 0)
    old.refresh_from_db()
    assert (old.rating, old.email, old.birth_date) == (1600, "a@b.example", date(1980, 5, 5))
    assert {group.name for group in old.groups.all()} == {"juniors", "first team"}
    assert club.members.filter_by_name(["nowa"]).get().status == Member.Status.APPLICANT
    again = import_members(club, text.encode(), today=TODAY, by=secretary)
    assert (again.added_count, again.changed_count, again.unchanged_count) == (0, 0, 2)


def test_consent_and_leaving_are_dated(club, secretary):
    text = "name;photographs;status\nNowa, Ola;tak;former\n"
    import_members(club, text.encode(), today=TODAY, by=secretary)
    ola = Member.objects.get()
    assert (ola.photo_consent, ola.photo_consent_on, ola.left_on) == ("yes", TODAY, TODAY)


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_what_is_given_out_is_taken_in_unchanged(club, secretary, kind):
    make_member(club, "van den Berg, Jan", 1500, phone="+48 111 222 333", address="=HYPERLINK(1)\n2", fide_id=12)
    make_member(club, "Žofie; „s uvozovkami“", birth_year=1980, status="honorary", guardian_name="@x", federation="CZE")
    make_member(club, "Жечев, Петър", birth_date=date(2011, 3, 28), photo_consent="no", photo_consent_on=TODAY)
    headings, rows = members_to_table(Member.objects.all())
    data = render_csv(headings, rows) if kind == "csv" else render_xlsx(headings, rows, title="a/b")
    found = preview_member_import(club, data, today=TODAY)
    assert found.problems == ()
    assert [row.changed_columns for row in found.rows] == [[], [], []]
    Member.objects.all().delete()
    _, rows_without_numbers = headings, [[None, *row[1:]] for row in rows]
    data = render_csv(headings, rows_without_numbers)
    import_members(club, data, today=TODAY, by=secretary)
    assert [row[1:] for row in members_to_table(Member.objects.all())[1]] == [row[1:] for row in rows]


def test_no_text_becomes_a_formula():
    nasty = ["=1+1", "@SUM(1)", "+cmd|x", "-2+3", "\t=1", "+48 111 222", "-5", "plain"]
    csv_cells = render_csv(["x"], [[text] for text in nasty]).decode("utf-8-sig").split("\r\n")[1:-1]
    assert [cell.strip('"')[0] for cell in csv_cells] == ["'", "'", "'", "'", "'", "+", "-", "p"]
    sheet = load_workbook(io.BytesIO(render_xlsx(["x"], [[text] for text in nasty], title="Dues 2025/26"))).active
    assert sheet.title == "Dues 2025 26"
    assert {cell.data_type for row in sheet.iter_rows(min_row=2) for cell in row} == {"s"}


@pytest.mark.parametrize(("column", "letters"), [(1, "A"), (26, "Z"), (27, "AA"), (702, "ZZ"), (703, "AAA")])
def test_columns_by_letters(column, letters):
    assert spreadsheet_column_letters(column) == letters


def test_three_thousand_members(club, secretary, django_assert_max_num_queries):
    lines = [f"Członek{n:04};Numer;{1940 + n % 70};{1000 + n % 1500};;;{n + 1};grupa {n % 5}" for n in range(3000)]
    data = "\n".join([HEAD, *lines]).encode()
    with django_assert_max_num_queries(200):  # SQLite inserts about thirty rows at once, never one by one
        done = import_members(club, data, today=TODAY, by=secretary)
    assert (done.added_count, club.members.count(), club.groups.count()) == (3000, 3000, 5)
    with django_assert_max_num_queries(3):
        assert preview_member_import(club, data, today=TODAY).unchanged_count == 3000


# -- The pages -----------------------------------------------------------------------------------------------------


@pytest.fixture
def cast(db) -> Cast:
    return make_book()


def file(text: str, name: str = "members.csv") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, text.encode())


def test_the_page_shows_first_and_writes_then(cast):
    secretary = cast.browser("secretary")
    shown = secretary.post(page("members_import"), {"file": file(f"{HEAD};shoe size\nNowa;Ola;1999;;;;;;38\n")})
    assert "Nowa, Ola" in shown.text
    assert "shoe size" in shown.text
    assert not Member.objects.filter(family_name="Nowa").exists()
    secretary.post(page("members_import"), {"token": shown.context["token"]})
    assert Member.objects.filter(family_name="Nowa", birth_year=1999).exists()
    assert PersonalDataAccess.objects.filter(what="change", user=cast.secretary).exists()


@pytest.mark.parametrize("sent", [{}, {"token": "forged"}, {"file": SimpleUploadedFile("a.csv", b"")}])
def test_nothing_sent_writes_nothing(cast, sent):
    assert cast.browser("secretary").post(page("members_import"), sent).status_code == 422


def test_a_token_of_somebody_else_is_no_use(cast):
    shown = cast.browser("secretary").post(page("members_import"), {"file": file("name\nNowa, Ola\n")})
    for who, status in (("treasurer", 403), ("member", 403), ("visitor", SIGN_IN_FIRST)):
        answer = cast.browser(who).post(page("members_import"), {"token": shown.context["token"]})
        assert answer.status_code == status
    assert not Member.objects.filter(family_name="Nowa").exists()


def test_problems_are_shown_and_the_file_is_asked_for_again(cast):
    answer = cast.browser("secretary").post(page("members_import"), {"file": file("name;born\nNowa, Ola;x\n")})
    assert answer.status_code == 422
    assert "row 2, column B" in answer.text
    assert 'type="file"' in answer.text


def test_an_export_holds_what_the_list_shows_and_never_emergency_notes(cast):
    answer = cast.browser("secretary").get(page("members_export", "csv"), {"q": "nikt"})
    text = answer.content.decode("utf-8-sig")
    assert text.count("\r\n") == 2
    assert SECRETS["email"] in text
    assert SECRETS["emergency_note"] not in text
    assert cast.browser("secretary").get(page("members_export", "pdf")).status_code == 404


def test_numbers_of_another_list_rename_nobody(cast):
    """A starting list also numbers its players."""
    first = cast.members[0]
    secretary = cast.browser("secretary")
    shown = secretary.post(page("members_import"), {"file": file(f"Nr.;Name\n{first.pk};Zupełnie, Inny\n")})
    assert shown.context["preview"].added_count == 1
    said = secretary.post(page("members_import"), {"file": file(f"number;name\n{first.pk};Zupełnie, Inny\n")})
    assert said.status_code == 422
    assert f"Membership number {first.pk} belongs to {first.name}" in said.text
    married = file(f"number;name\n{first.pk};Nowa, {first.given_name}\n")
    assert secretary.post(page("members_import"), {"file": married}).context["preview"].changed_count == 1


def test_a_column_that_nobody_knows_is_what_somebody_says(cast):
    secretary = cast.browser("secretary")
    shown = secretary.post(page("members_import"), {"file": file("Nazwisko;Siła gry;Komórka\nNowa, Ola;1875;600\n")})
    assert "headings we don&#x27;t recognise: Siła gry; Komórka" in shown.text
    sent = {"token": shown.context["token"], "column-1": "rating", "column-2": "rating"}
    twice = secretary.post(page("members_import"), sent | {"check": "columns"})
    assert twice.status_code == 422
    assert "Two columns are set as “rating”" in twice.text
    assert secretary.post(page("members_import"), sent).status_code == 422
    secretary.post(page("members_import"), sent | {"column-2": "phone", "column-77": "name", "column-x": "name"})
    member = Member.objects.get(family_name="Nowa")
    assert (member.rating, member.phone) == (1875, "600")


# -- Pasted ----------------------------------------------------------------------------------------------------------


def names_in(club, text: str) -> list[str]:
    return [row.name for row in preview(club, add_missing_headings(text)).rows]


def test_neither_a_file_nor_lines_and_both(cast):
    browser = cast.browser("secretary")
    assert browser.post(page("members_import"), {"text": " "}).status_code == 422
    both = {"text": "Nowa, Ola", "file": SimpleUploadedFile("a.csv", b"name\nNowa")}
    assert browser.post(page("members_import"), both).status_code == 422


def test_lines_without_headings_are_names(club):
    assert names_in(club, "Nowa, Ola\n\nGroß, Søren\n") == ["Nowa, Ola", "Groß, Søren"]
    assert names_in(club, "Nowa, Ola\t2011\nGroß, Søren\t1980") == ["Nowa, Ola", "Groß, Søren"]
    assert names_in(club, 'Nowa "Olka", Ola') == ['Nowa "Olka", Ola']
    with_them = "family name\tgiven name\tborn\nNowa\tOla\t2011"
    assert add_missing_headings(with_them) == with_them
    assert names_in(club, with_them) == ["Nowa, Ola"]


def test_what_is_pasted_is_shown_first_and_then_taken_in(cast):
    browser = cast.browser("secretary")
    shown = browser.post(page("members_import"), {"text": "Nowa, Ola\t2011-05-05\nWtóra, Ewa\t"})
    assert "Nowa, Ola" in shown.text
    assert not Member.objects.filter(family_name="Nowa").exists()
    token = re.search(r'name="token" value="([^"]+)', shown.text)[1]
    browser.post(page("members_import"), {"token": token, "column-0": "name", "column-1": "birth"})
    assert Member.objects.get(family_name="Nowa").birth_date == date(2011, 5, 5)
    assert Member.objects.filter(family_name="Wtóra").exists()


# -- JVerein and Sharly Chess --------------------------------------------------------------------------------------

JVEREIN = (
    "mitglied_ort;mitglied_handy;mitglied_plz;mitglied_id;mitglied_austritt;mitglied_titel;mitglied_geschlecht;"
    "mitglied_vorname;mitglied_telefon_privat;mitglied_strasse;mitglied_eintritt;mitglied_name;mitglied_email;"
    "mitglied_geburtsdatum;mitglied_beitragsgruppe_bezeichnung;mitglied_zahlerid\n"
    "Musterstadt;0170 1;01234;7;;Dr.;w;Ünal;040 1;Turmweg 3;01.02.2019;Läufer;uenal@example.org;28.03.2011;Jugend;\n"
    "Musterstadt;0170 2;01234;8;31.12.2024;;o;Jan;;;15.06.2001;Springer;;;Erwachsene;7\n"
)
"""The columns of JVerein's “Mitgliederliste CSV”, in no particular order, as the program writes them."""


def test_jvereins_list_of_members(club):
    import_members(club, JVEREIN.encode("cp1252"), today=TODAY, by=make_user("secretary", club))
    unal, jan = Member.objects.order_by("family_name")
    assert (unal.family_name, unal.given_name, unal.sex, unal.birth_date) == ("Läufer", "Ünal", "w", date(2011, 3, 28))
    assert (unal.address, unal.phone) == ("Turmweg 3\n01234 Musterstadt", "040 1, 0170 1")
    assert (unal.email, unal.joined_on, unal.title) == ("uenal@example.org", date(2019, 2, 1), "")
    assert [group.name for group in unal.groups.all()] == ["Jugend"]
    assert (jan.sex, jan.status, jan.left_on) == ("", Member.Status.FORMER, date(2024, 12, 31))
    assert (jan.address, jan.phone) == ("01234 Musterstadt", "0170 2")
    assert preview(club, JVEREIN).unchanged_count == 2


def test_jvereins_address_book_writes_null_for_nothing(club):
    text = (
        '"Name";"Vorname";"Strasse";"PLZ";"Ort";"Staat";"Anzeigename";"Email";"TelefonPrivat";"TelefonMobil"\n'
        '"Null";"Jan";"Turmweg 3";"01234";"Musterstadt";"";"Jan Null";"null";"null";"0170 1";\n'
    )
    assert said(club, text) == []
    (row,) = preview(club, text).rows
    assert row.name == "Null, Jan"
    assert {**row.values}.keys() == {"family_name", "given_name", "address", "phone"}


@pytest.mark.parametrize(
    ("line", "place", "why"),
    [
        ("Nowa;Ola;" + "x" * 301 + ";;", "", "at most 300"),
        ("Nowa;Ola;;;" + "1" * 41, "", "at most 40"),
        ("Nowa;Ola;Wieżowa 1;00-950;123;x", "", "more cells than the header row"),
        (";Ola;;;", "column A (name)", "name is missing"),
    ],
)
def test_parts_that_are_too_long_are_refused_by_row(club, line, place, why):
    (problem,) = said(club, f"name;first name;street;postcode;mobile\n{line}")
    assert problem.startswith("row 2")
    assert place in problem
    assert why in problem


def test_a_column_for_the_whole_address_wins_and_a_long_second_phone_is_alone(club):
    text = f"name;address;street;phone;mobile\nNowa, Ola;Wieżowa 1;Inna 2;{'1' * 30};{'2' * 30}"
    (row,) = preview(club, text).rows
    assert (row.values["address"], row.values["phone"]) == ("Wieżowa 1", "2" * 30)


@pytest.mark.parametrize("columns", ["date_of_birth;year_of_birth", "year_of_birth;date_of_birth"])
def test_a_year_counts_where_there_is_no_date(club, columns):
    """The headings of Sharly Chess."""
    cells = {"date_of_birth": ("2011-03-28", ""), "year_of_birth": ("2011", "1968")}
    rows = [";".join(cells[name][n] for name in columns.split(";")) for n in (0, 1)]
    text = f"title;last_name;first_name;{columns};mail;gender\n;KOT;Ala;{rows[0]};;W\n;PIES;Azor;{rows[1]};;M"
    first, second = preview(club, text).rows
    assert (first.values["birth_date"], first.values["birth_year"]) == (date(2011, 3, 28), 2011)
    assert (second.values["birth_date"], second.values["birth_year"]) == (None, 1968)
