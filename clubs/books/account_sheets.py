"""One account or category of the books in a year: its entries by their days, each with what was left after it."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q, Sum

from clubs.models import BookAccount, BookEntry
from clubs.writing.amounts import Cents


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetLine:
    """An entry as the account sees it: what came in, below zero what went out, and the balance after it."""

    entry: BookEntry
    other: BookAccount
    amount: Cents
    balance: Cents


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountSheet:
    """A year of an account. A category begins every year with nothing; income and expenses are above zero."""

    account: BookAccount
    opening: Cents
    lines: tuple[SheetLine, ...]

    @property
    def closing(self) -> Cents:
        return self.lines[-1].balance if self.lines else self.opening


def account_sheet(account: BookAccount, year: int) -> AccountSheet:
    """The sheet of a year, in the order of days."""
    moved = BookEntry.objects.filter(Q(source=account) | Q(target=account), club=account.club_id)
    # Money that comes into a category of income goes out of it into cash: to its reader it is what came in.
    sign = -1 if account.kind == BookAccount.Kind.INCOME else 1
    before = moved.filter(year__lt=year).aggregate(
        to=Sum("amount", filter=Q(target=account), default=0), out=Sum("amount", filter=Q(source=account), default=0)
    )
    balance = opening = before["to"] - before["out"] if account.kind in BookAccount.MONEY else 0
    lines = []
    entries = moved.filter(year=year).select_related(
        "source", "target", "ledger_entry__account__member", "corrects", "corrected_by"
    )
    for entry in entries.order_by("on", "number"):
        is_in = entry.target_id == account.pk
        amount = sign * (entry.amount if is_in else -entry.amount)
        balance += amount
        other = entry.source if is_in else entry.target
        lines.append(SheetLine(entry=entry, other=other, amount=amount, balance=balance))
    return AccountSheet(account=account, opening=opening, lines=tuple(lines))
