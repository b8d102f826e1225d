"""Whether the books and the bank agree on what is on an account, once all lines that wait are booked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Q, Sum

from clubs.bank.matching import open_lines
from clubs.bank.statements import ClosingBalance
from clubs.books.booking import balance_of_account
from clubs.models import BookAccount, Club
from clubs.writing.amounts import Cents
from clubs.writing.ibans import read_iban, squeezed


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """What both say of an account on the evening of a day."""

    account: BookAccount
    bank: ClosingBalance
    books: Cents

    @property
    def difference(self) -> Cents:
        """What the bank has more than the books."""
        return self.bank.amount - self.books


def agreements(club: Club, balances: Iterable[ClosingBalance]) -> list[Agreement]:
    """For each balance of an account that the club keeps books of, from the day on which they begin."""
    accounts = [each for each in club.book_accounts.filter(kind=BookAccount.Kind.BANK, is_closed=False) if each.iban]
    found = []
    for balance in balances:
        own = read_iban(balance.own_account)
        account = next((each for each in accounts if own and read_iban(each.iban) == own), None)
        if account is None or (account.begins_on and balance.on < account.begins_on):
            continue
        since = Q(booked_on__gte=account.begins_on) if account.begins_on else Q()
        waiting = open_lines(club).filter(
            since, own_account=squeezed(balance.own_account)[:34], booked_on__lte=balance.on
        )
        books = balance_of_account(account, until=balance.on) + waiting.aggregate(sum=Sum("amount", default=0))["sum"]
        found.append(Agreement(account=account, bank=balance, books=books))
    return found
