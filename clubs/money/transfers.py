"""Transfers from a bank's statement: whose they are by the reference written on them, and booking them."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.models import Account, Club, LedgerEntry, Member, User
from clubs.money.ledger import pay
from clubs.problems import OfficerProblem
from clubs.writing.amounts import Cents, read_amount
from clubs.writing.births import read_date
from clubs.writing.references import account_numbers_in


@dataclass(frozen=True, slots=True, kw_only=True)
class Transfer:
    """One line of a statement. Without a member it cannot be booked, and `problem` says why."""

    line: int
    text: str
    paid_on: date | None = None
    amount: Cents = 0
    member: Member | None = None
    problem: str = ""
    is_booked: bool = False


def read_transfers(club: Club, text: str, *, today: date) -> list[Transfer]:
    """The lines of a statement, `date; amount; text` each, with the members their references name; three queries.

    A line with the day, amount and text of a transfer in the ledger is one that was booked before.
    """
    lines = [(number, line) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    numbers = {number for _line, line in lines for number in account_numbers_in(line)}
    accounts = Account.objects.filter(pk__in=numbers, member__club=club).select_related("member")
    members = {account.pk: account.member for account in accounts}
    booked = set(
        LedgerEntry.objects.filter(club=club, method=LedgerEntry.Method.TRANSFER, corrects__isnull=True)
        .exclude(corrected_by__isnull=False)
        .values_list("booked_on", "amount", "reference")
    )
    return [_read(number, line, members, booked, today) for number, line in lines]


def book_transfers(transfers: Iterable[Transfer], *, by: User, form_key: uuid.UUID) -> list[LedgerEntry]:
    """Book what has a member and was not booked before, all or nothing; a form sent twice books once."""
    with transaction.atomic():
        return [
            pay(
                transfer.member,
                transfer.amount,
                method=LedgerEntry.Method.TRANSFER,
                paid_on=transfer.paid_on,
                by=by,
                reference=transfer.text,
                form_key=uuid.uuid5(form_key, str(transfer.line)),
            )
            for transfer in transfers
            if transfer.member and transfer.paid_on and not transfer.is_booked
        ]


def member_of_reference(club: Club, text: str) -> Member:
    """The one member whose reference stands in a text; raises OfficerProblem where there is none, or more."""
    accounts = Account.objects.filter(pk__in=account_numbers_in(text), member__club=club).select_related("member")
    found = {account.member_id: account.member for account in accounts}
    if len(found) != 1:
        raise OfficerProblem(_("No reference of a member stands in it.") if not found else _("It names two members."))
    return next(iter(found.values()))


def _read(
    number: int, line: str, members: dict[int, Member], booked: set[tuple[date, Cents, str]], today: date
) -> Transfer:
    parts = [part.strip() for part in line.replace("\t", ";").split(";", 2)]
    if len(parts) < 3:
        return Transfer(line=number, text=line, problem=_("A date, an amount and a text are expected, with ; between."))
    try:
        paid_on = read_date(parts[0])
    except ValueError:
        return Transfer(line=number, text=line, problem=_("“%(text)s” is no date.") % {"text": parts[0]})
    try:
        amount = read_amount(parts[1])
    except ValueError:
        return Transfer(line=number, text=line, problem=_("“%(text)s” is no amount.") % {"text": parts[1]})
    text = " ".join(parts[2].split())[:140]
    transfer = Transfer(line=number, text=text, paid_on=paid_on, amount=amount)
    return _settled(transfer, members, booked, today)


def _settled(
    transfer: Transfer, members: dict[int, Member], booked: set[tuple[date, Cents, str]], today: date
) -> Transfer:
    named = {members[number].pk: members[number] for number in account_numbers_in(transfer.text) if number in members}
    if transfer.paid_on and transfer.paid_on > today:
        return replace(transfer, problem=_("The date is in the future."))
    if not transfer.amount:
        return replace(transfer, problem=_("The amount is nothing."))
    if len(named) != 1:
        problem = _("No reference of a member stands in it.") if not named else _("It names two members.")
        return replace(transfer, problem=problem)
    member = next(iter(named.values()))
    return replace(transfer, member=member, is_booked=(transfer.paid_on, transfer.amount, transfer.text) in booked)
