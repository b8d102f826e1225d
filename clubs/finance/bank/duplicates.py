"""Detection of duplicate lines: entered manually, or imported in another of the bank's formats.

A statement may come as CAMT.053 today and as CSV tomorrow, with different texts and references. The lines differ, but
the money is the same. Lines in one file are separate payments, even if they are equal
(`clubs.finance.bank.statements.statement_line_fingerprint`). Money that the bank moved is known for good: a payment it
returned moved twice, and a booking that was reversed by hand has moved all the same.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import Enum

from django.db.models import Q

from clubs.models import BankStatementLine, BookEntry, Club, LedgerEntry
from common.text.amounts import Cents
from common.text.name_search import normalise_name
from common.text.payment_references import find_account_numbers

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
    line: BankStatementLine | None
    """The line it was booked from; None if entered manually."""
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
            self._of_members[key].append(_Booked(on=entry.booked_on, line=_line_of(entry)))
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
            booked = _Booked(on=booking.on, line=_line_of(booking), party=normalise_name(booking.party))
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
            booked = _Booked(on=whole.booked_on, line=whole, party=normalise_name(whole.party))
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


def _line_of(entry: LedgerEntry | BookEntry) -> BankStatementLine | None:
    line: BankStatementLine | None = getattr(entry, "bank_line", None)
    return line


def _alike(line: BankStatementLine, booked: Iterable[_Booked]) -> DuplicateSource | None:
    near = [each for each in booked if abs(each.on - line.booked_on) <= MAX_DAYS_APART]
    if has_enough_in_another_file(line, (each.line for each in near if each.line)):
        return DuplicateSource.STATEMENT_LINE
    return None if all(each.line for each in near) else DuplicateSource.MANUAL_ENTRY


def has_enough_in_another_file(line: BankStatementLine, others: Iterable[BankStatementLine]) -> bool:
    """Return True if another file has as many lines like this one as its own file has up to it.

    The second of two equal lines is new if the other file has only one.
    """
    counted = Counter(each.kept_at for each in others if is_of_another_file(line, each))
    return max(counted.values(), default=0) >= line.place


def is_of_another_file(line: BankStatementLine, other: BankStatementLine) -> bool:
    """Return True if two lines were imported at different times and are not the same line."""
    return other.kept_at != line.kept_at and other.identity != line.identity


def find_lines_in_other_files(club: Club, lines: Sequence[BankStatementLine]) -> dict[int, BankStatementLine]:
    """Return, by key, a line of another file that may be the same movement, for lines that have one. One query.

    This finds lines that name nobody, too, such as the bank's own fees.
    """
    if not lines:
        return {}
    days = [line.booked_on for line in lines]
    saved = BankStatementLine.objects.filter(
        club=club,
        part_of=None,
        amount__in={line.amount for line in lines},
        booked_on__range=(min(days) - timedelta(days=1), max(days) + timedelta(days=1)),
    )
    by_amount: dict[Cents, list[BankStatementLine]] = defaultdict(list)
    for other in saved.order_by("pk"):
        by_amount[other.amount].append(other)
    found = {}
    for line in lines:
        alike = [other for other in by_amount[line.amount] if _is_like(line, other)]
        if line.part_of_id is None and has_enough_in_another_file(line, alike):
            found[line.pk] = next(other for other in alike if is_of_another_file(line, other))
    return found


def _is_like(line: BankStatementLine, other: BankStatementLine) -> bool:
    """Return True for an earlier line of about that day with similar words, unless something tells the two apart.

    Formats differ in their words, but one bank's formats have the same day, give or take one.
    """
    if other.pk >= line.pk or abs(other.booked_on - line.booked_on) > timedelta(days=1):
        return False
    if line.own_account and other.own_account and line.own_account != other.own_account:
        return False
    numbers, others_numbers = (set(find_account_numbers(each.text)) for each in (line, other))
    if numbers and others_numbers and numbers != others_numbers:
        return False
    if line.party and other.party:
        own, others = (set(normalise_name(each.party).split()) for each in (line, other))
        return own <= others or others <= own
    own, others = (set(normalise_name(f"{each.party} {each.text}").split()) for each in (line, other))
    return 4 * len(own & others) >= 3 * min(len(own), len(others))
