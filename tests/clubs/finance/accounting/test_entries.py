"""The books: entries balance, closed years stay closed, and every payment of dues is there once."""

from __future__ import annotations

import uuid
from contextlib import suppress
from datetime import date, timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from clubs.finance.accounting.entries import open_money_account, record_accounting_entry, reverse_accounting_entry
from clubs.finance.accounting.reports import build_year_report
from clubs.finance.accounting.vouchers import add_voucher
from clubs.finance.accounting.year_closing import close_year, reopen_year
from clubs.finance.bank.line_booking import book_bank_line, book_certain_lines
from clubs.finance.bank.matching import bank_lines_to_review, propose_line_bookings
from clubs.finance.bank.statement_reader import read_camt_or_mt940, read_pasted_statement
from clubs.finance.bank.statement_tables import detect_columns, parse_statement_table, read_bank_table
from clubs.finance.bank.statements import save_new_lines
from clubs.finance.dues.balances import balance_of_member
from clubs.finance.dues.ledger import charge_member, record_payment, record_refund, reverse_ledger_entry, waive_dues
from clubs.models import AccountingYearStatusChange, BookAccount, BookEntry, Budget, Club, LedgerEntry, Voucher
from common.problems import OfficerProblem
from tests.clubs.finance.bank.test_formats import CAMT, DETAIL, ENTRY, MT940, OURS
from tests.clubs.finance.dues.test_ledger import at_once
from tests.factories import make_club, make_member

pytestmark = pytest.mark.django_db

NEW_YEAR = date(2025, 1, 1)
JUNE = date(2025, 6, 15)


def category(club: Club, name: str, kind: str = "expense") -> BookAccount:
    return BookAccount.objects.create(club=club, kind=kind, name=name)


def money_account(club: Club, kind: str = "cash", balance: int = 10_000, on: date = NEW_YEAR, **more) -> BookAccount:
    facts = {"name": f"{kind} {uuid.uuid4().hex[:4]}", "iban": ""} | more
    return open_money_account(club, kind=kind, balance=balance, on=on, by=None, **facts)


# -- Refused ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("changes", [{"amount": 1}, {"on": JUNE}, {"text": "x"}])
def test_an_entry_is_never_changed_nor_deleted(club, changes):
    money_account(club)
    with pytest.raises(IntegrityError, match="books_are_final"), transaction.atomic():
        BookEntry.objects.update(**changes)
    with pytest.raises(IntegrityError, match="books_are_final"), transaction.atomic():
        BookEntry.objects.get().delete()


def test_what_is_no_entry_is_refused(club):
    cash, chess = money_account(club), category(club, "Sprzęt")
    elsewhere = money_account(make_club("other"))
    tomorrow = timezone.localdate() + timedelta(days=1)
    for source, target, on in (
        (cash, cash, JUNE),
        (cash, elsewhere, JUNE),
        (chess, category(club, "Inne"), JUNE),
        (cash, chess, tomorrow),
        (cash, chess, date(2024, 12, 31)),
        (cash, chess, date(1025, 6, 15)),
    ):
        with pytest.raises(OfficerProblem):
            record_accounting_entry(source, target, 100, on=on, by=None)
    with pytest.raises(IntegrityError), transaction.atomic():
        record_accounting_entry(cash, chess, 0, on=JUNE, by=None)
    cash.is_closed = True
    cash.save()
    with pytest.raises(OfficerProblem, match="no longer in use"):
        record_accounting_entry(cash, chess, 100, on=JUNE, by=None)
    assert BookEntry.objects.count() == 2, "the opening balances"


def test_taking_back_goes_the_other_way_once(club):
    cash, chess = money_account(club), category(club, "Sprzęt")
    entry = record_accounting_entry(cash, chess, 700, on=JUNE, by=None)
    with pytest.raises(OfficerProblem, match="reason"):
        reverse_accounting_entry(entry, reason=" ", by=None)
    counter = reverse_accounting_entry(entry, reason="twice", by=None)
    assert (counter.source, counter.target, counter.amount) == (chess, cash, 700)
    for each in (entry, counter):
        with pytest.raises(OfficerProblem):
            reverse_accounting_entry(each, reason="again", by=None)


