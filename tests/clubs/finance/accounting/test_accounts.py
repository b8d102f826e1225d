"""An account of the books: its sheet, opening balance and name, and reversals that keep each year correct."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.utils import timezone

from clubs.finance.accounting.account_sheets import build_account_sheet
from clubs.finance.accounting.entries import (
    correct_opening_balance,
    open_money_account,
    record_accounting_entry,
    reverse_accounting_entry,
)
from clubs.finance.accounting.reports import build_year_report
from clubs.finance.accounting.year_closing import close_year
from clubs.finance.dues.ledger import record_payment, record_refund, reverse_ledger_entry
from clubs.finance.dues.receipts import build_receipt_sheet
from clubs.models import BookAccount, BookEntry, Budget, Club, Member
from common.problems import OfficerProblem
from tests.clubs.member_scenario import make_book, page
from tests.module_fixtures import make_module_fixtures
from tests.scenario import Cast

pytestmark = pytest.mark.django_db

THIS_YEAR = timezone.localdate().year
LAST_YEAR = THIS_YEAR - 1
NEW_YEARS_DAY = date(LAST_YEAR, 1, 1)


def make_rows() -> Cast:
    cast = make_book()
    for kind, name, balance in (("cash", "Box", 10_000), ("bank", "Giro", 50_000)):
        open_money_account(cast.club, kind=kind, name=name, iban="", balance=balance, on=NEW_YEARS_DAY, by=None)
    for kind, name in (("expense", "Rent"), ("income", "Gifts")):
        BookAccount.objects.create(club=cast.club, kind=kind, name=name)
    return cast


made_once, cast = make_module_fixtures(make_rows)


def account(club: Club, name: str) -> BookAccount:
    return club.book_accounts.get(name=name)


def paid(club: Club, amount: int, on: date) -> BookEntry:
    return record_accounting_entry(account(club, "Box"), account(club, "Rent"), amount, on=on, by=None, text="x")


# -- What cannot be --------------------------------------------------------------------------------------------------


def test_a_cash_box_never_held_less_than_nothing(cast):
    for begin in (
        lambda: open_money_account(cast.club, kind="cash", name="B", iban="", balance=-1, on=NEW_YEARS_DAY, by=None),
        lambda: correct_opening_balance(account(cast.club, "Box"), -1, reason="x", by=None),
    ):
        with pytest.raises(OfficerProblem, match="cash box"):
            begin()


def test_nothing_is_dated_before_a_closed_year_either(cast):
    close_year(cast.club, LAST_YEAR, figures={}, by=None)
    for day in (date(LAST_YEAR, 12, 31), NEW_YEARS_DAY - timedelta(days=1)):
        with pytest.raises(OfficerProblem, match=f"{LAST_YEAR} is closed"):
            record_payment(cast.members[0], 700, method="cash", paid_on=day, by=None)
    with pytest.raises(OfficerProblem, match="closed"):
        correct_opening_balance(account(cast.club, "Box"), 1, reason="x", by=None)
    field = f"of_{account(cast.club, 'Rent').pk}"
    assert cast.browser("treasurer").post(page("year_budget_edit", LAST_YEAR), {field: "5"}).status_code == 422
    assert not Budget.objects.exists()


@pytest.mark.parametrize("days", [-1, 1])
def test_nothing_is_taken_back_before_it_was_booked_or_tomorrow(cast, days):
    day = timezone.localdate() - timedelta(days=3)
    entry = paid(cast.club, 500, day)
    on = day + timedelta(days=-1) if days < 0 else timezone.localdate() + timedelta(days=1)
    with pytest.raises(OfficerProblem, match="between"):
        reverse_accounting_entry(entry, reason="x", by=None, on=on)


@pytest.mark.parametrize(
    ("number", "is_kept"),
    [
        ("quatsch", False),
        ("DE00123", False),
        ("PL61 1090 1014 0000 0712 1981 2875", False),
        ("61109010140000071219812875", False),
        ("12", False),
        ("PL61 1090 1014 0000 0712 1981 2874", True),
        ("61 1090 1014 0000 0712 1981 2874", True),
        ("19-2000145399/0800", True),
        ("", True),
    ],
)
def test_the_clubs_account_number_has_right_check_digits(cast, number, is_kept):
    form = {"currency": cast.club.currency, "bank_account": number, "guest_nights_allowed": 3}
    answer = cast.browser("treasurer").post(page("dues_settings"), form)
    assert answer.status_code == (302 if is_kept else 422)


# -- Each year stays right -------------------------------------------------------------------------------------------


def test_an_entry_of_an_open_year_is_taken_back_in_it(cast):
    day = date(LAST_YEAR, 12, 31)
    assert reverse_accounting_entry(paid(cast.club, 4_000, day), reason="mistake", by=None).on == day
    assert (
        build_year_report(cast.club, LAST_YEAR).expense_amount
        == build_year_report(cast.club, THIS_YEAR).expense_amount
        == 0
    )
    today = timezone.localdate()
    entry = paid(cast.club, 300, today)
    assert reverse_accounting_entry(entry, reason="mistake", by=None).on == today
    late = paid(cast.club, 200, day)
    close_year(cast.club, LAST_YEAR, figures={}, by=None)
    assert reverse_accounting_entry(late, reason="mistake", by=None).on == today


def test_an_opening_balance_is_put_right_and_the_years_join(cast):
    browser = cast.browser("treasurer")
    form = {"balance": "85.40", "reason": "counted again"}
    assert browser.post(page("opening_balance_correct", account(cast.club, "Box").pk), form).status_code == 302
    last, this = build_year_report(cast.club, LAST_YEAR), build_year_report(cast.club, THIS_YEAR)
    assert (last.opening_balance, last.closing_balance, this.opening_balance) == (58_540, 58_540, 58_540)
    assert last.surplus == 0
    assert browser.post(page("opening_balance_correct", account(cast.club, "Rent").pk), form).status_code == 404


def test_what_was_paid_before_the_books_began_is_in_none_of_them_nor_is_taking_it_back(cast):
    entry = record_payment(cast.members[0], 100, method="cash", paid_on=NEW_YEARS_DAY - timedelta(days=1), by=None)
    reverse_ledger_entry(entry, reason="mistake", by=None)
    assert build_year_report(cast.club, THIS_YEAR).closing_balance == 60_000


# -- Sheets ----------------------------------------------------------------------------------------------------------


def test_the_sheet_of_an_account_and_of_a_category(cast):
    """100.00 in the box; 30.00 for rent in March, entered after 20.00 of May; a gift of 5.00 in June."""
    paid(cast.club, 2_000, date(LAST_YEAR, 5, 1))
    paid(cast.club, 3_000, date(LAST_YEAR, 3, 1))
    record_accounting_entry(
        account(cast.club, "Gifts"), account(cast.club, "Box"), 500, on=date(LAST_YEAR, 6, 1), by=None
    )
    box = build_account_sheet(account(cast.club, "Box"), LAST_YEAR)
    assert [(line.amount, line.balance) for line in box.lines] == [
        (-3_000, 7_000),
        (-2_000, 5_000),
        (500, 5_500),
    ]
    assert build_account_sheet(account(cast.club, "Box"), THIS_YEAR).opening_balance == 5_500
    assert [line.balance for line in build_account_sheet(account(cast.club, "Rent"), LAST_YEAR).lines] == [3_000, 5_000]
    assert build_account_sheet(account(cast.club, "Gifts"), LAST_YEAR).closing_balance == 500
    shown = cast.browser("treasurer").get(
        page("accounting_account_detail", account(cast.club, "Box").pk), {"year": LAST_YEAR}
    )
    assert "55.00" in shown.text
    narrowed = cast.browser("treasurer").get(
        page("accounting_account_detail", account(cast.club, "Box").pk), {"year": LAST_YEAR, "q": "GIFTS"}
    )
    assert [line.balance for line in narrowed.context["lines"]] == [5_500]


def test_an_account_is_called_otherwise_but_not_as_another(cast):
    browser, box = cast.browser("treasurer"), account(cast.club, "Box")
    open_money_account(cast.club, kind="cash", name="Tin", iban="", balance=0, on=NEW_YEARS_DAY, by=None)
    assert browser.post(page("accounting_account_edit", box.pk), {"name": "Tin"}).status_code == 422
    refused = browser.post(page("accounting_account_edit", box.pk), {"name": "Till", "is_closed": "on"})
    assert (refused.status_code, "Transfer it to another account first" in refused.text) == (422, True)
    tin = account(cast.club, "Tin")
    assert browser.post(page("accounting_account_edit", tin.pk), {"name": "Till", "is_closed": "on"}).status_code == 302
    tin.refresh_from_db()
    assert (tin.name, tin.is_closed) == ("Till", True)


def test_a_cash_box_below_nothing_is_asked_about(cast):
    browser = cast.browser("treasurer")
    key = browser.get(page("accounting_entry_new")).context["form"]["form_key"].value()
    form = {
        "form_key": key,
        "way": "out",
        "amount": "5000",
        "on": timezone.localdate().isoformat(),
        "money": account(cast.club, "Box").pk,
        "other": account(cast.club, "Rent").pk,
    }
    assert "Did you really pay out more?" in browser.post(page("accounting_entry_new"), form).text
    assert browser.post(page("accounting_entry_new"), form | {"is_sure": "on"}).status_code == 302


def test_who_is_given_money_back_signs_for_it(cast):
    jan: Member = cast.members[0]
    today = timezone.localdate()
    payment = record_payment(jan, 900, method="cash", paid_on=today, by=None)
    assert not build_receipt_sheet(payment).is_paid_out
    back = record_refund(jan, 900, method="cash", paid_on=today, by=None)
    assert build_receipt_sheet(back).is_paid_out
    shown = (
        cast.browser("treasurer").get(page("receipt_detail", *map(int, back.printed_receipt_number.split("/")))).text
    )
    assert "Paid out to" in shown
    assert "Received from" not in shown


def test_an_account_opened_without_a_balance_begins_with_nothing(cast):
    form = {"kind": "bank", "name": "Savings", "iban": "", "balance": "", "on": str(NEW_YEARS_DAY)}
    assert cast.browser("treasurer").post(page("accounting_account_new"), form).status_code == 302
    account = cast.club.book_accounts.get(name="Savings")
    assert build_account_sheet(account, LAST_YEAR).closing_balance == 0
