"""Detection of duplicate lines: entered manually, or imported in another of the bank's formats.

A statement may come as CAMT.053 today and as CSV tomorrow, with different texts and references. The lines differ, but
the money is the same. Equal lines in one statement are separate payments
(`clubs.finance.bank.statements.statement_line_fingerprint`). Money that the bank moved is known for good: a payment it
returned moved twice, and a booking that was reversed by hand has moved all the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from enum import Enum

from django.db.models import Q

from clubs.models import BankStatementLine, BookEntry, Club, LedgerEntry
from common.text.amounts import Cents
from common.text.name_search import normalise_name

MAX_DAYS_APART = timedelta(days=5)
"""A transfer entered manually has the date on which somebody learned of it."""
MAX_RETURN_PERIOD = timedelta(days=400)
"""Direct debits can be returned for thirteen months."""


class DuplicateSource(Enum):
    """How a possible duplicate was booked: by hand, or from a statement line."""

    MANUAL_ENTRY = 1
    STATEMENT_LINE = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class _Booked:
    on: date
    identity: str
    """The fingerprint of the line it was booked from; empty if entered manually."""
    party: str = ""


class BookedTransactions:
    """Booked transactions with the same amounts as these lines, loaded once for all lines."""

    def __init__(self, club: Club, lines: Iterable[BankStatementLine]) -> None:
        lines = list(lines)
        amounts = {abs(line.amount) for line in lines}
        signed = [sign * amount for amount in amounts for sign in (1, -1)]
        self._of_members: dict[tuple[int, Cents], list[_Booked]] = defaultdict(list)
        self._of_accounts: dict[tuple[int, Cents], list[_Booked]] = defaultdict(list)
        self._payments: dict[tuple[int, Cents], list[LedgerEntry]] = defaultdict(list)
        kinds = LedgerEntry.Kind
        of_the_bank = Q(bank_line__isnull=False) | Q(corrected_by__bank_line__isnull=False)
        moved = LedgerEntry.objects.filter(
            of_the_bank | Q(corrects=None, corrected_by=None),
            club=club,
            method=LedgerEntry.Method.TRANSFER,
            amount__in=signed,
        )
        for entry in moved.select_related("account", "bank_line", "corrected_by").order_by("booked_on", "pk"):
            key = entry.account.member_id, entry.amount if entry.kind == kinds.PAYMENT else -entry.amount
            self._of_members[key].append(_Booked(on=entry.booked_on, identity=_identity(entry)))
            if entry.kind == kinds.PAYMENT and entry.corrects_id is None and not hasattr(entry, "corrected_by"):
                self._payments[key].append(entry)
        entries = BookEntry.objects.filter(
            Q(bank_line__isnull=False) | Q(corrected_by=None),
            club=club,
            ledger_entry=None,
            corrects=None,
            amount__in=amounts,
        )
        for booking in entries.select_related("bank_line"):
            booked = _Booked(on=booking.on, identity=_identity(booking), party=normalise_name(booking.party))
            self._of_accounts[booking.source_id, booking.amount].append(booked)
            self._of_accounts[booking.target_id, -booking.amount].append(booked)
        self._add_split(club, signed)

    def _add_split(self, club: Club, signed: Iterable[Cents]) -> None:
        """Add lines that were booked in parts, as another file may contain the whole line."""
        parts = BankStatementLine.objects.filter(club=club, part_of__amount__in=signed).select_related(
            "part_of", "entry__account", "booking"
        )
        for part in parts:
            whole = part.part_of
            if whole is None:
                continue
            booked = _Booked(on=whole.booked_on, identity=whole.identity, party=normalise_name(whole.party))
            if part.entry is not None:
                self._of_members[part.entry.account.member_id, whole.amount].append(booked)
            elif part.booking is not None:
                other = part.booking.source_id if whole.amount > 0 else part.booking.target_id
                self._of_accounts[other, whole.amount].append(booked)

    def find_member_duplicate(self, line: BankStatementLine, member: int) -> DuplicateSource | None:
        """Return the source of a member's payment or refund that the line may duplicate, or None."""
        return _alike(line, self._of_members.get((member, line.amount), ()))

    def find_account_duplicate(self, line: BankStatementLine, account: int, *, is_own: bool) -> DuplicateSource | None:
        """Return the source of a booking in this category or account that the line may duplicate, or None."""
        found = self._of_accounts.get((account, line.amount), ())
        party = normalise_name(line.party)
        return _alike(line, (each for each in found if is_own or not each.party or not party or each.party == party))

    def find_returned_payment(self, line: BankStatementLine, member: int) -> LedgerEntry | None:
        """Return the payment that an outgoing line may be sending back: the member's latest of that amount."""
        payments = self._payments.get((member, -line.amount), ()) if line.amount < 0 else ()
        return next((each for each in reversed(payments) if _came_before(each, line)), None)


def returned_payment_of_line(line: BankStatementLine, member: int) -> LedgerEntry | None:
    """Return the payment that an outgoing line may be sending back, or None."""
    return BookedTransactions(Club(pk=line.club_id), [line]).find_returned_payment(line, member)


def _came_before(payment: LedgerEntry, line: BankStatementLine) -> bool:
    return timedelta(0) <= line.booked_on - payment.booked_on <= MAX_RETURN_PERIOD


def _identity(entry: LedgerEntry | BookEntry) -> str:
    line: BankStatementLine | None = getattr(entry, "bank_line", None)
    return line.identity if line else ""


def _alike(line: BankStatementLine, booked: Iterable[_Booked]) -> DuplicateSource | None:
    near = [
        each for each in booked if abs(each.on - line.booked_on) <= MAX_DAYS_APART and each.identity != line.identity
    ]
    if not near:
        return None
    return DuplicateSource.STATEMENT_LINE if any(each.identity for each in near) else DuplicateSource.MANUAL_ENTRY
