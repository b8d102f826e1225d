"""Account sheets: the entries of an account in a year, with a running balance after each."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import MAXYEAR, MINYEAR, date
from itertools import accumulate

from django.db.models import Q

from clubs.finance.accounting.entries import balance_of_account, is_opening_balance
from clubs.models import BookAccount, BookEntry
from common.text.amounts import Cents
from common.text.name_search import normalise_name


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountSheetLine:
    """A line in an account sheet: the amount (negative for money out) and the balance after it."""

    entry: BookEntry
    counter_account: BookAccount
    amount: Cents
    balance: Cents


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountSheet:
    """The entries in an account for a year.

    A category starts each year at zero, and income and expenses are positive. An opening balance made within the year
    counts in `opening_balance`, as in the year's report.
    """

    account: BookAccount
    opening_balance: Cents
    lines: tuple[AccountSheetLine, ...]
    opening_entries: tuple[BookEntry, ...] = ()

    @property
    def closing_balance(self) -> Cents:
        return self.lines[-1].balance if self.lines else self.opening_balance

    def search_lines(self, words: str) -> list[AccountSheetLine]:
        """Return the lines with all these words, ignoring case and accents. The balances are not recalculated."""
        wanted = normalise_name(words).split()
        return [line for line in self.lines if all(word in normalise_name(_said(line)) for word in wanted)]


def build_account_sheet(account: BookAccount, year: int) -> AccountSheet:
    """Return an account's sheet for a year, sorted by date."""
    moved = BookEntry.objects.filter(Q(source=account) | Q(target=account), club=account.club_id)
    # Income is booked from its category into a money account, but readers expect a positive amount.
    sign = -1 if account.kind == BookAccount.Kind.INCOME else 1
    opening = _carried_over(account, year)
    lines, begun_with = [], []
    entries = moved.filter(year=year).select_related(
        "source", "target", "ledger_entry__account__member", "corrects", "corrected_by"
    )
    for entry in entries.order_by("on", "number"):
        is_in = entry.target_id == account.pk
        amount = sign * (entry.amount if is_in else -entry.amount)
        if is_opening_balance(entry):
            opening += amount
            begun_with.append(entry)
            continue
        other = entry.source if is_in else entry.target
        lines.append((entry, other, amount))
    balances = accumulate((amount for _entry, _other, amount in lines), initial=opening)
    next(balances)
    return AccountSheet(
        account=account,
        opening_balance=opening,
        lines=tuple(
            AccountSheetLine(entry=entry, counter_account=other, amount=amount, balance=balance)
            for (entry, other, amount), balance in zip(lines, balances, strict=True)
        ),
        opening_entries=tuple(begun_with),
    )


def _carried_over(account: BookAccount, year: int) -> Cents:
    """Return the balance a money account starts the year with, or 0 for a category."""
    if account.kind not in BookAccount.MONEY_KINDS or not MINYEAR < year <= MAXYEAR:
        return 0
    return balance_of_account(account, until=date(year - 1, 12, 31))


def _said(line: AccountSheetLine) -> str:
    entry = line.entry
    whose = entry.ledger_entry.account.member.name if entry.ledger_entry else entry.party
    return f"{entry.voucher_number} {whose} {entry.text} {line.counter_account.name}"
