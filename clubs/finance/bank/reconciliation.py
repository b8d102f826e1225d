"""Whether the books and the bank agree on what is on an account, once all lines that wait are booked."""

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
    """What both say of an account on the evening of a day."""

    account: BookAccount
    bank_balance: ClosingBalance
    book_balance: Cents

    @property
    def difference(self) -> Cents:
        """What the bank has more than the books."""
        return self.bank_balance.amount - self.book_balance


@dataclass(frozen=True, slots=True, kw_only=True)
class BankAccountStatus:
    """An account at the bank by now: the books with and without the lines that wait, and the bank's last word."""

    account: BookAccount
    booked_balance: Cents
    amount_to_review: Cents
    latest_reconciliation: BalanceReconciliation | None


def reconcile_balances(club: Club, balances: Iterable[ClosingBalance]) -> list[BalanceReconciliation]:
    """For each balance of an account that the club keeps books of, from the day on which they begin."""
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
    """Each of the club's accounts at the bank, beside what the bank said of it last."""
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
    """The club's accounts at banks in use, the first one opened first: a line that names none is its."""
    return list(club.book_accounts.filter(kind=BookAccount.Kind.BANK, is_closed=False).order_by("pk"))


def find_bank_account(accounts: Sequence[BookAccount], own_account: str) -> BookAccount | None:
    """The account in the books of a statement's own account; the only one, where no number of it is written down."""
    for each in accounts:
        is_same_text = bool(each.iban) and normalise_account_number(each.iban) == normalise_account_number(own_account)
        if own_account == manual_balance_key(each) or is_same_account(each.iban, own_account) or is_same_text:
            return each
    return accounts[0] if len(accounts) == 1 and not accounts[0].iban else None


def manual_balance_key(account: BookAccount) -> str:
    """What a balance that somebody wrote down is kept under: no bank calls an account so."""
    return f"BOOK{account.pk}"


def _moved(accounts: Sequence[BookAccount], account: BookAccount, until: date) -> tuple[Cents, Cents]:
    """What was booked on an account until a day, and the sum of the lines that wait to be."""
    since = Q(booked_on__gte=account.begins_on) if account.begins_on else Q()
    lines = bank_lines_to_review(account.club).filter(since, booked_on__lte=until)
    by_own = lines.values_list("own_account").annotate(formatted_amount=Sum("amount")).order_by()
    # A line that names no account is the first one's; one of an account that the books do not know is nobody's.
    is_first = account.pk == accounts[0].pk
    waiting = sum(
        amount for own, amount in by_own if (find_bank_account(accounts, own) == account if own else is_first)
    )
    return balance_of_account(account, until=until), waiting
