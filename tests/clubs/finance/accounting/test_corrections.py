"""Corrections in the books: their dates, opening balances, closed years, and a single account."""

from __future__ import annotations

import re
import uuid
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
from clubs.finance.accounting.year_closing import close_year, reopen_year
from clubs.finance.dues.ledger import charge_member, record_payment, reverse_ledger_entry, waive_dues
from clubs.models import BookAccount, BookEntry, Budget, Club
from common.problems import OfficerConfirmationNeeded, OfficerProblem
from tests.clubs.member_scenario import make_book, page
from tests.factories import make_member
from tests.module_fixtures import make_module_fixtures

pytestmark = pytest.mark.django_db

made_once, cast = make_module_fixtures(make_book)

NEW_YEAR = date(2025, 1, 1)
LAST_DAY = date(2025, 12, 31)
THIS_YEAR = 2026


@pytest.fixture(autouse=True)
def in_the_year_2026(monkeypatch):
    """Years are closed in these tests, so each has a fixed date."""
    monkeypatch.setattr(timezone, "localdate", lambda *_more: date(THIS_YEAR, 11, 22))


def account(club: Club, kind: str = "cash", balance: int = 10_000, name: str = "Kasa", on: date = NEW_YEAR):
    return open_money_account(club, kind=kind, name=name, iban="", balance=balance, on=on, by=None)


def category(club: Club, name: str = "Czynsz", kind: str = "expense") -> BookAccount:
    return BookAccount.objects.create(club=club, kind=kind, name=name)


def closed(club: Club, year: int = 2025) -> None:
    close_year(club, year, figures=build_year_report(club, year).closing_figures, by=None)


def ends_and_begins(club: Club) -> tuple[int, int]:
    return build_year_report(club, 2025).closing_balance, build_year_report(club, 2026).opening_balance


# -- On which day ----------------------------------------------------------------------------------------------------


def test_a_mistake_of_a_year_that_is_open_is_taken_back_within_it(club):
    cash, rent = account(club), category(club)
    entry = record_accounting_entry(cash, rent, 4_000, on=LAST_DAY, by=None)
    counter = reverse_accounting_entry(entry, reason="Pomyłka", by=None)
    assert (counter.on, counter.voucher_number) == (LAST_DAY, "2025/3")
    assert build_year_report(club, 2025).expense_amount == 0
    payment = record_payment(make_member(club, "Nikt, Jan"), 500, method="cash", paid_on=LAST_DAY, by=None)
    assert reverse_ledger_entry(payment, reason="Pomyłka", by=None).book_entry.on == LAST_DAY
    assert (ends_and_begins(club), build_year_report(club, 2026).entry_count) == ((10_000, 10_000), 0)


def test_of_a_closed_year_it_is_taken_back_today(club):
    cash, rent = account(club), category(club)
    entry = record_accounting_entry(cash, rent, 4_000, on=LAST_DAY, by=None)
    closed(club)
    with pytest.raises(OfficerProblem, match="2025 is closed"):
        reverse_accounting_entry(entry, reason="x", by=None, on=LAST_DAY)
    assert reverse_accounting_entry(entry, reason="x", by=None).on == timezone.localdate()


@pytest.mark.parametrize("days", [-1, 400])
def test_it_is_taken_back_neither_before_it_was_nor_in_the_future(club, days):
    entry = record_accounting_entry(account(club), category(club), 4_000, on=LAST_DAY, by=None)
    with pytest.raises(OfficerProblem):
        reverse_accounting_entry(entry, reason="x", by=None, on=LAST_DAY + timedelta(days=days))


# -- Opening balances ------------------------------------------------------------------------------------------------


def test_an_opening_balance_put_right_lets_the_years_join(club):
    cash = account(club, balance=5_000)
    account(club, "bank", 100_000, "Bank")
    for balance in (7_050, 0, 8_540):
        correct_opening_balance(cash, balance, reason="x", by=None)
        assert ends_and_begins(club) == (100_000 + balance, 100_000 + balance)
    assert build_year_report(club, 2025).opening_balance == 108_540
    opening = BookEntry.objects.filter(target=cash, corrects=None).first()
    assert set(BookEntry.objects.values_list("on", flat=True)) == {NEW_YEAR}
    with pytest.raises(OfficerProblem, match="already"):
        reverse_accounting_entry(opening, reason="x", by=None)


def test_an_opening_balance_of_a_closed_year_stays(club):
    cash = account(club)
    closed(club)
    for attempt in (
        lambda: correct_opening_balance(cash, 5_000, reason="x", by=None),
        lambda: reverse_accounting_entry(BookEntry.objects.get(), reason="x", by=None),
        lambda: reverse_accounting_entry(BookEntry.objects.get(), reason="x", by=None, on=timezone.localdate()),
    ):
        with pytest.raises(OfficerProblem, match="2025 is closed"):
            attempt()
    assert ends_and_begins(club) == (10_000, 10_000)


def test_a_cash_box_does_not_begin_below_nothing(club):
    with pytest.raises(OfficerProblem, match="have a negative balance"):
        account(club, balance=-5_000)
    cash = account(club)
    with pytest.raises(OfficerProblem, match="have a negative balance"):
        correct_opening_balance(cash, -1, reason="x", by=None)
    assert account(club, "bank", -5_000, "Bank")


