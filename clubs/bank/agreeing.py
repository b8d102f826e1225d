"""Whether the books agree with the bank: the balance of its last statement, beside what the books make of that day."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from django.db.models import Q, Sum

from clubs.bank.matching import open_lines
from clubs.models import BankBalance, BookAccount, BookEntry, Club
from clubs.writing.amounts import Cents
from clubs.writing.ibans import read_iban


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """An account in the evening of the last statement's day: by the bank, by the books, and what waits to be booked."""

    account: BookAccount
    on: date
    bank: Cents
    books: Cents
    waiting: Cents

    @property
    def difference(self) -> Cents:
        """What the bank has more than the books, when all that waits is booked."""
        return self.bank - self.books - self.waiting


def agreements(club: Club) -> list[Agreement]:
    """The accounts whose statements said a balance; five queries an account, of which a club has few."""
    accounts = list(BookAccount.objects.filter(club=club, kind=BookAccount.Kind.BANK, is_closed=False).order_by("pk"))
    latest: dict[int, BankBalance] = {}
    for balance in BankBalance.objects.filter(club=club).order_by("on", "pk"):
        if (account := _account_of(balance.own_account, accounts)) is not None:
            latest[account.pk] = balance
    return [_agreement(account, latest[account.pk], accounts) for account in accounts if account.pk in latest]


def _agreement(account: BookAccount, balance: BankBalance, accounts: list[BookAccount]) -> Agreement:
    entries = BookEntry.objects.filter(Q(source=account) | Q(target=account), on__lte=balance.on)
    sums = entries.aggregate(
        came=Sum("amount", filter=Q(target=account), default=0), went=Sum("amount", filter=Q(source=account), default=0)
    )
    begins = account.begins_on or balance.on
    waiting = open_lines(Club(pk=account.club_id)).filter(booked_on__range=(begins, balance.on))
    lines = waiting.values_list("own_account", "amount")
    return Agreement(
        account=account,
        on=balance.on,
        bank=balance.amount,
        books=sums["came"] - sums["went"],
        waiting=sum(amount for number, amount in lines if _account_of(number, accounts) == account),
    )


def _account_of(number: str, accounts: list[BookAccount]) -> BookAccount | None:
    """The account in the books whose number it is; the only one where the statement's number says nothing else."""
    own = read_iban(number)
    found = [each for each in accounts if own and read_iban(each.iban) == own]
    others = [each for each in accounts if not own or not read_iban(each.iban)]
    return next(iter(found), accounts[0] if len(accounts) == 1 and others else None)
