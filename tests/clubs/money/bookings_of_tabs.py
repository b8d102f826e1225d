"""What books money: how each is prepared, what its form sends, and what may come of it once."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Mapping
from datetime import date, timedelta
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.db.models import Model

from clubs.bank.statements import StatementLine, keep_lines
from clubs.books.booking import book
from clubs.books.years import close_year
from clubs.debits.bank_days import bank_day_from
from clubs.debits.collecting import collect
from clubs.debits.mandates import give_mandate
from clubs.models import (
    BankLine,
    BookAccount,
    Budget,
    Club,
    CollectedDue,
    Collection,
    FeeClass,
    GuestNight,
    Job,
    Mandate,
    Member,
    Reminder,
    Season,
    User,
    Voucher,
    YearStep,
)
from clubs.money.ledger import charge, pay
from tests.clubs.bank.test_formats import camt, detail, entry
from tests.clubs.money.six_tabs import TABS, Booking, yesterday
from tests.factories import make_member

IBAN = "DE89370400440532013000"
LAST_YEAR = date.today().year - 1
Prepare = Callable[[Club, User], Booking]


def _member(club: Club, *, owes: int = 0, has_paid: int = 0, **fields: object) -> Member:
    member = make_member(club, "Nikt, Jan", **({"status": "member"} | fields))
    if owes:
        charge(member, owes, text="składka", due_on=yesterday(), by=None)
    if has_paid:
        pay(member, has_paid, method="cash", paid_on=yesterday(), by=None)
    return member


def _counting(*models: type[Model] | Iterable[Any]) -> Callable[[], tuple[int, ...]]:
    """How many rows there are more than now."""

    def now() -> tuple[int, ...]:
        return tuple((each.objects.count() if isinstance(each, type) else each.all().count()) for each in models)  # type: ignore[attr-defined]

    before = now()
    return lambda: tuple(after - earlier for after, earlier in zip(now(), before, strict=True))


def _booking(
    page: str,
    arguments: Iterable[object],
    form: Mapping[str, Any] | list[Mapping[str, Any]],
    *models: Any,
    wanted: tuple[int, ...] = (),
) -> Booking:
    return Booking(
        page=page,
        arguments=tuple(arguments),
        forms=tuple(form) if isinstance(form, list) else (form,),
        made=_counting(*models),
        wanted=wanted or (1,) * len(models),
    )


def _money(club: Club, kind: str = "cash") -> BookAccount:
    return BookAccount.objects.get(club=club, kind=kind, name=kind)


def _category(club: Club) -> BookAccount:
    return BookAccount.objects.create(club=club, kind="expense", name="Sprzęt")


def _bank_line(club: Club, amount: int = 5_500) -> BankLine:
    keep_lines(club, [StatementLine(booked_on=yesterday(), amount=amount, text="składka", party="Jan Nikt")], by=None)
    return BankLine.objects.get(club=club)


def _payment_form(amount: str = "10.00") -> dict[str, Any]:
    return {"form_key": uuid.uuid4(), "amount": amount, "method": "cash", "paid_on": yesterday(), "reference": ""}


def _png() -> SimpleUploadedFile:
    return SimpleUploadedFile("quittung.png", b"\x89PNG\r\n\x1a\n" + b"0" * 200, "image/png")


# -- The bank --------------------------------------------------------------------------------------------------------


def statement_pasted(club: Club, _by: User) -> Booking:
    text = f"{yesterday()}; 55.00; składka Nikt\n{yesterday()}; 20.00; Łoś"
    return _booking("bank_import", (), {"text": text}, club.bank_lines, wanted=(2,))


def statement_file(club: Club, _by: User) -> Booking:
    file = SimpleUploadedFile("c.xml", camt(entry(detail("x")), entry(detail("x"), reference="R-2")), "text/xml")
    # The same bytes for all tabs: a file that was read once is read to its end.
    return _booking("bank_import", (), [{"file": _again(file)} for _tab in range(TABS)], club.bank_lines, wanted=(2,))


def _again(file: SimpleUploadedFile) -> SimpleUploadedFile:
    file.seek(0)
    return SimpleUploadedFile(str(file.name), file.read(), "text/xml")


def line_of_a_member(club: Club, _by: User) -> Booking:
    line, member = _bank_line(club), _member(club, owes=5_500)
    form = {"target": f"member:{member.pk}"}
    return _booking("bank_line_book", [line.pk], form, club.ledger, club.book_entries)


def line_of_a_category(club: Club, _by: User) -> Booking:
    line = _bank_line(club, -700)
    return _booking("bank_line_book", [line.pk], {"target": f"account:{_category(club).pk}"}, club.book_entries)


def certain_lines(club: Club, _by: User) -> Booking:
    member = _member(club, owes=5_500)
    reference = member.accounts.get().reference
    keep_lines(club, [StatementLine(booked_on=yesterday(), amount=5_500, text=reference, party="Jan Nikt")], by=None)
    return _booking("bank_book_certain", (), {}, club.ledger, club.book_entries)


# -- Members' accounts -----------------------------------------------------------------------------------------------


def payment(club: Club, _by: User) -> Booking:
    return _booking("payment_add", [_member(club, owes=1_000).pk], _payment_form(), club.ledger, club.book_entries)


def refund(club: Club, _by: User) -> Booking:
    return _booking("refund_add", [_member(club, has_paid=9_000).pk], _payment_form(), club.ledger, club.book_entries)


def refund_by_six_forms(club: Club, _by: User) -> Booking:
    """Six tabs opened one after another: only what was paid too much can be given back."""
    forms: list[Mapping[str, Any]] = [_payment_form() for _tab in range(TABS)]
    return _booking("refund_add", [_member(club, has_paid=1_000).pk], forms, club.ledger, club.book_entries)


def waiver(club: Club, _by: User) -> Booking:
    form = {"form_key": uuid.uuid4(), "amount": "10.00", "reason": "zasłużony"}
    return _booking("waiver_add", [_member(club, owes=9_000).pk], form, club.ledger)


def waiver_by_six_forms(club: Club, _by: User) -> Booking:
    forms: list[Mapping[str, Any]] = [
        {"form_key": uuid.uuid4(), "amount": "10.00", "reason": "zasłużony"} for _tab in range(TABS)
    ]
    return _booking("waiver_add", [_member(club, owes=1_000).pk], forms, club.ledger)


def charged_by_hand(club: Club, _by: User) -> Booking:
    form = {"form_key": uuid.uuid4(), "text": "kubek", "amount": "8.00", "due_on": date.today()}
    return _booking("charge_add", [_member(club).pk], form, club.ledger)


def guest_charged(club: Club, _by: User) -> Booking:
    """Somebody from the street who pays for the evening."""
    guest = _member(club, status="guest")
    form = {"form_key": uuid.uuid4(), "text": "wieczór", "amount": "3.00", "due_on": date.today()}
    return _booking("charge_add", [guest.pk], form, club.ledger)


def payment_taken_back(club: Club, _by: User) -> Booking:
    line = pay(_member(club), 1_000, method="cash", paid_on=yesterday(), by=None)
    return _booking("entry_take_back", [line.pk], {"reason": "pomyłka"}, club.ledger, club.book_entries)


# -- Seasons and guests ----------------------------------------------------------------------------------------------


def _season(club: Club, **fields: object) -> Season:
    year = date.today().year
    facts = {"name": "2026", "starts_on": date(year, 1, 1), "ends_on": date(year, 12, 31), "due_on": yesterday()}
    season = Season.objects.create(club=club, **(facts | fields))
    FeeClass.objects.create(season=season, name="Wszyscy", amount=12_000)
    return season


def season_charged(club: Club, _by: User) -> Booking:
    season = _season(club, instalments=2)
    for number in range(5):
        make_member(club, f"Pionek, Nr{number}", status="member")
    form = {"count": "5", "sum": "60000"}
    return _booking("season_charge", [season.pk], form, club.ledger, wanted=(10,))


def leavers_lowered(club: Club, by: User) -> Booking:
    from clubs.money.charging import charge_season, proposed_dues

    season = _season(club, part_counts_by="half")
    member = _member(club)
    charge_season(season, by=by)
    Member.objects.filter(pk=member.pk).update(status="former", left_on=season.starts_on + timedelta(days=20))
    too_much = sum(due.too_much for due in proposed_dues(season))
    return _booking("season_lower", [season.pk], {"sum": str(too_much)}, club.ledger)


def _fees(**first: object) -> dict[str, Any]:
    management = {"fees-TOTAL_FORMS": 1, "fees-INITIAL_FORMS": 0, "fees-MIN_NUM_FORMS": 0, "fees-MAX_NUM_FORMS": 1000}
    return management | {f"fees-0-{name}": value for name, value in first.items()}


def new_season(club: Club, _by: User) -> Booking:
    form = {"name": "2027", "starts_on": "2027-01-01", "ends_on": "2027-12-31", "due_on": "2027-02-01"}
    form |= {"instalments": "1"} | _fees(place=1, name="Wszyscy", amount="120", status="", family="")
    return _booking("season_new", (), form, club.seasons, FeeClass.objects.filter(season__club=club))


def fee_class_added(club: Club, _by: User) -> Booking:
    season = _season(club)
    form = {name: getattr(season, name) for name in ("name", "starts_on", "ends_on", "due_on", "instalments")}
    form |= _fees(place=2, name="Uczniowie", amount="60", status="", family="")
    return _booking("season_edit", [season.pk], form, season.fee_classes)


def guest_night(club: Club, _by: User) -> Booking:
    guest = _member(club, status="guest")
    return _booking("guest_night", [guest.pk], {"on": yesterday()}, GuestNight.objects.filter(member=guest))


def guest_joins(club: Club, _by: User) -> Booking:
    guest = _member(club, status="guest")
    joined = Member.objects.filter(pk=guest.pk, status="member")
    return _booking("guest_join", [guest.pk], {"on": yesterday()}, joined)


def reminders(club: Club, _by: User) -> Booking:
    member = _member(club, owes=1_000, email="jan@poczta.example")
    sent = Reminder.objects.filter(member=member)
    jobs = Job.objects.filter(club=club)
    return _booking("overdue_remind", (), {"member": [member.pk]}, sent, jobs)


# -- The books -------------------------------------------------------------------------------------------------------


def _entry_form(way: str, money: BookAccount, other: BookAccount, **more: object) -> dict[str, Any]:
    facts = {
        "form_key": uuid.uuid4(),
        "way": way,
        "amount": "7.00",
        "on": yesterday(),
        "party": "Sklep",
        "text": "zegar",
    }
    return facts | {"money": money.pk, "other": other.pk} | more


def expense(club: Club, _by: User) -> Booking:
    return _booking("books_entry_new", (), _entry_form("out", _money(club), _category(club)), club.book_entries)


def expense_with_voucher(club: Club, _by: User) -> Booking:
    form = _entry_form("out", _money(club), _category(club))
    forms: list[Mapping[str, Any]] = [form | {"file": _png()} for _tab in range(TABS)]
    return _booking("books_entry_new", (), forms, club.book_entries, Voucher.objects.filter(entry__club=club))


def moved(club: Club, _by: User) -> Booking:
    return _booking("books_entry_new", (), _entry_form("move", _money(club), _money(club, "bank")), club.book_entries)


def entry_taken_back(club: Club, _by: User) -> Booking:
    made = book(_money(club), _category(club), 700, on=yesterday(), by=None)
    return _booking("books_entry_take_back", [made.pk], {"reason": "pomyłka"}, club.book_entries)


def voucher_added(club: Club, _by: User) -> Booking:
    made = book(_money(club), _category(club), 700, on=yesterday(), by=None)
    forms: list[Mapping[str, Any]] = [{"file": _png()} for _tab in range(TABS)]
    return _booking("voucher_add", [made.pk], forms, made.vouchers)


def account_opened(club: Club, _by: User) -> Booking:
    form = {"kind": "bank", "name": "Oszczędności", "iban": "", "balance": "500", "on": yesterday()}
    return _booking("books_account_new", (), form, club.book_accounts, club.book_entries)


def category_made(club: Club, _by: User) -> Booking:
    return _booking("books_account_new", (), {"kind": "income", "name": "Darowizny"}, club.book_accounts)


def budget(club: Club, _by: User) -> Booking:
    of = _category(club)
    made = Budget.objects.filter(account=of)
    return _booking("books_budget", [date.today().year], {f"of_{of.pk}": "90"}, made)


def year_closed(club: Club, _by: User) -> Booking:
    return _booking("books_year_close", [LAST_YEAR], {}, YearStep.objects.filter(club=club))


def year_reopened(club: Club, by: User) -> Booking:
    close_year(club, LAST_YEAR, figures={}, by=by)
    return _booking("books_year_close", [LAST_YEAR], {"reason": "korekta"}, YearStep.objects.filter(club=club))


# -- Direct debits ---------------------------------------------------------------------------------------------------


def _with_mandate(club: Club) -> Member:
    member = _member(club, owes=5_000)
    give_mandate(member, reference="M1", holder="Jan Nikt", iban=IBAN, signed_on=yesterday())
    return member


def _collection(club: Club) -> Collection:
    day = date.today() + timedelta(days=14)
    return collect(club, {_with_mandate(club).pk}, on=bank_day_from(day), by=None, form_key=uuid.uuid4())


def mandate(club: Club, _by: User) -> Booking:
    form = {"reference": "M1", "holder": "Jan Nikt", "iban": IBAN, "signed_on": yesterday()}
    return _booking("mandate_edit", [_member(club).pk], form, Mandate.objects.filter(member__club=club))


def collected(club: Club, _by: User) -> Booking:
    member = _with_mandate(club)
    form = {"on": bank_day_from(date.today() + timedelta(days=14)), "form_key": uuid.uuid4(), "member": [member.pk]}
    lines = CollectedDue.objects.filter(collection__club=club)
    return _booking("collection_new", (), form, club.collections, lines)


def collected_by_six_forms(club: Club, _by: User) -> Booking:
    member = _with_mandate(club)
    day = bank_day_from(date.today() + timedelta(days=14))
    forms: list[Mapping[str, Any]] = [
        {"on": day, "form_key": uuid.uuid4(), "member": [member.pk]} for _tab in range(TABS)
    ]
    return _booking("collection_new", (), forms, club.collections)


def collection_arrived(club: Club, _by: User) -> Booking:
    made = _collection(club)
    # The day is still to come for everybody else: the collection is one of a fortnight ago.
    Collection.objects.filter(pk=made.pk).update(collected_on=yesterday())
    return _booking("collection_book", [made.pk], {"on": yesterday()}, club.ledger, club.book_entries)


def collection_taken_back(club: Club, _by: User) -> Booking:
    made = _collection(club)
    gone = Collection.objects.filter(pk=made.pk).exclude(taken_back_at=None)
    return _booking("collection_take_back", [made.pk], {}, gone)


BOOKINGS: dict[str, Prepare] = {
    "a statement pasted, two lines": statement_pasted,
    "a statement's file, two lines": statement_file,
    "a line of the bank booked for a member": line_of_a_member,
    "a line of the bank booked into a category": line_of_a_category,
    "all certain lines booked": certain_lines,
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
    "a reminder": reminders,
    "an expense": expense,
    "an expense with its voucher": expense_with_voucher,
    "between two accounts": moved,
    "an entry taken back": entry_taken_back,
    "a voucher added": voucher_added,
    "an account opened": account_opened,
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
