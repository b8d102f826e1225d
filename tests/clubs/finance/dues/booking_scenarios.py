"""Shared parts of the bookings from six tabs: people, accounts, forms, and counts of the results."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.db.models import Model

from clubs.finance.bank.statements import ParsedStatementLine, save_new_lines
from clubs.finance.dues.ledger import charge_member, record_payment
from clubs.models import (
    BankStatementLine,
    BookAccount,
    Club,
    Member,
)
from tests.clubs.finance.dues.concurrent_tabs import Booking, yesterday
from tests.factories import make_member


def a_member(club: Club, *, owes: int = 0, has_paid: int = 0, **fields: object) -> Member:
    member = make_member(club, "Nikt, Jan", **({"status": "member"} | fields))
    if owes:
        charge_member(member, owes, text="składka", due_on=yesterday(), by=None)
    if has_paid:
        record_payment(member, has_paid, method="cash", paid_on=yesterday(), by=None)
    return member


def counting(*models: type[Model] | Iterable[Any]) -> Callable[[], tuple[int, ...]]:
    """How many rows there are more than before."""

    def now() -> tuple[int, ...]:
        return tuple((each.objects.count() if isinstance(each, type) else each.all().count()) for each in models)  # type: ignore[attr-defined]

    before = now()
    return lambda: tuple(after - earlier for after, earlier in zip(now(), before, strict=True))


def booking(
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
        made=counting(*models),
        wanted=wanted or (1,) * len(models),
    )


def money_account(club: Club, kind: str = "cash") -> BookAccount:
    return BookAccount.objects.get(club=club, kind=kind, name=kind)


def a_category(club: Club) -> BookAccount:
    return BookAccount.objects.create(club=club, kind="expense", name="Sprzęt")


def a_line(club: Club, amount: int = 5_500) -> BankStatementLine:
    save_new_lines(
        club, [ParsedStatementLine(booked_on=yesterday(), amount=amount, text="składka", party="Jan Nikt")], by=None
    )
    return BankStatementLine.objects.get(club=club)


def payment_form(amount: str = "10.00") -> dict[str, Any]:
    return {"form_key": uuid.uuid4(), "amount": amount, "method": "cash", "paid_on": yesterday(), "reference": ""}


def a_picture() -> SimpleUploadedFile:
    return SimpleUploadedFile("quittung.png", b"\x89PNG\r\n\x1a\n" + b"0" * 200, "image/png")


def entry_form(way: str, money: BookAccount, other: BookAccount, **more: object) -> dict[str, Any]:
    facts = {
        "form_key": uuid.uuid4(),
        "way": way,
        "amount": "7.00",
        "on": yesterday(),
        "party": "Sklep",
        "text": "zegar",
    }
    return facts | {"money": money.pk, "other": other.pk} | more
