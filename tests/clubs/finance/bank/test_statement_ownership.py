"""Statements with lines above the headings, other currencies, or bank codes. All banks and names are invented."""

from __future__ import annotations

from datetime import date

import pytest

from clubs.finance.accounting.entries import open_money_account
from clubs.finance.bank.camt_files import read_camt_statement
from clubs.finance.bank.mt940_files import read_mt940_statement
from clubs.finance.bank.reconciliation import reconcile_balances
from clubs.finance.bank.statement_reader import read_camt_or_mt940, read_pasted_statement
from clubs.finance.bank.statement_tables import find_currency_code, parse_statement_table, read_bank_table
from clubs.finance.bank.statements import SavedLineCounts, adapt_statement_to_club, save_new_lines
from common.problems import OfficerProblem
from common.text.ibans import is_same_account
from tests.clubs.finance.bank.test_formats import MT940, OURS, THEIRS, TODAY, camt, detail, entry
from tests.clubs.member_scenario import make_book, page

WITH_LINES_ABOVE = """"Kontoart";"DE89 3704 0044 0532 0130 00"
""
"Stand vom 21.11.2026:";"1.000,00 EUR"

"Am";"Wer";"Wohin";"Wozu";"Wert";"Rest"
"02.10.26";"Nikt, Jan";"Verein";"Beitrag";"120,01";""
"15.10.26";"Verein";"Brettladen";"Bretter";"-30,00";""
"""

# -- Tables with lines above their headings ----------------------------------------------------------------------------


def test_the_headings_of_a_bank_nobody_knows_are_found_below_the_account():
    table = read_bank_table(WITH_LINES_ABOVE.encode())
    assert table.headings == ("Am", "Wer", "Wohin", "Wozu", "Wert", "Rest")
    columns = {"day": 0, "amount": 4, "party": 1, "payee": 2, "text": 3}
    came, went = parse_statement_table(table, columns).lines
    assert (came.booked_on, came.amount, came.party) == (date(2026, 10, 2), 12_001, "Nikt, Jan")
    assert (went.amount, went.party) == (-3_000, "Brettladen"), "the other side of what was paid"


def test_a_remembered_line_of_headings_and_the_one_that_is_said_come_first():
    data = WITH_LINES_ABOVE.encode()
    assert read_bank_table(data, headings_in=3).headings == ("Stand vom 21.11.2026:", "1.000,00 EUR")
    known = {"stand vom 21.11.2026:;1.000,00 eur"}
    assert read_bank_table(data, known=known).headings[0] == "Stand vom 21.11.2026:"
    assert read_bank_table(data, known=known, headings_in=5).headings[0] == "Am"


@pytest.mark.parametrize(
    ("data", "first"),
    [
        (
            "Konto;DE89\n\nBuchungsdatum;Zahlungspflichtige*r;Verwendungszweck;Betrag (€)\n2.1.26;a;b;1,00\n",
            "Buchungsd",
        ),
        ("Konto;DE89\nWertstellung;Auftraggeber/Empfänger;Umsatz in EUR\n02.01.2026;a;1,00\n", "Wertstellung"),
        ("1.1.2026;5,00;a\n2.1.2026;6,00;b\n", "1.1.2026"),
    ],
)
def test_where_the_headings_are(data, first):
    assert read_bank_table(data.encode()).headings[0].startswith(first)


@pytest.mark.django_db
@pytest.mark.one_database
def test_all_columns_can_be_chosen_and_the_line_of_the_headings(tmp_path):
    book = make_book()
    treasurer = book.browser("treasurer")
    file = tmp_path / "bank.csv"
    file.write_text(WITH_LINES_ABOVE, encoding="utf-8")
    with file.open("rb") as opened:
        asked = treasurer.post(page("bank_statement_import"), {"file": opened})
    choices = asked.context["form"].fields["amount"].choices[1:]
    assert [name for _value, name in choices] == ["Am", "Wer", "Wohin", "Wozu", "Wert", "Rest"]
    token = asked.context["token"]
    other = treasurer.post(page("bank_statement_import"), {"token": token, "headings_in": "3", "other_line": "1"})
    assert other.context["headings"][0] == "Stand vom 21.11.2026:"
    assert other.status_code == 200
    file.write_text(WITH_LINES_ABOVE + '"16.10.26";"";"";"";"-1,00";""\n' * 9, encoding="utf-8")
    with file.open("rb") as opened:
        assert len(treasurer.post(page("bank_statement_import"), {"file": opened}).context["rows"]) == 5
    columns = {"day": "0", "amount": "4", "party": "1", "text": "3"}
    treasurer.post(page("bank_statement_import"), {"token": token, "headings_in": "5", **columns})
    assert sorted(book.club.bank_lines.values_list("amount", flat=True)) == [-3_000, 12_001]


# -- Currencies --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "code"), [("120,00 EUR", "EUR"), ("€ 5", "EUR"), ("5 zł", "PLN"), ("5", ""), ("5 $", ""), ("EURO", "")]
)
def test_the_currency_in_an_amount(text, code):
    assert find_currency_code(text) == code