def test_a_members_payment_is_taken_back_in_the_ledger_alone(club):
    cash = money_account(club)
    payment = record_payment(make_member(club, "Nikt, Jan"), 500, method="cash", paid_on=JUNE, by=None)
    with pytest.raises(OfficerProblem, match="member's account"):
        reverse_accounting_entry(payment.book_entry, reason="x", by=None)
    counter = reverse_ledger_entry(payment, reason="wrong", by=None)
    assert counter.book_entry.corrects == payment.book_entry
    assert (
        build_year_report(club, 2025).closing_balance + build_year_report(club, timezone.localdate().year).surplus
        == 10_000
    )
    assert counter.book_entry.source == cash


# -- Years -----------------------------------------------------------------------------------------------------------


def test_nothing_is_dated_into_a_closed_year(club):
    cash, chess = money_account(club), category(club, "Sprzęt")
    jan = make_member(club, "Nikt, Jan")
    close_year(club, 2025, figures=build_year_report(club, 2025).closing_figures, by=None)
    for attempt in (
        lambda: record_accounting_entry(cash, chess, 1, on=JUNE, by=None),
        lambda: record_payment(jan, 1, method="cash", paid_on=JUNE, by=None),
        lambda: record_payment(jan, 1, method="transfer", paid_on=JUNE, by=None),
        lambda: money_account(club, on=JUNE),
    ):
        with pytest.raises(OfficerProblem, match="2025 is closed"):
            attempt()
    assert not LedgerEntry.objects.exists()
    record_payment(jan, 1, method="cash", paid_on=date(2026, 1, 1), by=None)


def test_closing_and_opening_again_leave_a_trace(club):
    money_account(club, on=date(2024, 1, 1))
    for year, said in ((2025, "Close the previous year first"), (timezone.localdate().year, "after it has ended")):
        with pytest.raises(OfficerProblem, match=said):
            close_year(club, year, figures={}, by=None)
    close_year(club, 2024, figures=build_year_report(club, 2024).closing_figures, by=None)
    close_year(club, 2025, figures={}, by=None)
    for year, reason, said in (
        (2025, " ", "reason"),
        (2024, "x", "Reopen the following year first"),
        (2023, "x", "not closed"),
    ):
        with pytest.raises(OfficerProblem, match=said):
            reopen_year(club, year, reason=reason, by=None)
    with pytest.raises(OfficerProblem, match="already"):
        close_year(club, 2025, figures={}, by=None)
    reopen_year(club, 2025, reason="a bill was found", by=None)
    assert [(step.year, step.closes) for step in AccountingYearStatusChange.objects.all()] == [
        (2024, True),
        (2025, True),
        (2025, False),
    ]
    assert AccountingYearStatusChange.objects.first().figures == {
        "opening": 10_000,
        "income": 0,
        "expenses": 0,
        "closing": 10_000,
        "entries": 1,
        "dues_outstanding": 0,
        "paid_ahead": 0,
    }
    with pytest.raises(IntegrityError), transaction.atomic():
        AccountingYearStatusChange.objects.all().delete()


# -- Dues and books --------------------------------------------------------------------------------------------------


def test_a_club_without_books_has_none(club):
    record_payment(make_member(club, "Nikt, Jan"), 500, method="cash", paid_on=JUNE, by=None)
    assert not BookEntry.objects.exists()


def test_payments_from_the_first_day_on_are_taken_over_once(club):
    jan = make_member(club, "Nikt, Jan")
    for paid_on, method in ((date(2024, 12, 31), "cash"), (NEW_YEAR, "cash"), (JUNE, "transfer")):
        record_payment(jan, 500, method=method, paid_on=paid_on, by=None)
    cash = money_account(club, "cash", 1_000)
    assert BookEntry.objects.filter(ledger_entry__isnull=False).count() == 1, "the cash box has no transfers"
    money_account(club, "bank", 2_000)
    money_account(club, "cash", 0)
    assert BookEntry.objects.filter(ledger_entry__isnull=False).count() == 2
    lines = {line.account: line.closing_balance for line in build_year_report(club, 2025).money}
    assert lines[cash] == 1_500
    assert sum(lines.values()) == 4_000


