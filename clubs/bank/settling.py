"""Booking a line of a statement: a line is booked once, whoever presses how often."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.bank.matching import ProposedLine, open_lines
from clubs.books.booking import book
from clubs.holding import hold
from clubs.models import BankLine, BookAccount, Club, LedgerEntry, Member, User
from clubs.money.ledger import pay, refund, take_back
from clubs.problems import OfficerProblem
from clubs.writing.ibans import read_iban

LONGEST_REFERENCE = 140


@transaction.atomic
def settle(line: BankLine, target: Member | BookAccount | LedgerEntry, *, by: User | None) -> BankLine:
    """Book a line as a member's payment, as a refund to him, into a category, or as the bank sending a payment back.

    Raises OfficerProblem for one that is booked already, and as the ledger and the books do.
    """
    hold(line.club_id)
    line = _still_open(line)
    text = " ".join(filter(None, (line.text, line.party)))
    if isinstance(target, LedgerEntry):
        line.entry = _sent_back(line, target, by=by)
    elif isinstance(target, Member):
        if target.club_id != line.club_id:
            raise OfficerProblem(_("This member is of another club."))
        money = _money_account(line)
        move = partial(pay, into=money) if line.amount > 0 else partial(refund, out_of=money)
        line.entry = move(
            target,
            abs(line.amount),
            method=LedgerEntry.Method.TRANSFER,
            paid_on=line.booked_on,
            by=by,
            reference=text[:LONGEST_REFERENCE],
        )
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


def settle_certain(
    proposed: Iterable[ProposedLine], *, by: User | None, refused: list[tuple[BankLine, str]] | None = None
) -> int:
    """Book what is certain; answers how many. What cannot be booked is left where it is, and told in `refused`."""
    count = 0
    for each in proposed:
        if each.best is None or not each.best.is_certain:
            continue
        target = each.best.payment or each.best.member or each.best.account
        try:
            settle(each.line, target, by=by) if target else None
        except OfficerProblem as problem:
            if refused is not None:
                refused.append((each.line, problem.message))
            continue
        count += 1
    return count


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


def _sent_back(line: BankLine, payment: LedgerEntry, *, by: User | None) -> LedgerEntry:
    """The counter-entry of a payment, on the bank's day: what it paid is owed again."""
    if payment.club_id != line.club_id or payment.kind != LedgerEntry.Kind.PAYMENT or payment.amount != -line.amount:
        raise OfficerProblem(_("This payment is not what the line takes back."))
    reason = _("Sent back by the bank") + (f": {line.text}" if line.text else "")
    return take_back(payment, reason=reason, by=by, on=line.booked_on)


def _still_open(line: BankLine) -> BankLine:
    found = open_lines(Club(pk=line.club_id)).filter(pk=line.pk).select_related("club").first()
    if found is None:
        raise OfficerProblem(_("This line was booked or left aside already."))
    return found


def _money_account(line: BankLine) -> BookAccount | None:
    """The account in the books whose statement it is; else the first at the bank; None where none is kept."""
    accounts = list(
        BookAccount.objects.filter(club=line.club_id, kind=BookAccount.Kind.BANK, is_closed=False).order_by("pk")
    )
    own = read_iban(line.own_account)
    return next((each for each in accounts if own and read_iban(each.iban) == own), next(iter(accounts), None))