def test_every_format_says_its_currency():
    (line,) = read_camt_statement(camt(entry(detail("x"))).replace(b'Ccy="EUR"', b'Ccy="USD"')).lines
    assert line.currency == "USD"
    mt940 = MT940.format(ours=OURS, theirs=THEIRS).replace("EUR1", "CHF1")
    assert {line.currency for line in read_mt940_statement(mt940.encode()).lines} == {"CHF"}
    assert {each.currency for each in read_camt_or_mt940(mt940.encode(), today=TODAY).balances} == {"CHF"}
    assert read_pasted_statement("2026-11-20;5 USD;x", today=TODAY).lines[0].currency == "USD"
    for data in ("Date;Amount;Currency\n2026-11-20;5;USD\n", "Date;Amount (USD)\n2026-11-20;5\n"):
        table = read_bank_table(data.encode())
        places = {"day": 0, "amount": 1, "currency": 2} if "Currency" in data else {"day": 0, "amount": 1}
        assert parse_statement_table(table, places).lines[0].currency == "USD"


@pytest.mark.django_db
def test_a_statement_in_another_currency_is_refused_and_a_line_in_one_told(club):
    dollars = camt(entry(), entry(reference="R-2")).replace(b'Ccy="EUR"', b'Ccy="USD"')
    with pytest.raises(OfficerProblem, match=f"is in USD, but the club uses {club.currency}"):
        adapt_statement_to_club(club, read_camt_or_mt940(dollars, today=TODAY))
    mixed = read_pasted_statement(f"2026-11-20;5 USD;x\n2026-11-20;6 {club.currency};y\n2026-11-20;7;z", today=TODAY)
    ours = adapt_statement_to_club(club, mixed)
    assert [line.amount for line in ours.lines] == [600, 700]
    assert ["USD" in each.problem for each in ours.problems] == [True]


@pytest.mark.django_db
@pytest.mark.one_database
def test_a_file_in_another_currency_leaves_nothing_behind():
    book = make_book()
    text = "2026-11-20;5 CHF;RF12000001"
    answer = book.browser("treasurer").post(page("bank_statement_import"), {"text": text})
    assert answer.status_code == 422
    assert "CHF" in answer.text
    assert not book.club.bank_lines.exists()


@pytest.mark.django_db
@pytest.mark.one_database
def test_of_a_table_whose_columns_are_said_the_clubs_lines_are_kept_and_the_others_told(tmp_path):
    book = make_book()
    treasurer, file = book.browser("treasurer"), tmp_path / "bank.csv"
    file.write_text(f"Am;Wert;In;Wozu\n02.10.26;5,00;{book.club.currency};a\n03.10.26;6,00;USD;b\n", encoding="utf-8")
    with file.open("rb") as opened:
        token = treasurer.post(page("bank_statement_import"), {"file": opened}).context["token"]
    columns = {"day": "0", "amount": "1", "currency": "2", "text": "3"}
    told = treasurer.post(page("bank_statement_import"), {"token": token, "headings_in": "1", **columns})
    assert [each.line for each in told.context["problems"]] == [2]
    assert list(book.club.bank_lines.values_list("amount", flat=True)) == [500]


def test_a_part_of_an_entry_in_another_currency_counts_as_what_the_account_got():
    both = detail("a", "60.00") + detail("b", "60.00").replace('Ccy="EUR"', 'Ccy="USD"')
    assert [(line.amount, line.currency) for line in read_camt_statement(camt(entry(both))).lines] == [(12_000, "EUR")]


def test_a_credit_that_was_taken_back_went_out():
    mt940 = MT940.format(ours=OURS, theirs=THEIRS).replace("1120C120,00", "1120RC120,00")
    assert read_mt940_statement(mt940.encode()).lines[0].amount == -12_000


# -- Whose account -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("iban", "written"),
    [
        (OURS, "37040045/0532013000"),
        (OURS, "37040044/532013001"),
        (OURS, "0532013000"),
        (OURS, ""),
        ("", "37040044/0532013000"),
        ("", ""),
    ],
)
def test_another_account(iban, written):
    assert not is_same_account(iban, written)


@pytest.mark.parametrize(
    ("iban", "written"),
    [
        ("DE89 3704 0044 0532 0130 00", "37040044/0532013000"),
        (OURS, "37040044/532013000EUR"),
        (OURS, OURS),
        ("CZ65 0800 0000 1920 0014 5399", "0800/19-2000145399"),
        ("AT61 1904 3002 3457 3201", "19043/00234573201"),
    ],
)
def test_the_same_account(iban, written):
    assert is_same_account(iban, written)


@pytest.mark.django_db
def test_an_account_by_code_and_number_is_known_and_its_lines_are_the_same(club):
    club.currency = "EUR"
    club.save()
    open_money_account(club, kind="bank", name="Giro", iban=OURS, balance=100_000, on=date(2026, 11, 1), by=None)
    written = MT940.format(ours="37040044/0532013000", theirs=THEIRS)
    statement = adapt_statement_to_club(club, read_camt_or_mt940(written.encode(), today=TODAY))
    assert save_new_lines(club, statement.lines, by=None) == SavedLineCounts(new_count=3, known_count=0)
    (found,) = reconcile_balances(club, statement.balances)
    assert found.difference == 0
    again = adapt_statement_to_club(
        club, read_camt_or_mt940(written.replace("37040044/0532013000", OURS).encode(), today=TODAY)
    )
    assert save_new_lines(club, again.lines, by=None) == SavedLineCounts(new_count=0, known_count=3)
