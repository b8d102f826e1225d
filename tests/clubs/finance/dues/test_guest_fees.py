"""A guest's fee for an evening: paid once, separate from dues, and deducted when the guest joins."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.utils import timezone

from clubs.finance.accounting.entries import open_money_account
from clubs.finance.accounting.reports import build_year_report
from clubs.finance.dues.balances import MemberBalance, balance_of_member
from clubs.finance.dues.guest_fees import record_guest_fee
from clubs.finance.dues.ledger import charge_member, record_payment, reverse_ledger_entry
from clubs.membership.members.guest_nights import list_guest_attendance, make_guest_a_member, remove_guest_night
from clubs.models import BookAccount, GuestNight, LedgerEntry, Member
from common.problems import OfficerProblem
from tests.clubs.member_scenario import make_book, page
from tests.factories import make_member

TODAY = date.today()


@pytest.fixture
def guest(club) -> Member:
    club.guest_night_fee = 1_000
    club.save()
    return make_member(club, "Gość, Ola", status="guest")


def test_no_fee_of_a_member_none_that_is_not_asked_for_none_twice_and_none_of_tomorrow(club, guest):
    member = make_member(club, "Nikt, Jan")
    record_guest_fee(guest, TODAY, by=None)
    for who, day in ((member, TODAY), (guest, TODAY), (guest, TODAY + timedelta(days=2))):
        with pytest.raises(OfficerProblem):
            record_guest_fee(who, day, by=None)
    club.guest_night_fee = 0
    club.save()
    with pytest.raises(OfficerProblem):
        record_guest_fee(guest, TODAY - timedelta(days=1), by=None)
    assert (LedgerEntry.objects.count(), GuestNight.objects.count()) == (2, 1)


def test_a_fee_is_income_of_guest_nights_and_no_credit(club, guest):
    open_money_account(club, kind="cash", name="Kasa", iban="", balance=0, on=TODAY - timedelta(days=9), by=None)
    for day in (TODAY, TODAY - timedelta(days=7)):
        record_guest_fee(guest, day, by=None)
    record_payment(make_member(club, "Nikt, Jan"), 5_000, method="cash", paid_on=TODAY, by=None)
    assert balance_of_member(guest, today=TODAY).amount_owed == 0
    booked: dict[str, int] = {}
    for year in {TODAY.year, (TODAY - timedelta(days=7)).year}:
        for each in build_year_report(club, year).income:
            booked[each.account.name] = booked.get(each.account.name, 0) + each.actual
    assert booked == {"Guest nights": 2_000, "Members' dues": 5_000}
    (counted,) = list_guest_attendance(club)
    assert (counted.nights_attended, counted.nights_paid) == (2, 2)


def test_a_category_that_the_club_has_made_already_is_taken(club, guest):
    mine = BookAccount.objects.create(club=club, kind="income", name="Guest nights", is_closed=True)
    open_money_account(club, kind="cash", name="Kasa", iban="", balance=0, on=TODAY, by=None)
    record_guest_fee(guest, TODAY, by=None)
    mine.refresh_from_db()
    assert (mine.is_for_guests, mine.is_closed) == (True, False)


def test_an_evening_that_was_paid_is_not_uncounted_and_a_fee_taken_back_is_taken_anew(club, guest):
    open_money_account(club, kind="cash", name="Kasa", iban="", balance=0, on=TODAY, by=None)
    paid = record_guest_fee(guest, TODAY, by=None)
    with pytest.raises(OfficerProblem):
        remove_guest_night(guest, TODAY)
    reverse_ledger_entry(paid, reason="pomyłka", by=None)
    assert balance_of_member(guest, today=TODAY).amount_owed == 1_000, "he has been here, and owes it"
    assert [each.actual for each in build_year_report(club, TODAY.year).income] == [0]
    record_guest_fee(guest, TODAY, by=None)
    assert balance_of_member(guest, today=TODAY).amount_owed == 0


def test_what_a_guest_paid_counts_for_dues_after_joining(club, guest):
    """120.00 less three evenings at 10.00, one of which was refunded: 100.00, calculated by hand."""
    nights = [record_guest_fee(guest, TODAY - timedelta(days=days), by=None) for days in (21, 14, 7)]
    reverse_ledger_entry(nights[2], reason="oddane", by=None)
    assert balance_of_member(guest, today=TODAY).amount_owed == 1_000
    reverse_ledger_entry(
        LedgerEntry.objects.get(kind="due", guest_night_on=TODAY - timedelta(days=7)), reason="oddane", by=None
    )
    make_guest_a_member(guest, TODAY)
    with pytest.raises(OfficerProblem):
        make_guest_a_member(guest, TODAY)
    charge_member(guest, 12_000, text="składka", due_on=TODAY, by=None)
    assert balance_of_member(guest, today=TODAY) == MemberBalance(charged=12_000, paid=2_000)


def test_who_joins_without_having_paid_is_credited_nothing(club, guest):
    make_guest_a_member(guest, TODAY)
    assert not LedgerEntry.objects.exists()


@pytest.mark.django_db
def test_the_fee_is_said_in_the_settings_and_taken_on_the_page_of_guests():
    cast = make_book()
    treasurer, arbiter = cast.browser("treasurer"), cast.browser("arbiter")
    guest = make_member(cast.club, "Gość, Ola", status="guest")
    day = timezone.localdate().isoformat()
    assert "guest_fee_record" not in arbiter.get(page("guest_list")).text
    sent = {"currency": "EUR", "bank_account": "", "email": "", "guest_nights_allowed": "3"}
    assert treasurer.post(page("dues_settings"), sent | {"guest_night_fee": "-7"}).status_code == 422
    assert treasurer.post(page("dues_settings"), sent | {"guest_night_fee": "7,50"}).status_code == 302
    address = page("guest_fee_record", guest.pk)
    assert address in treasurer.get(page("guest_list")).text
    assert address not in arbiter.get(page("guest_list")).text
    assert arbiter.post(address, {"on": day}).status_code == 403
    for _time in range(2):
        treasurer.post(address, {"on": day})
    entry = LedgerEntry.objects.get(kind="payment")
    assert (entry.amount, entry.guest_night_on) == (750, timezone.localdate())
    answer = arbiter.post(page("guest_night_record", guest.pk), {"on": day, "remove": "1"}, follow=True)
    assert entry.printed_receipt_number in answer.text
    assert GuestNight.objects.count() == 1