def test_refunds_and_waivers_have_their_bounds(club):
    jan = make_member(club, "Nikt, Jan")
    charge_member(jan, 9_000, text="składka", due_on=JUNE, by=None)
    with pytest.raises(OfficerProblem, match="was overpaid"):
        record_refund(jan, 1, method="cash", paid_on=JUNE, by=None)
    with pytest.raises(OfficerProblem, match="This is more than the member owes"):
        waive_dues(jan, 9_001, reason="hardship", by=None)
    with pytest.raises(OfficerProblem, match="reason"):
        waive_dues(jan, 1, reason=" ", by=None)
    key = uuid.uuid4()
    for _time in range(2):
        waive_dues(jan, 4_000, reason="hardship", by=None, form_key=key)
    record_payment(jan, 5_500, method="cash", paid_on=JUNE, by=None)
    key = uuid.uuid4()
    for _time in range(2):
        back = record_refund(jan, 500, method="cash", paid_on=JUNE, by=None, form_key=key)
    assert back.receipt_number == 2
    assert balance_of_member(jan, today=timezone.localdate()).amount_owed == 0
    reverse_ledger_entry(back, reason="not given", by=None)
    assert balance_of_member(jan, today=timezone.localdate()).amount_owed == -500


# -- Vouchers --------------------------------------------------------------------------------------------------------


def test_vouchers_are_pictures_or_pdf_and_kept_once(club):
    money_account(club)
    entry = BookEntry.objects.get()
    for data in (b"", b"<html>", b"MZ", b"%PDF-" + b"0" * (5 * 1024 * 1024)):
        with pytest.raises(OfficerProblem):
            add_voucher(entry, data, "x", by=None)
    for _time in range(2):
        add_voucher(entry, b"%PDF-1.7 faktura", "faktura.pdf", by=None)
    assert Voucher.objects.get().kind == "pdf"


# -- Six at once -----------------------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_six_tabs_book_once_and_number_without_a_gap():
    club = make_club()
    cash, chess = money_account(club), category(club, "Sprzęt")
    key = uuid.uuid4()
    at_once([lambda: record_accounting_entry(cash, chess, 700, on=JUNE, by=None, form_key=key)] * 6)
    assert BookEntry.objects.filter(target=chess).count() == 1
    at_once([lambda: record_accounting_entry(cash, chess, 100, on=JUNE, by=None, form_key=uuid.uuid4())] * 6)
    assert list(BookEntry.objects.values_list("number", flat=True)) == list(range(1, 9))


@pytest.mark.django_db(transaction=True)
def test_six_tabs_take_back_refund_and_waive_once():
    club = make_club()
    cash, chess = money_account(club), category(club, "Sprzęt")
    jan = make_member(club, "Nikt, Jan")
    charge_member(jan, 700, text="x", due_on=JUNE, by=None)
    entry = record_accounting_entry(cash, chess, 700, on=JUNE, by=None)

    def once(work) -> None:
        with suppress(OfficerProblem):
            work()

    at_once([lambda: once(lambda: reverse_accounting_entry(entry, reason="x", by=None))] * 6)
    at_once([lambda: once(lambda: waive_dues(jan, 700, reason="x", by=None))] * 6)
    record_payment(jan, 500, method="cash", paid_on=JUNE, by=None)
    at_once([lambda: once(lambda: record_refund(jan, 500, method="cash", paid_on=JUNE, by=None))] * 6)
    assert BookEntry.objects.filter(corrects=entry).count() == 1
    assert LedgerEntry.objects.filter(kind="waiver").count() == 1
    assert LedgerEntry.objects.filter(kind="refund").count() == 1


# -- A season --------------------------------------------------------------------------------------------------------


