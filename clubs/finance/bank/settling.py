"""Booking a line of a statement: a line is booked once, whoever presses how often."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from functools import partial
from typing import NamedTuple

from django.db import transaction
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubs.finance.accounting.booking import book
from clubs.finance.bank.agreeing import account_of, bank_accounts
from clubs.finance.bank.doubles import returned_payment
from clubs.finance.bank.matching import ProposedLine, open_lines
from clubs.finance.dues.balances import balance_of
from clubs.finance.dues.ledger import collected_from, pay, refund, take_back
from clubs.locking import hold
from clubs.models import BankLine, BookAccount, Club, LedgerEntry, Member, User
from common.problems import OfficerProblem

LONGEST_REFERENCE = 140


@transaction.atomic
def settle(line: BankLine, target: Member | BookAccount, *, by: User | None) -> BankLine:
    """Book a line as a member's payment, as a refund to him or the return of his payment, or into a category.

    Raises OfficerProblem for one that is booked already, and as the ledger and the books do.
    """
    hold(line.club_id)
    line = _still_open(line)
    if isinstance(target, Member):
        if target.club_id != line.club_id:
            raise OfficerProblem(_("This member is of another club."))
        line.entry = _in_ledger(line, target, by=by)
    else:
        money = _money_account(line)
        if money is None:
            raise OfficerProblem(_("Open an account at the bank in the books first."))
        source, target = (target, money) if line.amount > 0 else (money, target)
        line.booking = book(
            source, target, abs(line.amount), on=line.booked_on, text=line.text, party=line.party, by=by
        )
    line.save(update_fields=["entry", "booking"])
    return line


def _in_ledger(line: BankLine, member: Member, *, by: User | None) -> LedgerEntry:
    """A payment; of money that went out a refund, else what takes back the payment that came back."""
    amount, on = abs(line.amount), line.booked_on
    if line.amount < 0 and amount > balance_of(member, today=on).paid_too_much:
        came_back = returned_payment(line, member.pk)
        if came_back is not None:
            return take_back(came_back, reason=_("It came back from the bank."), by=by, on=on)
    money = _money_account(line)
    move = partial(pay, into=money) if line.amount > 0 else partial(refund, out_of=money)
    text = " ".join(filter(None, (line.text, line.party)))
    return move(
        member,
        amount,
        method=LedgerEntry.Method.TRANSFER,
        paid_on=on,
        by=by,
        reference=text[:LONGEST_REFERENCE],
    )


class Settled(NamedTuple):
    """How many lines were booked, and why others that are certain could not be."""

    booked: int
    refused: list[str]


def settle_certain(proposed: Iterable[ProposedLine], *, by: User | None) -> Settled:
    """Book what is certain. What cannot be booked, or was meanwhile, is left where it is."""
    booked = 0
    refused: list[str] = []
    collecting: dict[int, date] | None = None
    for each in proposed:
        if each.best is None or not each.best.is_certain:
            continue
        target = each.best.member or each.best.account
        if collecting is None:
            collecting = collected_from(each.line.club)
        if each.line.amount > 0 and each.best.member and (day := collecting.get(each.best.member.pk)):
            # Who pays while his dues are collected is likely to have paid twice: that is looked at one by one.
            said = {"name": target, "day": date_format(day, "SHORT_DATE_FORMAT")}
            refused.append(_("%(name)s: the dues are collected from the account on %(day)s. Book it alone.") % said)
            continue
        try:
            settle(each.line, target, by=by) if target else None
        except OfficerProblem as problem:
            refused.append(f"{target}: {problem.message}")
            continue
        booked += 1
    return Settled(booked, refused)


@transaction.atomic
def leave_aside(line: BankLine, *, reason: str) -> None:
    """Leave a line unbooked for good, with the reason."""
    hold(line.club_id)
    if not reason.strip():
        raise OfficerProblem(_("Say why it is left aside."))
    line = _still_open(line)
    line.left_aside = reason.strip()[:160]
    line.save(update_fields=["left_aside"])


@transaction.atomic
def take_up(line: BankLine) -> None:
    """Have a line that was left aside wait again."""
    hold(line.club_id)
    BankLine.objects.filter(pk=line.pk).update(left_aside="")


def _still_open(line: BankLine) -> BankLine:
    found = open_lines(Club(pk=line.club_id)).filter(pk=line.pk).select_related("club").first()
    if found is None:
        raise OfficerProblem(_("This line was booked or left aside already."))
    return found


def _money_account(line: BankLine) -> BookAccount | None:
    """The account in the books whose statement it is; else the first at the bank; None where none is kept."""
    accounts = bank_accounts(line.club)
    return account_of(accounts, line.own_account) or next(iter(accounts), None)
