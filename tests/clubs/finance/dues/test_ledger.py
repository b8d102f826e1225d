"""Money: exact, never changed, receipts without gaps, under concurrent writes."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable
from datetime import date, timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models import ProtectedError
from django.utils import timezone

from clubs.finance.dues.balances import MemberBalance, balance_of_member, member_balances
from clubs.finance.dues.ledger import charge_member, record_payment, reverse_ledger_entry
from clubs.finance.dues.season_charges import charge_season, propose_season_charges
from clubs.models import Club, LedgerEntry, Member
from common.problems import OfficerProblem
from common.text.amounts import explain_invalid_amount, parse_amount
from common.text.payment_references import find_account_numbers, payment_reference
from tests.clubs.member_scenario import make_season
from tests.factories import make_club, make_member

TODAY = date(2026, 11, 21)


@pytest.fixture
def jan(club) -> Member:
    return make_member(club, "Nikt, Jan", birth_year=1980)


def paid(member: Member, amount: int, **more: object) -> LedgerEntry:
    return record_payment(member, amount, **({"method": "cash", "paid_on": timezone.localdate(), "by": None} | more))


@pytest.mark.parametrize(
    "text", ["", "abc", "-5", "1,2,3", "1.234", "12.345", "1e3", "NaN", "99999999999", "10000000,01", "5,", "١٢"]
)
def test_no_amount(text):
    with pytest.raises(ValueError):
        parse_amount(text)


@pytest.mark.parametrize(
    ("text", "cents"),
    [
        ("80", 8000),
        ("80,5", 8050),
        ("80.05", 8005),
        ("1 234,50", 123450),
        ("1\xa0234,50", 123450),
        ("1.234,50", 123450),
        ("1,234.50", 123450),
        ("0,10", 10),
        ("10 000 000,00", 10_000_000_00),
    ],
)
def test_an_amount(text, cents):
    assert parse_amount(text) == cents


@pytest.mark.parametrize(
    ("text", "currency", "cents"),
    [
        ("£50", "GBP", 5000),
        ("50 zł", "PLN", 5000),
        ("50zl", "PLN", 5000),
        ("€ 50", "EUR", 5000),
        ("50\xa0€", "EUR", 5000),
        ("eur 50", "EUR", 5000),
        ("50,-", "", 5000),
        ("50.– Fr.", "CHF", 5000),
        ("Fr. 50", "CHF", 5000),
        ("1 200,50 Kč", "CZK", 120050),
        ("$1,234.50", "AUD", 123450),
        ("50 грн.", "UAH", 5000),
        ("kr 50", "NOK", 5000),
    ],
)
def test_an_amount_with_its_currency(text, currency, cents):
    assert parse_amount(text, currency) == cents


@pytest.mark.parametrize(
    ("text", "currency", "said"),
    [
        ("£50", "EUR", "Amounts are in EUR. Enter 80 or 80.50, for example."),
        ("50 zł", "CZK", "Amounts are in CZK. Enter 80 or 80.50, for example."),
        ("EUR 50 zł", "PLN", "Amounts are in PLN. Enter 80 or 80.50, for example."),
        ("50 quid", "GBP", "Enter the amount as 80 or 80.50."),
        ("€", "EUR", "Enter the amount as 80 or 80.50."),
        ("1.234 €", "EUR", "Enter 1234 or 1.23."),
        ("-5 €", "EUR", "Enter the amount as 80 or 80.50."),
        ("£50", "", "Enter the amount as 80 or 80.50."),
    ],
)
def test_what_is_no_amount_is_told(text, currency, said):
    with pytest.raises(ValueError):
        parse_amount(text, currency)
    assert said in explain_invalid_amount(text, currency)


@pytest.mark.parametrize("changes", [{"amount": 1}, {"booked_on": TODAY}, {"reason": "x"}, {"account_id": 1}])
def test_a_line_is_never_changed(jan, changes):
    entry = paid(jan, 1000)
    with pytest.raises(IntegrityError, match="ledger_is_final"), transaction.atomic():
        LedgerEntry.objects.update(**changes)
    for column, value in changes.items():
        setattr(entry, column, value)
    with pytest.raises(IntegrityError), transaction.atomic():
        entry.save()
    assert LedgerEntry.objects.get().amount == 1000


def test_a_line_is_never_deleted(jan):
    entry = paid(jan, 1000)
    with pytest.raises(IntegrityError, match="ledger_is_final"), transaction.atomic():
        entry.delete()
    with pytest.raises(IntegrityError, match="ledger_is_final"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("DELETE FROM clubs_ledgerentry")
    with pytest.raises(ProtectedError):
        jan.delete()
    assert LedgerEntry.objects.count() == 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"amount": 0},
        {"amount": -500},
        {"method": ""},
        {"receipt_number": None},
        {"receipt_number": 1},
        {"kind": "gift"},
        {"reason": "because"},
    ],
)
@pytest.mark.every_database
def test_the_database_refuses_what_is_no_payment(jan, wrong):
    first = paid(jan, 1000)
    right = {
        "club": first.club,
        "account": first.account,
        "kind": "payment",
        "amount": 500,
        "booked_on": TODAY,
        "method": "cash",
        "receipt_year": first.receipt_year,
        "receipt_number": 2,
    }
    with pytest.raises(IntegrityError), transaction.atomic():
        LedgerEntry.objects.create(**(right | wrong))
    LedgerEntry.objects.create(**right)


def test_a_payment_from_the_future_is_refused(jan):
    with pytest.raises(OfficerProblem, match="future"):
        paid(jan, 1000, paid_on=timezone.localdate() + timedelta(days=1))
    assert not LedgerEntry.objects.exists()


def test_taking_back_needs_a_reason_and_happens_once(jan):
    entry = paid(jan, 1000)
    with pytest.raises(OfficerProblem, match="reason"):
        reverse_ledger_entry(entry, reason="  ", by=None)
    counter = reverse_ledger_entry(entry, reason="wrong member", by=None)
    assert (counter.amount, counter.corrects, counter.receipt_number) == (-1000, entry, 2)
    with pytest.raises(OfficerProblem, match="already"):
        reverse_ledger_entry(entry, reason="again", by=None)
    with pytest.raises(OfficerProblem):
        reverse_ledger_entry(counter, reason="back and forth", by=None)
    assert balance_of_member(jan, today=TODAY) == MemberBalance()


def test_balances_count_what_is_due_by_now(club, jan):
    today = timezone.localdate()
    charge_member(jan, 12_000, text="a", due_on=today - timedelta(days=1), by=None)
    charge_member(jan, 3_000, text="b", due_on=today, by=None)
    paid(jan, 5_010)
    balance = balance_of_member(jan, today=today)
    assert (balance.amount_owed, balance.overdue) == (9_990, 6_990)
    paid(jan, 10_000)
    assert balance_of_member(jan, today=today).overdue == 0
    assert balance_of_member(jan, today=today).amount_owed == -10
    assert member_balances(make_club("other"), today=today) == {}


def test_a_form_sent_twice_books_once(jan):
    key = uuid.uuid4()
    assert paid(jan, 1000, form_key=key) == paid(jan, 1000, form_key=key)
    assert LedgerEntry.objects.count() == 1
    assert paid(jan, 1000, form_key=uuid.uuid4()).receipt_number == 2


def test_receipts_run_in_each_club_and_a_failure_leaves_no_gap(club, jan):
    paid(jan, 1000)
    with transaction.atomic():
        paid(jan, 1000)
        transaction.set_rollback(True)
    assert paid(jan, 1000).receipt_number == 2
    assert paid(make_member(make_club("other"), "Obca"), 1000).receipt_number == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("treasurers", [2, 6])
def test_receipts_have_no_gap_with_treasurers_at_once(treasurers):
    members = [make_member(make_club(), f"Płatnik {n}") for n in range(1)]
    members += [make_member(Club.objects.get(), f"Płatnik {n}") for n in range(1, treasurers)]

    def work(place: int) -> None:
        for _time in range(5):
            paid(members[place], 100)

    at_once([lambda place=place: work(place) for place in range(treasurers)])
    numbers = list(LedgerEntry.objects.order_by("pk").values_list("receipt_number", flat=True))
    assert numbers == list(range(1, 5 * treasurers + 1))


@pytest.mark.django_db(transaction=True)
def test_one_form_sent_at_once_by_two_books_once():
    jan = make_member(make_club(), "Nikt, Jan")
    key = uuid.uuid4()
    at_once([lambda: paid(jan, 1000, form_key=key)] * 4)
    assert LedgerEntry.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_season_charged_by_two_at_once_charges_once():
    club = make_club()
    for n in range(5):
        make_member(club, f"Członek {n}")
    season = make_season(club, Wszyscy=(1000, "", None, None))
    at_once([lambda: charge_season(season, by=None)] * 3)
    assert LedgerEntry.objects.count() == 5


def at_once(works: list[Callable[[], object]]) -> None:
    """Run all functions in threads that start together. An exception in a thread is raised here."""
    start, raised = threading.Barrier(len(works)), []

    def run(work: Callable[[], object]) -> None:
        try:
            start.wait()
            work()
        except BaseException as error:  # the test raises it
            raised.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert raised == []


# -- Seasons -------------------------------------------------------------------------------------------------------


def test_fee_classes_by_status_and_age(club):
    season = make_season(
        club,
        Honorary=(0, Member.Status.HONORARY, None, None),
        Juniors=(6000, "", None, 17),
        Seniors=(9000, "", 60, None),
        Adults=(12000, "", 18, 59),
    )
    made = {
        "on the day 18": ({"birth_date": date(2008, 9, 1)}, "Adults"),
        "a day short of 18": ({"birth_date": date(2008, 9, 2)}, "Juniors"),
        "by the year": ({"birth_year": 2008}, "Adults"),
        "sixty": ({"birth_date": date(1966, 9, 1)}, "Seniors"),
        "honorary": ({"birth_year": 1940, "status": Member.Status.HONORARY}, "Honorary"),
        "ageless": ({}, None),
        "guest": ({"birth_year": 1980, "status": Member.Status.GUEST}, "ignore this column"),
    }
    for name, (fields, _fee) in made.items():
        make_member(club, name, **fields)
    proposed = {
        due.member.name: due.fee_class.name if due.fee_class else None for due in propose_season_charges(season)
    }
    assert proposed == {name: fee for name, (_fields, fee) in made.items() if fee != "ignore this column"}
    assert charge_season(season, by=None) == 4, "nothing is charged to honorary members, and to those no class fits"


def test_a_season_is_charged_once_and_newcomers_later(club):
    season = make_season(club, Wszyscy=(1000, "", None, None))
    first = make_member(club, "Pierwszy")
    assert charge_season(season, by=None) == 1
    assert charge_season(season, by=None) == 0
    make_member(club, "Drugi")
    assert charge_season(season, by=None) == 1
    reverse_ledger_entry(LedgerEntry.objects.get(account__member=first), reason="zwolniony", by=None)
    assert charge_season(season, by=None) == 0, "whose due was taken back is not charged again"


# -- References -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", "RF", "RF17539007547034", "RF00000001", "RF78123457", "składka Nikt 2026"])
def test_no_reference(text):
    assert find_account_numbers(text) == []


def test_references_are_found_however_written():
    # The standard's own example: the check digits of 539007547034 are 18.
    assert find_account_numbers("RF18 5390 0754 7034 Nikt") == [539007547034]
    reference = payment_reference(42)
    spaced = " ".join(reference)
    assert find_account_numbers(f"składka/{spaced.lower()} 2026 r.") == [42]
    wrong = reference[:-1] + ("3" if reference[-1] != "3" else "4")
    assert find_account_numbers(wrong) == []
