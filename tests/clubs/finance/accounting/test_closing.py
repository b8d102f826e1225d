"""The end of a year: bank lines under review, the cash book and the report, the accountant's files."""

from __future__ import annotations

import io
from datetime import date
from decimal import Decimal

import pytest
from django.utils import timezone, translation
from openpyxl import load_workbook
from pypdf import PdfReader

from clubs.finance.accounting.account_sheets import build_account_sheet
from clubs.finance.accounting.entries import correct_opening_balance, open_money_account, record_accounting_entry
from clubs.finance.accounting.reports import build_year_report, journal_table
from clubs.finance.accounting.year_closing import close_year, closed_years, reopen_year
from clubs.finance.bank.statements import ParsedStatementLine, save_new_lines
from clubs.finance.dues.forms import AmountField
from clubs.finance.dues.ledger import record_payment
from clubs.finance.dues.receipts import ledger_table
from clubs.models import BookAccount
from common.problems import OfficerConfirmationNeeded
from common.tabular.file_responses import render_csv, table_response
from common.text.amounts import explain_invalid_amount
from tests.clubs.member_scenario import make_book, page
from tests.module_fixtures import make_module_fixtures
from tests.scenario import Cast

pytestmark = pytest.mark.django_db

LAST_YEAR = timezone.localdate().year - 1


def make_rows() -> Cast:
    cast = make_book()
    begins = date(LAST_YEAR, 3, 1)
    for kind, name, balance in (("cash", "Box", 10_000), ("bank", "Giro", 50_000)):
        open_money_account(cast.club, kind=kind, name=name, iban="", balance=balance, on=begins, by=None)
    rent = BookAccount.objects.create(club=cast.club, kind="expense", name="Rent")
    record_accounting_entry(
        cast.club.book_accounts.get(name="Box"), rent, 1_290, on=date(LAST_YEAR, 4, 1), by=None, text="x"
    )
    return cast


made_once, cast = make_module_fixtures(make_rows)


def waits(cast: Cast, on: date) -> None:
    save_new_lines(cast.club, [ParsedStatementLine(booked_on=on, amount=500, text="x")], by=None)


def test_a_year_is_not_closed_over_lines_that_wait_without_a_word(cast):
    waits(cast, date(LAST_YEAR, 12, 30))
    with pytest.raises(OfficerConfirmationNeeded, match=f"Bank transactions to review for {LAST_YEAR} or earlier: 1"):
        close_year(cast.club, LAST_YEAR, figures={}, by=None, is_sure=False)
    treasurer = cast.browser("treasurer")
    assert (
        f"Bank transactions to review for {LAST_YEAR} or earlier: 1"
        in treasurer.get(page("accounting_year_report", LAST_YEAR)).text
    )
    treasurer.post(page("accounting_year_close", LAST_YEAR))
    assert not closed_years(cast.club)
    treasurer.post(page("accounting_year_close", LAST_YEAR), {"is_sure": "1"})
    assert closed_years(cast.club) == {LAST_YEAR}


def test_lines_of_the_next_year_and_those_left_aside_hold_nothing_up(cast):
    waits(cast, date(LAST_YEAR + 1, 1, 1))
    waits(cast, date(LAST_YEAR, 12, 31))
    cast.club.bank_lines.filter(booked_on=date(LAST_YEAR, 12, 31)).update(ignored_because="x")
    close_year(cast.club, LAST_YEAR, figures={}, by=None, is_sure=False)
    assert closed_years(cast.club) == {LAST_YEAR}


def test_the_cash_book_begins_with_what_the_report_begins_with(cast):
    box = cast.club.book_accounts.get(name="Box")
    correct_opening_balance(box, 25_050, reason="counted wrongly", by=None)
    reported = next(line for line in build_year_report(cast.club, LAST_YEAR).money if line.account == box)
    sheet = build_account_sheet(box, LAST_YEAR)
    assert (
        (sheet.opening_balance, sheet.closing_balance)
        == (reported.opening_balance, reported.closing_balance)
        == (25_050, 23_760)
    )
    assert [(line.amount, line.balance) for line in sheet.lines] == [(-1_290, 23_760)]
    assert len(sheet.opening_entries) == 3, "the first, what takes it back, and the one that is right"
    shown = cast.browser("treasurer").get(page("accounting_account_detail", box.pk), {"year": LAST_YEAR}).text
    assert all(entry.voucher_number in shown for entry in sheet.opening_entries)
    assert build_account_sheet(box, LAST_YEAR + 1).opening_balance == 23_760


