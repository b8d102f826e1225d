"""One account, or one category: a year's entries day by day, with what was on it after each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from clubs.models import BookAccount, BookEntry
from clubs.writing.amounts import Cents
from clubs.writing.searching import plain


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountLine:
    """An entry as its account sees it: `amount` is below zero for what went out, or lessens a category."""

    entry: BookEntry
    other: BookAccount
    amount: Cents
    balance: Cents

    @property
    def came(self) -> Cents:
        return max(0, self.amount)

    @property
    def went(self) -> Cents:
        return max(0, -self.amount)


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountYear:
    """A year of an account. For a category, `opening` is nothing and `closing` what it has brought or cost."""

    account: BookAccount
    year: int
    opening: Cents
    closing: Cents
    lines: tuple[AccountLine, ...]

    @property
    def is_money(self) -> bool:
        return self.account.kind in BookAccount.MONEY

    def about(self, words: str) -> Sequence[AccountLine]:
        """The lines in whose texts all of these words stand, in any order and spelling of letters."""
        wanted = plain(words).split()
        return [line for line in self.lines if all(word in plain(_said(line)) for word in wanted)]


def account_year(account: BookAccount, year: int) -> AccountYear:
    """The entries of a year in the order of their days; two queries."""
    entries = _entries_of(account)
    opening = 0
    if account.kind in BookAccount.MONEY:
        opening = sum(_effect(entry, account) for entry in entries.filter(year__lt=year))
    balance, lines = opening, []
    of_year = entries.filter(year=year).select_related(
        "source", "target", "ledger_entry__account__member", "corrects", "corrected_by"
    )
    for entry in of_year.order_by("on", "number"):
        amount = _effect(entry, account)
        balance += amount
        other = entry.target if entry.source_id == account.pk else entry.source
        lines.append(AccountLine(entry=entry, other=other, amount=amount, balance=balance))
    return AccountYear(account=account, year=year, opening=opening, closing=balance, lines=tuple(lines))


def years_of_account(account: BookAccount) -> list[int]:
    """The years in which anything was booked on it, the latest first."""
    return sorted(set(_entries_of(account).values_list("year", flat=True).order_by()), reverse=True)


def _entries_of(account: BookAccount) -> QuerySet[BookEntry]:
    return BookEntry.objects.filter(Q(source=account) | Q(target=account))


def _effect(entry: BookEntry, account: BookAccount) -> Cents:
    """What comes in counts up; of income, what goes out of the category does."""
    comes = (entry.target_id == account.pk) != (account.kind == BookAccount.Kind.INCOME)
    return entry.amount if comes else -entry.amount


def _said(line: AccountLine) -> str:
    entry = line.entry
    whose = entry.ledger_entry.account.member.name if entry.ledger_entry else entry.party
    return f"{entry.voucher} {whose} {entry.text} {line.other.name}"
