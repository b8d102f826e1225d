"""The actions that book money: how each is prepared, what its form sends, and what it may book once."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from datetime import date, timedelta
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile

from clubs.finance.accounting.entries import open_money_account, record_accounting_entry
from clubs.finance.accounting.year_closing import close_year
from clubs.finance.bank.line_splitting import split_bank_line
from clubs.finance.bank.statements import ParsedStatementLine, save_new_lines
from clubs.finance.direct_debit.debit_collections import create_debit_collection, first_bank_day_from
from clubs.finance.direct_debit.mandates import record_mandate
from clubs.finance.dues.guest_fees import record_guest_fee
from clubs.finance.dues.ledger import record_payment
from clubs.models import (
    AccountingYearStatusChange,
    BankBalance,
    BankStatementLine,
    BookAccount,
    Budget,
    Club,
    DirectDebitCollection,
    DirectDebitLine,
    DirectDebitMandate,
    DuesSeason,
    FeeClass,
    GuestNight,
    Member,
    Reminder,
    User,
    Voucher,
)
from common.models import Job
from tests.clubs.finance.bank.test_formats import camt, detail, entry
from tests.clubs.finance.dues.booking_scenarios import (
    a_category,
    a_line,
    a_member,
    a_picture,
    booking,
    entry_form,
    money_account,
    payment_form,
)
from tests.clubs.finance.dues.concurrent_tabs import TABS, Booking, yesterday
from tests.factories import make_member

IBAN = "DE89370400440532013000"
LAST_YEAR = date.today().year - 1
Prepare = Callable[[Club, User], Booking]


# -- The bank --------------------------------------------------------------------------------------------------------


def statement_pasted(club: Club, _by: User) -> Booking:
    text = f"{yesterday()}; 55.00; składka Nikt\n{yesterday()}; 20.00; Łoś"
    return booking("bank_statement_import", (), {"text": text}, club.bank_lines, wanted=(2,))


def statement_file(club: Club, _by: User) -> Booking:
    file = SimpleUploadedFile("c.xml", camt(entry(detail("x")), entry(detail("x"), reference="R-2")), "text/xml")
    # Each tab gets a copy, because a file can be read only once.
    return booking(
        "bank_statement_import", (), [{"file": _again(file)} for _tab in range(TABS)], club.bank_lines, wanted=(2,)
    )


def _again(file: SimpleUploadedFile) -> SimpleUploadedFile:
    file.seek(0)
    return SimpleUploadedFile(str(file.name), file.read(), "text/xml")


def line_of_a_member(club: Club, _by: User) -> Booking:
    line, member = a_line(club), a_member(club, owes=5_500)
    form = {"target": f"member:{member.pk}"}
    return booking("bank_line_book", [line.pk], form, club.ledger, club.book_entries)


def line_of_a_category(club: Club, _by: User) -> Booking:
    line = a_line(club, -700)
    return booking("bank_line_book", [line.pk], {"target": f"account:{a_category(club).pk}"}, club.book_entries)


def certain_lines(club: Club, _by: User) -> Booking:
    member = a_member(club, owes=5_500)
    reference = member.accounts.get().payment_reference
    save_new_lines(
        club, [ParsedStatementLine(booked_on=yesterday(), amount=5_500, text=reference, party="Jan Nikt")], by=None
    )
    return booking("bank_lines_book_certain", (), {}, club.ledger, club.book_entries)


def line_split(club: Club, _by: User) -> Booking:
    """A line of 55.00: 30.00 for a member, the rest to a category."""
    member, other = a_member(club, owes=5_500), BookAccount.objects.create(club=club, kind="income", name="Darowizny")
    money_account(club, "bank")
    form = {"form-TOTAL_FORMS": 2, "form-INITIAL_FORMS": 0, "form-0-amount": "30", "form-1-amount": ""}
    form |= {"form-0-target": f"member:{member.pk}", "form-1-target": f"account:{other.pk}"}
    made = (club.ledger, club.book_entries, club.bank_lines)
    return booking("bank_line_split", [a_line(club).pk], form, *made, wanted=(1, 2, 2))


def line_whole_again(club: Club, _by: User) -> Booking:
    line = a_line(club)
    split_bank_line(line, [(3_000, None), (2_500, None)], by=None)
    return booking("bank_line_unsplit", [line.pk], {}, BankStatementLine.objects.filter(part_of=line), wanted=(-2,))


def banks_balance(club: Club, _by: User) -> Booking:
    form = {"account": money_account(club, "bank").pk, "on": yesterday(), "amount": "12"}
    return booking("bank_balance_add", (), form, BankBalance.objects.filter(club=club))


# -- Members' accounts -----------------------------------------------------------------------------------------------


def payment(club: Club, _by: User) -> Booking:
    return booking("payment_add", [a_member(club, owes=1_000).pk], payment_form(), club.ledger, club.book_entries)


def refund(club: Club, _by: User) -> Booking:
    return booking("refund_add", [a_member(club, has_paid=9_000).pk], payment_form(), club.ledger, club.book_entries)


def refund_by_six_forms(club: Club, _by: User) -> Booking:
    """Six tabs opened one after another: only an overpayment can be refunded."""
    forms: list[Mapping[str, Any]] = [payment_form() for _tab in range(TABS)]
    return booking("refund_add", [a_member(club, has_paid=1_000).pk], forms, club.ledger, club.book_entries)


def waiver(club: Club, _by: User) -> Booking:
    form = {"form_key": uuid.uuid4(), "amount": "10.00", "reason": "zasłużony"}
    return booking("waiver_add", [a_member(club, owes=9_000).pk], form, club.ledger)


def waiver_by_six_forms(club: Club, _by: User) -> Booking:
    forms: list[Mapping[str, Any]] = [
        {"form_key": uuid.uuid4(), "amount": "10.00", "reason": "zasłużony"} for _tab in range(TABS)
    ]
    return booking("waiver_add", [a_member(club, owes=1_000).pk], forms, club.ledger)


def charged_by_hand(club: Club, _by: User) -> Booking:
    form = {"form_key": uuid.uuid4(), "text": "kubek", "amount": "8.00", "due_on": date.today()}
    return booking("charge_add", [a_member(club).pk], form, club.ledger)


def guest_charged(club: Club, _by: User) -> Booking:
    """A walk-in guest who pays for the evening."""
    guest = a_member(club, status="guest")
    form = {"form_key": uuid.uuid4(), "text": "wieczór", "amount": "3.00", "due_on": date.today()}
    return booking("charge_add", [guest.pk], form, club.ledger)


def payment_taken_back(club: Club, _by: User) -> Booking:
    line = record_payment(a_member(club), 1_000, method="cash", paid_on=yesterday(), by=None)
    return booking("ledger_entry_reverse", [line.pk], {"reason": "pomyłka"}, club.ledger, club.book_entries)


# -- Seasons and guests ----------------------------------------------------------------------------------------------


def _season(club: Club, **fields: object) -> DuesSeason:
    year = date.today().year
    facts = {"name": "2026", "starts_on": date(year, 1, 1), "ends_on": date(year, 12, 31), "due_on": yesterday()}
    season = DuesSeason.objects.create(club=club, **(facts | fields))
    FeeClass.objects.create(season=season, name="Wszyscy", amount=12_000)
    return season


def season_charged(club: Club, _by: User) -> Booking:
    season = _season(club, instalments=2)
    for number in range(5):
        make_member(club, f"Pionek, Nr{number}", status="member")
    form = {"count": "5", "sum": "60000"}
    return booking("dues_season_charge", [season.pk], form, club.ledger, wanted=(10,))


def leavers_lowered(club: Club, by: User) -> Booking:
    from clubs.finance.dues.season_charges import charge_season, propose_season_charges

    season = _season(club, part_counts_by="half")
    member = a_member(club)
    charge_season(season, by=by)
    Member.objects.filter(pk=member.pk).update(status="former", left_on=season.starts_on + timedelta(days=20))
    too_much = sum(due.overcharged_amount for due in propose_season_charges(season))
    return booking("dues_season_reduce", [season.pk], {"sum": str(too_much)}, club.ledger)


def _fees(**first: object) -> dict[str, Any]:
    management = {"fees-TOTAL_FORMS": 1, "fees-INITIAL_FORMS": 0, "fees-MIN_NUM_FORMS": 0, "fees-MAX_NUM_FORMS": 1000}
    return management | {f"fees-0-{name}": value for name, value in first.items()}


def new_season(club: Club, _by: User) -> Booking:
    form = {"name": "2027", "starts_on": "2027-01-01", "ends_on": "2027-12-31", "due_on": "2027-02-01"}
    form |= {"instalments": "1"} | _fees(place=1, name="Wszyscy", amount="120", status="", family="")
    return booking("dues_season_new", (), form, club.seasons, FeeClass.objects.filter(season__club=club))


def fee_class_added(club: Club, _by: User) -> Booking:
    season = _season(club)
    form = {name: getattr(season, name) for name in ("name", "starts_on", "ends_on", "due_on", "instalments")}
    form |= _fees(place=2, name="Uczniowie", amount="60", status="", family="")
    return booking("dues_season_edit", [season.pk], form, season.fee_classes)


def guest_night(club: Club, _by: User) -> Booking:
    guest = a_member(club, status="guest")
    return booking("guest_night_record", [guest.pk], {"on": yesterday()}, GuestNight.objects.filter(member=guest))


def guest_joins(club: Club, _by: User) -> Booking:
    guest = a_member(club, status="guest")
    joined = Member.objects.filter(pk=guest.pk, status="member")
    return booking("guest_join", [guest.pk], {"on": yesterday()}, joined)


def guest_fee(club: Club, _by: User) -> Booking:
    Club.objects.filter(pk=club.pk).update(guest_night_fee=1_000)
    guest = a_member(club, status="guest")
    nights = GuestNight.objects.filter(member=guest)
    made = (club.ledger, club.book_entries, nights)
    return booking("guest_fee_record", [guest.pk], {"on": yesterday()}, *made, wanted=(2, 1, 1))


def paying_guest_joins(club: Club, _by: User) -> Booking:
    Club.objects.filter(pk=club.pk).update(guest_night_fee=1_000)
    guest = a_member(club, status="guest")
    record_guest_fee(guest, yesterday(), by=None)
    return booking("guest_join", [guest.pk], {"on": yesterday()}, club.ledger)


def reminders(club: Club, _by: User) -> Booking:
    member = a_member(club, owes=1_000, email="jan@poczta.example")
    sent = Reminder.objects.filter(member=member)
    jobs = Job.objects.filter(club=club)
    return booking("overdue_reminders_send", (), {"member": [member.pk]}, sent, jobs)


# -- The books -------------------------------------------------------------------------------------------------------


def expense(club: Club, _by: User) -> Booking:
    return booking(
        "accounting_entry_new", (), entry_form("out", money_account(club), a_category(club)), club.book_entries
    )


def expense_with_voucher(club: Club, _by: User) -> Booking:
    form = entry_form("out", money_account(club), a_category(club))
    forms: list[Mapping[str, Any]] = [form | {"file": a_picture()} for _tab in range(TABS)]
    return booking("accounting_entry_new", (), forms, club.book_entries, Voucher.objects.filter(entry__club=club))


def moved(club: Club, _by: User) -> Booking:
    return booking(
        "accounting_entry_new",
        (),
        entry_form("move", money_account(club), money_account(club, "bank")),
        club.book_entries,
    )


def entry_taken_back(club: Club, _by: User) -> Booking:
    made = record_accounting_entry(money_account(club), a_category(club), 700, on=yesterday(), by=None)
    return booking("accounting_entry_reverse", [made.pk], {"reason": "pomyłka"}, club.book_entries)


def voucher_added(club: Club, _by: User) -> Booking:
    made = record_accounting_entry(money_account(club), a_category(club), 700, on=yesterday(), by=None)
    forms: list[Mapping[str, Any]] = [{"file": a_picture()} for _tab in range(TABS)]
    return booking("voucher_add", [made.pk], forms, made.vouchers)


def account_opened(club: Club, _by: User) -> Booking:
    form = {"kind": "bank", "name": "Oszczędności", "iban": "", "balance": "500", "on": yesterday()}
    return booking("accounting_account_new", (), form, club.book_accounts, club.book_entries)


def opening_corrected(club: Club, by: User) -> Booking:
    """100.00 were entered as 10.00: the wrong booking is reversed, the right one made."""
    account = open_money_account(club, kind="bank", name="Giro", iban="", balance=1_000, on=yesterday(), by=by)
    form = {"balance": "100", "reason": "pomyłka"}
    return booking("opening_balance_correct", [account.pk], form, club.book_entries, wanted=(2,))


def category_made(club: Club, _by: User) -> Booking:
    return booking("accounting_account_new", (), {"kind": "income", "name": "Darowizny"}, club.book_accounts)


def budget(club: Club, _by: User) -> Booking:
    of = a_category(club)
    made = Budget.objects.filter(account=of)
    return booking("year_budget_edit", [date.today().year], {f"of_{of.pk}": "90"}, made)


def year_closed(club: Club, _by: User) -> Booking:
    return booking("accounting_year_close", [LAST_YEAR], {}, AccountingYearStatusChange.objects.filter(club=club))


def year_reopened(club: Club, by: User) -> Booking:
    close_year(club, LAST_YEAR, figures={}, by=by)
    return booking(
        "accounting_year_close",
        [LAST_YEAR],
        {"reason": "korekta"},
        AccountingYearStatusChange.objects.filter(club=club),
    )


# -- Direct debits ---------------------------------------------------------------------------------------------------


def _with_mandate(club: Club) -> Member:
    member = a_member(club, owes=5_000)
    record_mandate(member, reference="M1", holder="Jan Nikt", iban=IBAN, signed_on=yesterday())
    return member


def _collection(club: Club) -> DirectDebitCollection:
    day = date.today() + timedelta(days=14)
    return create_debit_collection(
        club, {_with_mandate(club).pk}, on=first_bank_day_from(day), by=None, form_key=uuid.uuid4()
    )


def mandate(club: Club, _by: User) -> Booking:
    form = {"reference": "M1", "holder": "Jan Nikt", "iban": IBAN, "signed_on": yesterday()}
    return booking("mandate_edit", [a_member(club).pk], form, DirectDebitMandate.objects.filter(member__club=club))


def collected(club: Club, _by: User) -> Booking:
    member = _with_mandate(club)
    form = {
        "on": first_bank_day_from(date.today() + timedelta(days=14)),
        "form_key": uuid.uuid4(),
        "member": [member.pk],
    }
    lines = DirectDebitLine.objects.filter(collection__club=club)
    return booking("debit_collection_new", (), form, club.collections, lines)


def collected_by_six_forms(club: Club, _by: User) -> Booking:
    member = _with_mandate(club)
    day = first_bank_day_from(date.today() + timedelta(days=14))
    forms: list[Mapping[str, Any]] = [
        {"on": day, "form_key": uuid.uuid4(), "member": [member.pk]} for _tab in range(TABS)
    ]
    return booking("debit_collection_new", (), forms, club.collections)


def collection_arrived(club: Club, _by: User) -> Booking:
    made = _collection(club)
    # Collections are made for a future day; this one must be in the past.
    DirectDebitCollection.objects.filter(pk=made.pk).update(collected_on=yesterday())
    return booking("debit_collection_book", [made.pk], {"on": yesterday()}, club.ledger, club.book_entries)


def collection_taken_back(club: Club, _by: User) -> Booking:
    made = _collection(club)
    gone = DirectDebitCollection.objects.filter(pk=made.pk).exclude(taken_back_at=None)
    return booking("debit_collection_cancel", [made.pk], {}, gone)


BOOKINGS: dict[str, Prepare] = {
    "a statement pasted, two lines": statement_pasted,
    "a statement's file, two lines": statement_file,
    "a line of the bank booked for a member": line_of_a_member,
    "a line of the bank booked into a category": line_of_a_category,
    "all certain lines booked": certain_lines,
    "a line of the bank split over a member and a category": line_split,
    "a split line put together again": line_whole_again,
    "what the bank says is there": banks_balance,
    "a payment": payment,
    "a refund": refund,
    "a refund of all that was too much, by six forms": refund_by_six_forms,
    "a waiver": waiver,
    "a waiver of all that is owed, by six forms": waiver_by_six_forms,
    "a due by hand": charged_by_hand,
    "a guest's due": guest_charged,
    "a payment taken back": payment_taken_back,
    "a season charged, five members in two instalments": season_charged,
    "leavers' dues lowered": leavers_lowered,
    "a new season with a fee class": new_season,
    "a fee class added": fee_class_added,
    "a guest's night": guest_night,
    "a guest joins": guest_joins,
    "a guest's fee": guest_fee,
    "a guest who has paid joins": paying_guest_joins,
    "a reminder": reminders,
    "an expense": expense,
    "an expense with its voucher": expense_with_voucher,
    "between two accounts": moved,
    "an entry taken back": entry_taken_back,
    "a voucher added": voucher_added,
    "an account opened": account_opened,
    "an opening balance put right": opening_corrected,
    "a category made": category_made,
    "a budget": budget,
    "a year closed": year_closed,
    "a year opened again": year_reopened,
    "a mandate": mandate,
    "a collection": collected,
    "a collection, by six forms": collected_by_six_forms,
    "a collection booked": collection_arrived,
    "a collection taken back": collection_taken_back,
}
