"""What was booked already, or waits already, that a line may be once more: by hand, or from another bank's format.

A statement comes as CAMT.053 today and as CSV tomorrow, with other texts and references: the lines are others, the
money is the same. Equal lines of one statement are so many payments (`clubs.finance.bank.statements.identity`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from enum import Enum

from clubs.models import BankLine, BookEntry, Club, LedgerEntry
from common.text.amounts import Cents
from common.text.searching import plain

DAYS_APART = timedelta(days=5)
"""A transfer that was booked by hand has the day on which somebody heard of it."""
COMES_BACK_WITHIN = timedelta(days=400)
"""Direct debits are returned for thirteen months."""


class Alike(Enum):
    """Where a movement like the line's stands."""

    BY_HAND = 1
    FROM_A_STATEMENT = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class _Booked:
    on: date
    identity: str
    """Of the line it was booked from; empty: by hand."""
    party: str = ""


class Booked:
    """Movements of the same amounts as these lines, read once for all of them."""

    def __init__(self, club: Club, lines: Iterable[BankLine]) -> None:
        lines = list(lines)
        amounts = {abs(line.amount) for line in lines}
        self._of_members: dict[tuple[int, Cents], list[_Booked]] = defaultdict(list)
        self._of_accounts: dict[tuple[int, Cents], list[_Booked]] = defaultdict(list)
        self._payments: dict[tuple[int, Cents], list[LedgerEntry]] = defaultdict(list)
        kinds = LedgerEntry.Kind
        moved = LedgerEntry.objects.filter(
            club=club, method=LedgerEntry.Method.TRANSFER, corrects=None, corrected_by=None, amount__in=amounts
        )
        for entry in moved.select_related("account", "bank_line").order_by("booked_on", "pk"):
            key = entry.account.member_id, entry.amount if entry.kind == kinds.PAYMENT else -entry.amount
            self._of_members[key].append(_Booked(on=entry.booked_on, identity=_identity(entry)))
            if entry.kind == kinds.PAYMENT:
                self._payments[key].append(entry)
        entries = BookEntry.objects.filter(
            club=club, ledger_entry=None, corrects=None, corrected_by=None, amount__in=amounts
        )
        for booking in entries.select_related("bank_line"):
            booked = _Booked(on=booking.on, identity=_identity(booking), party=plain(booking.party))
            self._of_accounts[booking.source_id, booking.amount].append(booked)
            self._of_accounts[booking.target_id, -booking.amount].append(booked)
        self._add_split(club, amounts)

    def _add_split(self, club: Club, amounts: set[Cents]) -> None:
        """A line that was booked in parts: the whole of it comes once more from another file."""
        signed = [sign * amount for amount in amounts for sign in (1, -1)]
        parts = BankLine.objects.filter(club=club, part_of__amount__in=signed).select_related(
            "part_of", "entry__account", "booking"
        )
        for part in parts:
            whole = part.part_of
            if whole is None:
                continue
            booked = _Booked(on=whole.booked_on, identity=whole.identity, party=plain(whole.party))
            if part.entry is not None:
                self._of_members[part.entry.account.member_id, whole.amount].append(booked)
            elif part.booking is not None:
                other = part.booking.source_id if whole.amount > 0 else part.booking.target_id
                self._of_accounts[other, whole.amount].append(booked)

    def of_member(self, line: BankLine, member: int) -> Alike | None:
        """A member's payment, or a refund to him, that the line may be once more."""
        return _alike(line, self._of_members.get((member, line.amount), ()))

    def of_account(self, line: BankLine, account: int, *, is_own: bool) -> Alike | None:
        """The same for money out of a category or one of the club's accounts, or into it."""
        found = self._of_accounts.get((account, line.amount), ())
        party = plain(line.party)
        return _alike(line, (each for each in found if is_own or not each.party or not party or each.party == party))

    def returned(self, line: BankLine, member: int) -> LedgerEntry | None:
        """The payment that a line of money going out may be the return of: the last one of its amount."""
        payments = self._payments.get((member, -line.amount), ()) if line.amount < 0 else ()
        return next((each for each in reversed(payments) if _came_before(each, line)), None)


def returned_payment(line: BankLine, member: int) -> LedgerEntry | None:
    """`Booked.returned` for one line."""
    return Booked(Club(pk=line.club_id), [line]).returned(line, member)


def _came_before(payment: LedgerEntry, line: BankLine) -> bool:
    return timedelta(0) <= line.booked_on - payment.booked_on <= COMES_BACK_WITHIN


def _identity(entry: LedgerEntry | BookEntry) -> str:
    line: BankLine | None = getattr(entry, "bank_line", None)
    return line.identity if line else ""


def _alike(line: BankLine, booked: Iterable[_Booked]) -> Alike | None:
    near = [each for each in booked if abs(each.on - line.booked_on) <= DAYS_APART and each.identity != line.identity]
    if not near:
        return None
    return Alike.FROM_A_STATEMENT if any(each.identity for each in near) else Alike.BY_HAND