# -- Closed years ----------------------------------------------------------------------------------------------------


def test_nothing_is_dated_before_a_closed_year_either(club):
    account(club)
    closed(club)
    jan = make_member(club, "Nikt, Jan")
    with pytest.raises(OfficerProblem, match="2025 is closed"):
        record_payment(jan, 700, method="cash", paid_on=date(2024, 12, 30), by=None)
    reopen_year(club, 2025, reason="x", by=None)
    assert record_payment(jan, 700, method="cash", paid_on=date(2024, 12, 30), by=None)


def test_the_report_of_a_closed_year_keeps_what_was_owed_when_it_was_closed(club):
    account(club)
    jan = make_member(club, "Nikt, Jan")
    charge_member(jan, 9_000, text="2025", due_on=date(2025, 6, 1), by=None)
    closed(club)
    charge_member(jan, 1_000, text="zaległe", due_on=date(2025, 7, 1), by=None)
    waive_dues(jan, 4_000, reason="x", by=None)
    assert build_year_report(club, 2025).dues_outstanding == 9_000
    reopen_year(club, 2025, reason="x", by=None)
    assert build_year_report(club, 2025).dues_outstanding == 10_000


def test_more_and_less_than_the_budget_are_told_apart(cast):
    cash, rent, gifts = account(cast.club), category(cast.club), category(cast.club, "Darowizny", "income")
    for each, expected in ((rent, 5_000), (gifts, 8_000)):
        Budget.objects.create(account=each, year=2025, amount=expected)
    record_accounting_entry(cash, rent, 4_000, on=LAST_DAY, by=None)
    record_accounting_entry(gifts, cash, 7_000, on=LAST_DAY, by=None)
    text = re.sub(r"\s+", " ", cast.browser("treasurer").get(page("accounting_year_report", 2025)).text)
    assert text.count('badge good">€10.00') == text.count('badge care">€10.00') == 2, "each, and in all"
    expected = build_year_report(cast.club, 2025).surplus_and_budget
    assert (expected.actual, expected.budget, expected.difference) == (3_000, 3_000, 0)


# -- Before the books begin ------------------------------------------------------------------------------------------


def test_a_payment_before_the_books_begin_is_out_of_them_with_what_takes_it_back(cast):
    cash, person = account(cast.club), cast.members[5]
    treasurer = cast.browser("treasurer")
    sent = {"amount": "1", "method": "cash", "paid_on": "2024-12-31", "form_key": str(uuid.uuid4())}
    answer = treasurer.post(page("payment_add", person.pk), sent, follow=True)
    assert "Accounting starts after this date, so this is only recorded in the dues ledger" in answer.text
    payment = person.accounts.get().ledger.get()
    reverse_ledger_entry(payment, reason="x", by=None, on=timezone.localdate())
    assert build_account_sheet(cash, 2026).closing_balance == 10_000
    assert BookEntry.objects.count() == 1


# -- One account -----------------------------------------------------------------------------------------------------


# -- Asked before it is booked ---------------------------------------------------------------------------------------


def test_a_slip_is_asked_about_before_it_is_booked(club):
    cash, rent, gifts = account(club), category(club), category(club, "Darowizny", "income")
    record_accounting_entry(cash, rent, 700, on=LAST_DAY, by=None)
    for source, target, amount in (
        (cash, rent, 9_301),
        (cash, rent, 700),
        (rent, cash, 100),
        (cash, gifts, 100),
    ):
        with pytest.raises(OfficerConfirmationNeeded):
            record_accounting_entry(source, target, amount, on=LAST_DAY, by=None, is_sure=False)
        assert record_accounting_entry(source, target, amount, on=LAST_DAY, by=None)
        reverse_accounting_entry(BookEntry.objects.last(), reason="x", by=None)
    assert record_accounting_entry(cash, rent, 9_300, on=LAST_DAY, by=None, is_sure=False), "all that is in it"


def test_the_question_comes_back_with_the_form_and_is_answered_there(cast):
    cash, rent = account(cast.club), category(cast.club)
    treasurer = cast.browser("treasurer")
    sent = {"form_key": str(uuid.uuid4()), "way": "out", "amount": "5000", "on": "2025-06-01"}
    sent |= {"money": cash.pk, "other": rent.pk, "text": "łódź"}
    asked = treasurer.post(page("accounting_entry_new"), sent)
    assert (asked.status_code, 'name="is_sure"' in asked.text, 'value="łódź"' in asked.text) == (422, True, True)
    assert treasurer.post(page("accounting_entry_new"), sent | {"is_sure": "on"}).status_code == 302
    again = treasurer.post(page("accounting_entry_new"), sent | {"amount": "11"})
    assert "11.00" in again.text
    assert "was not recorded. Open the page again to enter it" in again.text
    assert treasurer.post(page("accounting_entry_new"), sent).status_code == 302, "the same once more is no second"
    assert build_account_sheet(cash, 2025).closing_balance == 10_000 - 500_000
