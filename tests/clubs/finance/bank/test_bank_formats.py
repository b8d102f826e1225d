"""Every bank's format with a made-up file of that bank: `tests/data/banks/NAME.csv`."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from clubs.finance.bank.bank_formats import (
    FORMATS_FOLDER,
    bank_formats,
    find_bank_format,
    place_of_heading,
    read_bank_format,
    recognise_bank_table,
)
from clubs.finance.bank.statement_reader import recognise_message_format
from clubs.finance.bank.statement_tables import (
    STATEMENT_COLUMNS,
    has_required_columns,
    parse_statement_table,
)
from clubs.finance.bank.statements import ParsedStatement, ParsedStatementLine
from common.problems import OfficerProblem
from tests.clubs.member_scenario import make_book, page

FILES = Path(__file__).parents[3] / "data" / "banks"
NAMES = [path.stem for path in sorted(FORMATS_FOLDER.glob("*.toml"))]
FRIDAY, THURSDAY, WEDNESDAY = date(2026, 11, 20), date(2026, 11, 19), date(2026, 11, 18)
LANGUAGES_COUNTRIES = {"DE", "GB", "PL", "FR", "ES", "IT", "CZ", "UA", "BG"}

IN_THE_FILES: dict[str, list[tuple[date, int, str]]] = {
    "sparkasse": [(FRIDAY, 105_500, "Läufer, Uta"), (THURSDAY, -12_000, "Stadt Beispiel")],
    "dkb": [(FRIDAY, 298_700, "Uta Läufer"), (THURSDAY, -1_790, "Stadt Beispiel")],
    "volksbank": [(FRIDAY, 5_500, "Uta Läufer"), (THURSDAY, -112_000, "Stadt Beispiel")],
    "starling": [(THURSDAY, -12_000, "Village Hall"), (FRIDAY, 2_500, "Rook A")],
    "monzo": [(THURSDAY, -12_000, "Village Hall"), (FRIDAY, 2_500, "Ann Rook")],
    "lloyds": [(FRIDAY, 2_500, ""), (THURSDAY, -12_000, "")],
    "revolut": [(WEDNESDAY, 2_500, ""), (THURSDAY, -6_000, ""), (THURSDAY, -35, "")],
    "mbank": [(FRIDAY, 5_500, "ŁUCJA WIEŻA"), (THURSDAY, -112_000, "DOM KULTURY")],
    "pekao": [(FRIDAY, 5_500, "ŁUCJA WIEŻA"), (THURSDAY, -112_000, "DOM KULTURY")],
    "boursobank": [(FRIDAY, 5_500, ""), (THURSDAY, -112_000, "")],
    "santander_es": [(FRIDAY, 5_500, ""), (THURSDAY, -112_000, "")],
    "banco_bpm": [(FRIDAY, 5_500, ""), (THURSDAY, -112_000, "")],
    "ing_it": [(THURSDAY, -112_000, ""), (FRIDAY, 5_500, "")],
    "csob": [(FRIDAY, 105_550, "Řehoř Kůň"), (THURSDAY, -15_000, "Kulturní dům")],
    "fio": [(FRIDAY, 5_500, "Řehoř Kůň"), (THURSDAY, -15_000, "Kulturní dům")],
    "monobank": [(FRIDAY, 55_000, ""), (THURSDAY, -120_050, "")],
    "dsk": [(FRIDAY, 2_550, "Ясен Гонец"), (THURSDAY, -112_000, "Читалище")],
}
"""Day, cents and name of every booked line, read from the files by eye."""

NOT_BOOKED = {"sparkasse": 1, "dkb": 1, "revolut": 2, "mbank": 1}


def data_of(name: str) -> bytes:
    return (FILES / f"{name}.csv").read_bytes()


def statement_of(name: str) -> ParsedStatement:
    found = recognise_bank_table(data_of(name))
    assert found is not None
    bank, table = found
    assert bank.key == name
    return parse_statement_table(table, bank.columns_of(table.headings), bank=bank)


def line_of(name: str, cents: int) -> ParsedStatementLine:
    return next(line for line in statement_of(name).lines if line.amount == cents)


def test_no_other_file_is_a_table_of_a_bank():
    assert recognise_bank_table(b"") is None
    assert recognise_bank_table(b"Name;Betrag\nEwa;5\n") is None
    assert recognise_bank_table(b"Buchungstag;Betrag;Verwendungszweck\n20.11.2026;5,00;x\n") is None


def test_a_damaged_line_is_not_left_out():
    damaged = data_of("starling").replace(b"Rent November", b'"Rent November')
    with pytest.raises(OfficerProblem, match="row 2"):
        recognise_bank_table(damaged)


@pytest.mark.parametrize("name", NAMES)
def test_a_format_is_complete(name: str):
    bank = read_bank_format(FORMATS_FOLDER / f"{name}.toml")
    text = (FORMATS_FOLDER / f"{name}.toml").read_text(encoding="utf-8")
    assert set(bank.columns) <= set(STATEMENT_COLUMNS)
    assert has_required_columns(dict.fromkeys(bank.columns, 0))
    assert re.fullmatch("[A-Z]{2}", bank.country)
    assert bool(bank.status) == bool(bank.booked or bank.pending)
    assert "verified against a real file" in text


def test_every_language_has_a_bank():
    assert {bank.country for bank in bank_formats()} >= LANGUAGES_COUNTRIES
    assert {bank.key for bank in bank_formats()} == set(NAMES) == set(IN_THE_FILES)


@pytest.mark.parametrize("name", NAMES)
def test_a_file_is_recognised_and_read_to_the_cent(name: str):
    statement = statement_of(name)
    assert [(line.booked_on, line.amount, line.party) for line in statement.lines] == IN_THE_FILES[name]
    assert statement.not_booked_count == NOT_BOOKED.get(name, 0)
    assert not statement.problems
    paid = max(statement.lines, key=lambda line: line.amount)
    assert "RF12000001" in paid.text


@pytest.mark.parametrize("name", NAMES)
def test_a_file_is_of_one_bank_only(name: str):
    found = [bank.key for bank in bank_formats() if recognise_bank_table(data_of(name), only=bank)]
    assert found == [name]


@pytest.mark.parametrize("name", NAMES)
def test_the_headings_of_the_columns_are_in_the_file(name: str):
    bank, table = recognise_bank_table(data_of(name)) or pytest.fail(name)
    assert bank.columns_of(table.headings).keys() == bank.columns.keys()
    if bank.status:
        assert place_of_heading(bank.status, table.headings) is not None


def test_a_fee_is_a_line_of_its_own_and_the_lines_add_up_to_the_balance():
    lines = statement_of("revolut").lines
    assert (lines[2].amount, lines[2].text) == (-35, "Fee: To Village Hall")
    assert 10_000 + sum(line.amount for line in lines) == 6_465, "the balance of the last line that counts"


def test_the_variable_symbol_and_the_other_side_of_a_czech_bank():
    line = line_of("csob", 105_550)
    assert line.text == "RF12000001 příspěvek VS 1234567"
    assert (line.party, line.party_account, line.bank_reference) == ("Řehoř Kůň", "2000145399", "6924891286")


def test_newer_files_of_the_same_bank_have_other_headings():
    newer = (
        "číslo účtu;datum zaúčtování;částka;měna;zůstatek;číslo protiúčtu;jméno protistrany;označení operace;zpráva\n"
    )
    newer += "1/0300;20.11.2026;55,00;CZK;100,00;2000145399;Jan Pěšec;Příchozí úhrada;příspěvek\n"
    bank, table = recognise_bank_table(newer.encode()) or pytest.fail("not recognised")
    (line,) = parse_statement_table(table, bank.columns_of(table.headings), bank=bank).lines
    assert (line.party, line.party_account) == ("Jan Pěšec", "2000145399")
    assert line.text == "Příchozí úhrada příspěvek"


def test_a_chosen_bank_is_the_only_one_tried():
    assert recognise_bank_table(data_of("mbank"), only=find_bank_format("dkb")) is None
    assert find_bank_format("nowhere") is None


def test_times_are_no_swift_message():
    """Times such as 12:20:25 have the letters of an MT940 file's first two fields."""
    data = data_of("revolut")
    assert b":20:" in data
    assert b":25" in data
    assert recognise_message_format(data) == ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (":20:A\n:25:B\n:60F:C261101EUR1,00\n", "mt940"),
        ("{1:F01XXXX}{4:\r\n:20:A\r\n:25P:B\r\n:28C:1/1\r\n:60M:C261101EUR1,00\r\n", "mt940"),
        (":20:A\n:25:B\n:61:x\n", ""),
        ("x;:20:A\nx;:25:B\nx;:60F:C\n", ""),
        (
            '<?xml version="1.0"?>\n<!-- bank -->\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08">',
            "camt",
        ),
        ("<ns2:Document xmlns:ns2='urn:iso'>", "camt"),
        ("<html><table><tr><td>Document</td></tr></table></html>", ""),
        ("<Workbook><Document/></Workbook>", ""),
    ],
)
def test_messages_are_recognised_by_their_structure(text: str, expected: str):
    assert recognise_message_format(text.encode()) == expected
    assert recognise_message_format(text.encode("utf-16")) == expected


