"""One account or category of the books in a year: its entries by their days, each with what was left after it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import MAXYEAR, MINYEAR, date
from itertools import accumulate

from django.db.models import Q

from clubs.finance.accounting.booking import balance_of_account, is_opening
from clubs.models import BookAccount, BookEntry
from common.text.amounts import Cents
from common.text.searching import plain


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetLine:
    """An entry as the account sees it: what came in, below zero what went out, and the balance after it."""

    entry: BookEntry
    other: BookAccount
    amount: Cents
    balance: Cents


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountSheet:
    """A year of an account. A category begins every year with nothing; income and expenses are above zero.

    What was there when its books began, within the year, is in the `opening`, as in the year's report.
    """

    account: BookAccount
    opening: Cents
    lines: tuple[SheetLine, ...]
    begun_with: tuple[BookEntry, ...] = ()

    @property
    def closing(self) -> Cents:
        return self.lines[-1].balance if self.lines else self.opening

    def about(self, words: str) -> list[SheetLine]:
        """The lines in which all of these words stand, in whatever letters; each keeps its balance."""
        wanted = plain(words).split()
        return [line for line in self.lines if all(word in plain(_said(line)) for word in wanted)]


def account_sheet(account: BookAccount, year: int) -> AccountSheet:
    """The sheet of a year, in the order of days."""
    moved = BookEntry.objects.filter(Q(source=account) | Q(target=account), club=account.club_id)
    # Money that comes into a category of income goes out of it into cash: to its reader it is what came in.
    sign = -1 if account.kind == BookAccount.Kind.INCOME else 1
    opening = _carried_over(account, year)
    lines, begun_with = [], []
    entries = moved.filter(year=year).select_related(
        "source", "target", "ledger_entry__account__member", "corrects", "corrected_by"
    )
    for entry in entries.order_by("on", "number"):
        is_in = entry.target_id == account.pk
        amount = sign * (entry.amount if is_in else -entry.amount)
        if is_opening(entry):
            opening += amount
            begun_with.append(entry)
            continue
        other = entry.source if is_in else entry.target
        lines.append((entry, other, amount))
    balances = accumulate((amount for _entry, _other, amount in lines), initial=opening)
    next(balances)
    return AccountSheet(
        account=account,
        opening=opening,
        lines=tuple(
            SheetLine(entry=entry, other=other, amount=amount, balance=balance)
            for (entry, other, amount), balance in zip(lines, balances, strict=True)
        ),
        begun_with=tuple(begun_with),
    )


def _carried_over(account: BookAccount, year: int) -> Cents:
    """What an account of money begins a year with; there are days only in the years of the calendar."""
    if account.kind not in BookAccount.MONEY or not MINYEAR < year <= MAXYEAR:
        return 0
    return balance_of_account(account, until=date(year - 1, 12, 31))


def _said(line: SheetLine) -> str:
    entry = line.entry
    whose = entry.ledger_entry.account.member.name if entry.ledger_entry else entry.party
    return f"{entry.voucher} {whose} {entry.text} {line.other.name}"