def test_a_season_from_opening_balances_to_the_years_report(club, treasurer):
    """Three statements of three kinds, calculated by hand, in euros.

    1 January: cash 150.00, bank 1000.00. Dues of 120.00 are charged to Ewa, Jan and Ola.
    CAMT: Ewa transfers 120.00. MT940: Jan 120.00 with his reference; 45.50 rent goes out; 5.00 come back from the bank.
    Table: Ola 100.00, and 30.00 for boards go out. Cash: a raffle brings 60.00, 50.00 go to the bank, Ola pays
    40.00 and gets 20.00 back.
    Income: dues 120 + 120 + 100 + 40 - 20 = 360, raffle 60, of the bank 5: 425. Expenses: rent 45.50, boards 30: 75.50.
    Cash 150 + 60 - 50 + 40 - 20 = 180. Bank 1000 + 120 + 120 - 45.50 + 5 + 100 - 30 + 50 = 1319.50.
    In all 1150 + 425 - 75.50 = 1499.50 = 180 + 1319.50. Nobody owes anything.
    """
    day = date(2026, 1, 1)
    cash = money_account(club, "cash", 15_000, day, name="Kasa")
    bank = money_account(club, "bank", 100_000, day, name="Bank", iban=OURS)
    rent, boards = category(club, "Wynajem"), category(club, "Sprzęt")
    raffle, interest = category(club, "Loteria", "income"), category(club, "Bank", "income")
    Budget.objects.create(account=rent, year=2026, amount=5_000)
    ewa, jan, ola = (make_member(club, name) for name in ("Łoś, Ewa", "Nikt, Jan", "Kos, Ola"))
    for member in (ewa, jan, ola):
        charge_member(member, 12_000, text="2026", due_on=date(2026, 3, 1), by=treasurer)
    today = date(2026, 11, 21)

    def bring_in(lines) -> None:
        for _tab in range(2):
            save_new_lines(club, lines, by=treasurer)

    detail = DETAIL.format(text="Składka 2026", own="", theirs="PL61109010140000071219812874")
    one = ENTRY.format(amount="120.00", mark="CRDT", state="BOOK", reference="R-1", details=detail)
    bring_in(read_camt_or_mt940(CAMT.format(ours=OURS, entries=one).encode(), today=today).lines)
    mt940 = MT940.format(ours=OURS, theirs="PL27114020040000300201355387")
    mt940 = mt940.replace("RF12000001", jan.accounts.get().payment_reference)
    bring_in(read_camt_or_mt940(mt940.encode(), today=today).lines)
    table = read_bank_table(
        b"Date;Name;Details;Amount\n2026-11-05;Ola Kos;skladka;100.00\n2026-11-06;Sklep;deski;-30.00\n"
    )
    bring_in(parse_statement_table(table, detect_columns(club, table)).lines)

    proposed = {
        each.line.text: each for each in propose_line_bookings(club, list(bank_lines_to_review(club)), today=today)
    }
    assert proposed["Składka 2026"].best_proposal.member == ewa
    assert proposed["skladka"].best_proposal.member == ola
    assert book_certain_lines(proposed.values(), by=treasurer).booked_count == 1, "Jan's, by his reference"
    by_hand = {"Składka 2026": ewa, "skladka": ola, "Miete November": rent, "deski": boards}
    for line in bank_lines_to_review(club):
        book_bank_line(line, by_hand.get(line.text, interest), by=treasurer)
    assert not bank_lines_to_review(club)

    record_accounting_entry(raffle, cash, 6_000, on=date(2026, 5, 3), by=treasurer)
    record_accounting_entry(cash, bank, 5_000, on=date(2026, 5, 4), by=treasurer)
    record_payment(ola, 4_000, method="cash", paid_on=date(2026, 11, 7), by=treasurer)
    record_refund(ola, 2_000, method="cash", paid_on=date(2026, 11, 8), by=treasurer)

    report = build_year_report(club, 2026)
    assert {line.account.name: (line.opening_balance, line.closing_balance) for line in report.money} == {
        "Kasa": (15_000, 18_000),
        "Bank": (100_000, 131_950),
    }
    assert {line.account.name: line.actual for line in report.income} == {
        "Members' dues": 36_000,
        "Loteria": 6_000,
        "Bank": 500,
    }
    assert {line.account.name: (line.actual, line.difference) for line in report.expenses} == {
        "Wynajem": (4_550, -450),
        "Sprzęt": (3_000, None),
    }
    assert (report.opening_balance, report.surplus, report.closing_balance) == (115_000, 34_950, 149_950)
    assert (report.dues_outstanding, report.paid_ahead) == (0, 0)


def test_a_rent_booked_once_is_proposed_the_next_month(club):
    money_account(club, "bank", 0)
    rent = category(club, "Wynajem")
    save_new_lines(club, read_pasted_statement("2025-06-15;-45,50;Miete Juni", today=JUNE).lines, by=None)
    line = bank_lines_to_review(club).get()
    line.party = "STADT BEISPIEL"
    line.save()
    book_bank_line(line, rent, by=None)
    save_new_lines(club, read_pasted_statement("2025-07-15;-45,50;Miete Juli", today=date(2025, 7, 15)).lines, by=None)
    line = bank_lines_to_review(club).get()
    line.party = "Stadt Beispiel"
    line.save()
    (each,) = propose_line_bookings(club, [line], today=date(2025, 7, 15))
    assert each.best_proposal.account == rent
    assert each.best_proposal.is_likely
