"""Booking lines of a statement. Each line is booked only once, however often the form is submitted."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from functools import partial
from typing import NamedTuple

from django.db import transaction
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubs.finance.accounting.entries import category_for_entry_fees, record_accounting_entry
from clubs.finance.bank.duplicates import returned_payment_of_line
from clubs.finance.bank.matching import LineWithProposals, bank_lines_to_review
from clubs.finance.bank.reconciliation import bank_accounts, find_bank_account
from clubs.finance.dues.balances import balance_of_member
from clubs.finance.dues.ledger import pending_collection_dates, record_payment, record_refund, reverse_ledger_entry
from clubs.models import BankStatementLine, BookAccount, Club, ExpectedPayment, LedgerEntry, Member, User
from common.locking import lock_row
from common.problems import OfficerProblem

MAX_REFERENCE_LENGTH = 140


@transaction.atomic
def book_bank_line(
    line: BankStatementLine, target: Member | BookAccount | ExpectedPayment, *, by: User | None
) -> BankStatementLine:
    """Book a line as a member's payment, refund or returned payment, as an expected payment, or into a category.

    Raises OfficerProblem if it is already booked, or if the ledger or the books refuse it.
    """
    lock_row(Club, line.club_id)
    line = _still_open(line)
    if isinstance(target, Member):
        if target.club_id != line.club_id:
            raise OfficerProblem(_("This member belongs to another club."))
        line.expected_payment = None
        line.entry = _in_ledger(line, target, by=by)
    else:
        money = _money_account(line)
        if money is None:
            raise OfficerProblem(_("Add a bank account in accounting first."))
        if isinstance(target, ExpectedPayment):
            # The books are kept for years and name nobody: the line itself has the payer.
            line.expected_payment, category = target, category_for_entry_fees(line.club)
            text, party = target.purpose, ""
        else:
            line.expected_payment, category = None, target
            text, party = line.text, line.party
        source, into = (category, money) if line.amount > 0 else (money, category)
        line.booking = record_accounting_entry(
            source, into, abs(line.amount), on=line.booked_on, text=text, party=party, by=by
        )
    line.save(update_fields=["entry", "booking", "expected_payment"])
    return line


def _in_ledger(line: BankStatementLine, member: Member, *, by: User | None) -> LedgerEntry:
    """Book a payment. Outgoing money is a refund if the member has overpaid that much, else a returned payment if one
    matches."""
    amount, on = abs(line.amount), line.booked_on
    if line.amount < 0 and amount > balance_of_member(member, today=on).overpaid_amount:
        came_back = returned_payment_of_line(line, member.pk)
        if came_back is not None:
            return reverse_ledger_entry(came_back, reason=_("Returned by the bank."), by=by, on=on)
    money = _money_account(line)
    move = partial(record_payment, into=money) if line.amount > 0 else partial(record_refund, out_of=money)
    text = " ".join(filter(None, (line.text, line.party)))
    return move(
        member,
        amount,
        method=LedgerEntry.Method.TRANSFER,
        paid_on=on,
        by=by,
        reference=text[:MAX_REFERENCE_LENGTH],
    )


class BookingCounts(NamedTuple):
    """The number of lines recorded, and why other lines with a definite match were refused."""

    booked_count: int
    refusal_messages: list[str]


def book_certain_lines(proposed: Iterable[LineWithProposals], *, by: User | None) -> BookingCounts:
    """Book the lines with a definite match. Skip lines that cannot be booked, or were booked in the meantime."""
    booked = 0
    refused: list[str] = []
    collecting: dict[int, date] | None = None
    for each in proposed:
        if each.best_proposal is None or not each.best_proposal.is_certain:
            continue
        target = each.best_proposal.member or each.best_proposal.expected or each.best_proposal.account
        if collecting is None:
            collecting = pending_collection_dates(each.line.club)
        if each.line.amount > 0 and each.best_proposal.member and (day := collecting.get(each.best_proposal.member.pk)):
            # A member who pays while their dues are being collected may have paid twice, so the treasurer checks it.
            said = {"name": target, "day": date_format(day, "SHORT_DATE_FORMAT")}
            refused.append(
                _(
                    "Payment from %(name)s not recorded, because their dues will be collected by direct debit "
                    "on %(day)s. Record it separately."
                )
                % said
            )
            continue
        try:
            book_bank_line(each.line, target, by=by) if target else None
        except OfficerProblem as problem:
            refused.append(f"{target}: {problem.message}")
            continue
        booked += 1
    return BookingCounts(booked, refused)


@transaction.atomic
def ignore_bank_line(line: BankStatementLine, *, reason: str) -> None:
    """Ignore a line permanently, without booking it, and save the reason."""
    lock_row(Club, line.club_id)
    if not reason.strip():
        raise OfficerProblem(_("Enter a reason for ignoring it."))
    line = _still_open(line)
    line.ignored_because = reason.strip()[:160]
    line.save(update_fields=["ignored_because"])


@transaction.atomic
def restore_ignored_line(line: BankStatementLine) -> None:
    """Put an ignored line back under review."""
    lock_row(Club, line.club_id)
    BankStatementLine.objects.filter(pk=line.pk).update(ignored_because="")


def _still_open(line: BankStatementLine) -> BankStatementLine:
    found = bank_lines_to_review(Club(pk=line.club_id)).filter(pk=line.pk).select_related("club").first()
    if found is None:
        raise OfficerProblem(_("This transaction has already been recorded or ignored."))
    return found


def _money_account(line: BankStatementLine) -> BookAccount | None:
    """Return the book account of the line's statement, else the first bank account, or None if there is none."""
    accounts = bank_accounts(line.club)
    return find_bank_account(accounts, line.own_account) or next(iter(accounts), None)
