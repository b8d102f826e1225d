"""One account of the books: its sheet, opening balance and name; entries taken back so that each year stays right."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.utils import timezone

from clubs.finance.accounting.account_sheets import account_sheet
from clubs.finance.accounting.booking import book, correct_opening, open_account, take_back_entry
from clubs.finance.accounting.reports import year_report
from clubs.finance.accounting.years import close_year
from clubs.finance.dues.ledger import pay, refund, take_back
from clubs.finance.dues.receipts import receipt_sheet
from clubs.models import BookAccount, BookEntry, Budget, Club, Member
from common.problems import OfficerProblem
from tests.cast import Cast
from tests.clubs.book import make_book, page
from tests.sharing import once_a_module

pytestmark = pytest.mark.django_db

THIS_YEAR = timezone.localdate().year
LAST_YEAR = THIS_YEAR - 1
NEW_YEARS_DAY = date(LAST_YEAR, 1, 1)


def make_rows() -> Cast:
    cast = make_book()
    for kind, name, balance in (("cash", "Box", 10_000), ("bank", "Giro", 50_000)):
        open_account(cast.club, kind=kind, name=name, iban="", balance=balance, on=NEW_YEARS_DAY, by=None)
    for kind, name in (("expense", "Rent"), ("income", "Gifts")):
        BookAccount.objects.create(club=cast.club, kind=kind, name=name)
    return cast


made_once, cast = once_a_module(make_rows)


def account(club: Club, name: str) -> BookAccount:
    return club.book_accounts.get(name=name)


def paid(club: Club, amount: int, on: date) -> BookEntry:
    return book(account(club, "Box"), account(club, "Rent"), amount, on=on, by=None, text="x")


# -- What cannot be --------------------------------------------------------------------------------------------------


def test_a_cash_box_never_held_less_than_nothing(cast):
    for begin in (
        lambda: open_account(cast.club, kind="cash", name="B", iban="", balance=-1, on=NEW_YEARS_DAY, by=None),
        lambda: correct_opening(account(cast.club, "Box"), -1, reason="x", by=None),
    ):
        with pytest.raises(OfficerProblem, match="cash box"):
            begin()


def test_nothing_is_dated_before_a_closed_year_either(cast):
    close_year(cast.club, LAST_YEAR, figures={}, by=None)
    for day in (date(LAST_YEAR, 12, 31), NEW_YEARS_DAY - timedelta(days=1)):
        with pytest.raises(OfficerProblem, match=f"{LAST_YEAR} is closed"):
            pay(cast.members[0], 700, method="cash", paid_on=day, by=None)
    with pytest.raises(OfficerProblem, match="closed"):
        correct_opening(account(cast.club, "Box"), 1, reason="x", by=None)
    field = f"of_{account(cast.club, 'Rent').pk}"
    assert cast.browser("treasurer").post(page("books_budget", LAST_YEAR), {field: "5"}).status_code == 422
    assert not Budget.objects.exists()


@pytest.mark.parametrize("days", [-1, 1])
def test_nothing_is_taken_back_before_it_was_booked_or_tomorrow(cast, days):
    day = timezone.localdate() - timedelta(days=3)
    entry = paid(cast.club, 500, day)
    on = day + timedelta(days=-1) if days < 0 else timezone.localdate() + timedelta(days=1)
    with pytest.raises(OfficerProblem, match="between"):
        take_back_entry(entry, reason="x", by=None, on=on)


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
    answer = cast.browser("treasurer").post(page("money_settings"), form)
    assert answer.status_code == (302 if is_kept else 422)


# -- Each year stays right -------------------------------------------------------------------------------------------


def test_an_entry_of_an_open_year_is_taken_back_in_it(cast):
    day = date(LAST_YEAR, 12, 31)
    assert take_back_entry(paid(cast.club, 4_000, day), reason="mistake", by=None).on == day
    assert year_report(cast.club, LAST_YEAR).spent == year_report(cast.club, THIS_YEAR).spent == 0
    today = timezone.localdate()
    entry = paid(cast.club, 300, today)
    assert take_back_entry(entry, reason="mistake", by=None).on == today
    late = paid(cast.club, 200, day)
    close_year(cast.club, LAST_YEAR, figures={}, by=None)
    assert take_back_entry(late, reason="mistake", by=None).on == today


def test_an_opening_balance_is_put_right_and_the_years_join(cast):
    browser = cast.browser("treasurer")
    form = {"balance": "85.40", "reason": "counted again"}
    assert browser.post(page("books_opening", account(cast.club, "Box").pk), form).status_code == 302
    last, this = year_report(cast.club, LAST_YEAR), year_report(cast.club, THIS_YEAR)
    assert (last.opening, last.closing, this.opening) == (58_540, 58_540, 58_540)
    assert last.surplus == 0
    assert browser.post(page("books_opening", account(cast.club, "Rent").pk), form).status_code == 404


def test_what_was_paid_before_the_books_began_is_in_none_of_them_nor_is_taking_it_back(cast):
    entry = pay(cast.members[0], 100, method="cash", paid_on=NEW_YEARS_DAY - timedelta(days=1), by=None)
    take_back(entry, reason="mistake", by=None)
    assert year_report(cast.club, THIS_YEAR).closing == 60_000


# -- Sheets ----------------------------------------------------------------------------------------------------------


def test_the_sheet_of_an_account_and_of_a_category(cast):
    """100.00 in the box; 30.00 of rent in March, entered after 20.00 of May; a gift of 5.00 in June."""
    paid(cast.club, 2_000, date(LAST_YEAR, 5, 1))
    paid(cast.club, 3_000, date(LAST_YEAR, 3, 1))
    book(account(cast.club, "Gifts"), account(cast.club, "Box"), 500, on=date(LAST_YEAR, 6, 1), by=None)
    box = account_sheet(account(cast.club, "Box"), LAST_YEAR)
    assert [(line.amount, line.balance) for line in box.lines] == [
        (-3_000, 7_000),
        (-2_000, 5_000),
        (500, 5_500),
    ]
    assert account_sheet(account(cast.club, "Box"), THIS_YEAR).opening == 5_500
    assert [line.balance for line in account_sheet(account(cast.club, "Rent"), LAST_YEAR).lines] == [3_000, 5_000]
    assert account_sheet(account(cast.club, "Gifts"), LAST_YEAR).closing == 500
    shown = cast.browser("treasurer").get(page("books_account", account(cast.club, "Box").pk), {"year": LAST_YEAR})
    assert "55.00" in shown.text
    narrowed = cast.browser("treasurer").get(
        page("books_account", account(cast.club, "Box").pk), {"year": LAST_YEAR, "q": "GIFTS"}
    )
    assert [line.balance for line in narrowed.context["lines"]] == [5_500]


def test_an_account_is_called_otherwise_but_not_as_another(cast):
    browser, box = cast.browser("treasurer"), account(cast.club, "Box")
    open_account(cast.club, kind="cash", name="Tin", iban="", balance=0, on=NEW_YEARS_DAY, by=None)
    assert browser.post(page("books_account_edit", box.pk), {"name": "Tin"}).status_code == 422
    refused = browser.post(page("books_account_edit", box.pk), {"name": "Till", "is_closed": "on"})
    assert (refused.status_code, "book them to another account first" in refused.text) == (422, True)
    tin = account(cast.club, "Tin")
    assert browser.post(page("books_account_edit", tin.pk), {"name": "Till", "is_closed": "on"}).status_code == 302
    tin.refresh_from_db()
    assert (tin.name, tin.is_closed) == ("Till", True)


def test_a_cash_box_below_nothing_is_asked_about(cast):
    browser = cast.browser("treasurer")
    key = browser.get(page("books_entry_new")).context["form"]["form_key"].value()
    form = {
        "form_key": key,
        "way": "out",
        "amount": "5000",
        "on": timezone.localdate().isoformat(),
        "money": account(cast.club, "Box").pk,
        "other": account(cast.club, "Rent").pk,
    }
    assert "Can more have been paid out of it?" in browser.post(page("books_entry_new"), form).text
    assert browser.post(page("books_entry_new"), form | {"is_sure": "on"}).status_code == 302


def test_who_is_given_money_back_signs_for_it(cast):
    jan: Member = cast.members[0]
    today = timezone.localdate()
    payment = pay(jan, 900, method="cash", paid_on=today, by=None)
    assert not receipt_sheet(payment).is_paid_out
    back = refund(jan, 900, method="cash", paid_on=today, by=None)
    assert receipt_sheet(back).is_paid_out
    shown = cast.browser("treasurer").get(page("receipt", *map(int, back.receipt.split("/")))).text
    assert "Paid out to" in shown
    assert "Received from" not in shown


def test_an_account_opened_without_a_balance_begins_with_nothing(cast):
    form = {"kind": "bank", "name": "Savings", "iban": "", "balance": "", "on": str(NEW_YEARS_DAY)}
    assert cast.browser("treasurer").post(page("books_account_new"), form).status_code == 302
    account = cast.club.book_accounts.get(name="Savings")
    assert account_sheet(account, LAST_YEAR).closing == 0