@pytest.mark.django_db
@pytest.mark.one_database
class TestOnTheImportPage:
    """The treasurer's book is in the złoty."""

    def send(self, name: str, **said: str):
        """Send a file, and return the answer with the browser and the club."""
        book = make_book()
        data = data_of(name).replace(b"GBP", book.club.currency.encode())
        browser = book.browser("treasurer")
        answer = browser.post(page("bank_statement_import"), {"file": SimpleUploadedFile("file.csv", data), **said})
        return answer, browser, book.club

    @pytest.mark.parametrize("wrong", ["camt", "mt940", "dkb", "nowhere"])
    def test_a_format_that_the_file_does_not_have(self, wrong: str):
        answer, _browser, club = self.send("revolut", format=wrong)
        assert answer.status_code == 422
        assert not club.bank_lines.exists()
        assert answer.context["form"].errors

    def test_a_chosen_bank_tells_what_is_missing(self):
        answer, _browser, _club = self.send("revolut", format="dkb")
        assert "This isn&#x27;t a table from DKB. No line has the headings Buchungsdatum" in answer.text

    @pytest.mark.parametrize("format", ["", "mbank"])
    def test_a_bank_is_asked_about_once_and_remembered(self, format: str):
        asked, browser, club = self.send("mbank", format=format)
        assert "This looks like a file from mBank" in asked.text
        form = asked.context["form"]
        said = {name: str(place) for name, place in form.guessed_columns.items()}
        told = browser.post(
            page("bank_statement_import"), {"token": asked.context["token"], "format": format, **said}, follow=True
        )
        assert "1 transaction was left out" in told.text
        assert sorted(club.bank_lines.values_list("amount", flat=True)) == [-112_000, 5_500]
        file = SimpleUploadedFile("again.csv", data_of("mbank"))
        again = browser.post(page("bank_statement_import"), {"file": file}, follow=True)
        assert "New transactions: 0. Already imported: 2." in again.text

    def test_any_table_can_be_chosen_in_place_of_a_bank(self):
        asked, _browser, _club = self.send("mbank", format="table")
        assert "This looks like" not in asked.text
        lines = asked.context["form"].fields["headings_in"].choices
        assert any(text.startswith("26: #Data operacji") for _place, text in lines)
        assert asked.context["form"].guessed_columns["amount"] == 6

    def test_payments_without_effect_are_not_offered(self):
        asked, browser, club = self.send("revolut")
        said = {name: str(place) for name, place in asked.context["form"].guessed_columns.items()}
        browser.post(page("bank_statement_import"), {"token": asked.context["token"], **said})
        assert sorted(club.bank_lines.values_list("amount", flat=True)) == [-6_000, -35, 2_500]
