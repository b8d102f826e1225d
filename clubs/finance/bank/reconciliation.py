"""Reconciliation of the books with the bank's balances, including lines under review."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from django.db.models import Q, Sum

from clubs.finance.accounting.entries import balance_of_account
from clubs.finance.bank.matching import bank_lines_to_review
from clubs.finance.bank.statements import ClosingBalance
from clubs.models import BookAccount, Club
from common.text.amounts import Cents
from common.text.ibans import is_same_account, normalise_account_number


@dataclass(frozen=True, slots=True, kw_only=True)
class BalanceReconciliation:
    """An account's balance at the end of a day, according to the bank and according to the books."""

    account: BookAccount
    bank_balance: ClosingBalance
    book_balance: Cents

    @property
    def difference(self) -> Cents:
        """The bank's balance minus the balance in the books."""
        return self.bank_balance.amount - self.book_balance


@dataclass(frozen=True, slots=True, kw_only=True)
class BankAccountStatus:
    """The status of a bank account: its balance in the books, the lines under review, the latest reconciliation."""

    account: BookAccount
    booked_balance: Cents
    amount_to_review: Cents
    latest_reconciliation: BalanceReconciliation | None


def reconcile_balances(club: Club, balances: Iterable[ClosingBalance]) -> list[BalanceReconciliation]:
    """Reconcile each balance whose account is in the books, from the day the account's books begin."""
    accounts = bank_accounts(club)
    found = []
    for balance in balances:
        account = find_bank_account(accounts, balance.own_account)
        if account is None or (account.begins_on and balance.on < account.begins_on):
            continue
        booked, waiting = _moved(accounts, account, balance.on)
        found.append(BalanceReconciliation(account=account, bank_balance=balance, book_balance=booked + waiting))
    return found


def bank_account_statuses(club: Club, *, today: date) -> list[BankAccountStatus]:
    """Return the status of each of the club's bank accounts."""
    accounts = bank_accounts(club)
    latest: dict[int, ClosingBalance] = {}
    for kept in club.bank_balances.filter(on__lte=today).order_by("on", "pk"):
        if (account := find_bank_account(accounts, kept.own_account)) is not None:
            latest[account.pk] = ClosingBalance(own_account=kept.own_account, on=kept.on, amount=kept.amount)
    agreed = {each.account.pk: each for each in reconcile_balances(club, latest.values())}
    found = []
    for account in accounts:
        booked, waiting = _moved(accounts, account, today)
        found.append(
            BankAccountStatus(
                account=account,
                booked_balance=booked,
                amount_to_review=waiting,
                latest_reconciliation=agreed.get(account.pk),
            )
        )
    return found


def bank_accounts(club: Club) -> list[BookAccount]:
    """Return the club's open bank accounts, oldest first. A line without an account belongs to the first."""
    return list(club.book_accounts.filter(kind=BookAccount.Kind.BANK, is_closed=False).order_by("pk"))


def find_bank_account(accounts: Sequence[BookAccount], own_account: str) -> BookAccount | None:
    """Return the book account for a statement's account. A club's only account also matches if it has no IBAN."""
    for each in accounts:
        is_same_text = bool(each.iban) and normalise_account_number(each.iban) == normalise_account_number(own_account)
        if own_account == manual_balance_key(each) or is_same_account(each.iban, own_account) or is_same_text:
            return each
    return accounts[0] if len(accounts) == 1 and not accounts[0].iban else None


def manual_balance_key(account: BookAccount) -> str:
    """Return the key of a manually entered balance, which cannot be a bank account number."""
    return f"BOOK{account.pk}"


def _moved(accounts: Sequence[BookAccount], account: BookAccount, until: date) -> tuple[Cents, Cents]:
    """Return an account's booked balance up to a day, and the sum of its lines under review."""
    since = Q(booked_on__gte=account.begins_on) if account.begins_on else Q()
    lines = bank_lines_to_review(account.club).filter(since, booked_on__lte=until)
    by_own = lines.values_list("own_account").annotate(formatted_amount=Sum("amount")).order_by()
    # A line without an account belongs to the first one. Lines of an unknown account belong to none.
    is_first = account.pk == accounts[0].pk
    waiting = sum(
        amount for own, amount in by_own if (find_bank_account(accounts, own) == account if own else is_first)
    )
    return balance_of_account(account, until=until), waiting
