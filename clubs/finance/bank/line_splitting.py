"""Splitting a line of a statement into parts that are booked separately."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TypeAlias

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.finance.bank.line_booking import book_bank_line
from clubs.finance.bank.matching import bank_lines_to_review
from clubs.models import BankStatementLine, BookAccount, Club, ExpectedPayment, Member, User
from common.locking import lock_row
from common.problems import OfficerProblem
from common.text.amounts import Cents, format_money

MIN_PARTS, MAX_PARTS = 2, 20

LinePart: TypeAlias = tuple[Cents, Member | BookAccount | ExpectedPayment | None]
"""The amount of a part, without its sign, and its target; None if it is to be chosen later."""


@transaction.atomic
def split_bank_line(line: BankStatementLine, parts: Sequence[LinePart], *, by: User | None) -> list[BankStatementLine]:
    """Split a line under review, and book the parts that have a target. Saves everything or nothing.

    Raises OfficerProblem if the line has been booked in the meantime or the parts do not add up to it, and as
    `book_bank_line` does.
    """
    club = lock_row(Club, line.club_id)
    found = bank_lines_to_review(club).filter(pk=line.pk, part_of=None).first()
    if found is None:
        raise OfficerProblem(_("This transaction has already been recorded, split or ignored."))
    if not MIN_PARTS <= len(parts) <= MAX_PARTS or any(amount <= 0 for amount, _target in parts):
        raise OfficerProblem(_("Enter at least 2 parts, each with an amount above 0."))
    whole = abs(found.amount)
    if (sum_ := sum(amount for amount, _target in parts)) != whole:
        said = {"sum": format_money(sum_, club.currency), "whole": format_money(whole, club.currency)}
        raise OfficerProblem(_("The parts add up to %(sum)s, but the transaction is %(whole)s.") % said)
    # Reversed bookings of the whole line stay with it: the parts are new lines.
    made = [_part_of(found, place, amount) for place, (amount, _target) in enumerate(parts, start=1)]
    BankStatementLine.objects.bulk_create(made)
    for part, (_amount, target) in zip(made, parts, strict=True):
        if target is not None:
            book_bank_line(part, target, by=by)
    return made


@transaction.atomic
def unsplit_bank_line(line: BankStatementLine) -> None:
    """Undo a split. Raises OfficerProblem if a part is booked or ignored."""
    club = lock_row(Club, line.club_id)
    parts = BankStatementLine.objects.filter(part_of=line)
    waiting = bank_lines_to_review(club).filter(part_of=line, entry=None, booking=None)
    if not parts or len(parts) != len(waiting):
        raise OfficerProblem(_("Part of this transaction is already recorded or ignored. Undo that first."))
    parts.delete()


def _part_of(line: BankStatementLine, place: int, amount: Cents) -> BankStatementLine:
    named = f"{line.identity}\n{line.place}\npart\n{place}"
    return BankStatementLine(
        club_id=line.club_id,
        own_account=line.own_account,
        booked_on=line.booked_on,
        amount=amount if line.amount > 0 else -amount,
        party=line.party,
        party_account=line.party_account,
        text=line.text,
        bank_reference=line.bank_reference,
        identity=hashlib.sha256(named.encode()).hexdigest(),
        kept_at=line.kept_at,
        kept_by_id=line.kept_by_id,
        part_of=line,
    )