def test_who_has_booked_sees_the_year_of_it(cast):
    box, rent = (cast.club.book_accounts.get(name=name) for name in ("Box", "Rent"))
    treasurer = cast.browser("treasurer")
    key = treasurer.get(page("accounting_entry_new")).context["form"].initial["form_key"]
    sent = {"form_key": key, "way": "out", "amount": "5", "on": f"{LAST_YEAR}-05-01", "money": box.pk, "other": rent.pk}
    assert treasurer.post(page("accounting_entry_new"), sent).url == f"{page('accounting_overview')}?year={LAST_YEAR}"


# -- For the accountant ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("language", "written", "voucher"), [("de", "12,90", "Buchung"), ("en", "12.90", "Entry")])
def test_the_csv_is_in_the_readers_language_and_numbers(cast, language, written, voucher):
    with translation.override(language):
        headings, rows = journal_table(cast.club, LAST_YEAR)
        text = table_response(headings, rows, "x", "csv", title="x", totals="all").content.decode("utf-8-sig")
    first, *lines = text.splitlines()
    assert first.split(";")[0] == voucher
    assert f";{written};" in lines[-1]
    assert all("opening" not in line for line in lines), "it is no account that the treasurer made"


def test_other_tables_keep_the_point():
    with translation.override("de"):
        assert b"1.5" in render_csv(["a"], [[Decimal("1.5")]])


@pytest.mark.one_database
def test_the_workbook_has_amounts_days_widths_and_sums(cast):
    record_payment(cast.members[5], 3_333, method="cash", paid_on=date(LAST_YEAR, 6, 1), by=None)
    with translation.override("de"):
        headings, rows = ledger_table(cast.club)
        data = table_response(headings, rows, "x", "xlsx", title="x", totals="Summe").content
    sheet = load_workbook(io.BytesIO(data)).active
    place = headings.index("Bezahlt") + 1
    paid, total = (sheet.cell(row, place) for row in (2, 3))
    assert (paid.value, paid.number_format) == (33.33, "#,##0.00")
    assert (sheet.cell(3, 1).value, total.value) == ("Summe", 33.33)
    assert sheet.cell(2, headings.index("Datum") + 1).number_format == "mm-dd-yy"
    assert sheet.column_dimensions["E"].width >= len("Nikt, Jan")
    assert "Zahlung" in [cell.value for cell in sheet[2]]


@pytest.mark.one_database
@pytest.mark.slow
def test_the_journal_and_the_cash_book_are_papers(cast):
    box = cast.club.book_accounts.get(name="Box")
    reopen = close_year(cast.club, LAST_YEAR, figures={}, by=None)
    reopen_year(cast.club, LAST_YEAR, reason="a voucher came late", by=None)
    assert reopen.closes
    treasurer = cast.browser("treasurer")
    addresses = (
        page("print_accounting_journal", LAST_YEAR),
        page("print_account_sheet", box.pk, LAST_YEAR),
        page("print_annual_accounts", LAST_YEAR),
    )
    journal, cash_book, report = (
        " ".join(text.extract_text() for text in PdfReader(io.BytesIO(treasurer.get(each).content)).pages)
        for each in addresses
    )
    assert "12.90" in journal
    assert "Opening balance" in journal
    assert "87.10" in cash_book, "100.00 less 12.90"
    assert "a voucher came late" in report
    assert treasurer.get(page("print_account_sheet", box.pk + 999, LAST_YEAR)).status_code == 404
    assert treasurer.get(page("print_accounting_journal", 1)).status_code == 404


# -- Amounts in forms --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "text", "meant"),
    [("de", "1.200", "1200 oder 1,20"), ("de", "3.500", "3500 oder 3,50"), ("en", "12,345", "12345 or 12.34")],
)
def test_an_amount_that_can_be_two_is_told_with_both(language, text, meant):
    with translation.override(language):
        assert meant in explain_invalid_amount(text)
        assert AmountField().prepare_value(9_998) == ("99,98" if language == "de" else "99.98")
