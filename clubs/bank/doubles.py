"""What was booked already: the same transfer from another statement or by hand, and payments that banks send back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import Q

from clubs.bank.proposals import Reason
from clubs.models import BankLine, BookAccount, Club, LedgerEntry
from clubs.writing.amounts import Cents
from clubs.writing.ibans import read_iban, squeezed
from clubs.writing.references import account_numbers_in
from clubs.writing.searching import plain

DAYS_ALIKE = 5
"""So many days apart, one transfer may stand in two statements, or in a statement and booked by hand."""
DAYS_SENT_BACK_IN = 60
"""So long after a payment its bank may send it back: a direct debit eight weeks."""


def is_near(one: date, other: date) -> bool:
    """The two may be the day of one transfer, as two papers give it."""
    return abs(one - other) <= timedelta(days=DAYS_ALIKE)


@dataclass(frozen=True, slots=True)
class _Other:
    """Another line, whose it is or is thought to be, and what follows for one that is like it."""

    line: BankLine
    whose: str
    reason: Reason


class Alike:
    """Lines by their amounts, so that the same transfer is known when it comes from a statement of another kind."""

    def __init__(self) -> None:
        self._others: dict[Cents, list[_Other]] = defaultdict(list)

    def add(self, line: BankLine, whose: str, reason: Reason) -> None:
        """Know a line; `whose` is as in `Proposal.whose`."""
        self._others[line.amount].append(_Other(line, whose, reason))

    def reason(self, line: BankLine, whose: str) -> Reason | None:
        """Why a line that would be so booked may be one that is known; None where none is like it.

        Equal lines of statements of one kind were counted when they came in: they are so many.
        """
        for other in self._others[line.amount]:
            if (
                other.line.identity != line.identity
                and is_near(other.line.booked_on, line.booked_on)
                and _may_be_of_one_account(other.line, line)
                and (other.whose == whose or _says_the_same(other.line, line))
            ):
                return other.reason
        return None


def booked_alike(club: Club, lines: Sequence[BankLine]) -> Alike:
    """The lines booked before, and not taken back, that have the amount of one of these; one query."""
    alike = Alike()
    booked = BankLine.objects.filter(club=club, amount__in={line.amount for line in lines}, left_aside="")
    booked = booked.filter(Q(entry__corrected_by=None), Q(booking__corrected_by=None)).exclude(entry=None, booking=None)
    for line in booked.select_related("entry__account", "booking__source", "booking__target"):
        if line.entry:
            alike.add(line, f"member:{line.entry.account.member_id}", Reason.BOOKED_FROM_STATEMENT)
        elif line.booking:
            sides = (line.booking.source, line.booking.target)
            other = next((side for side in sides if side.kind not in BookAccount.MONEY), sides[line.amount < 0])
            alike.add(line, f"account:{other.pk}", Reason.BOOKED_FROM_STATEMENT)
    return alike


def payments_sent_back(club: Club, lines: Sequence[BankLine]) -> dict[tuple[int, Cents], LedgerEntry]:
    """The latest transfer that stands, by member and amount, of the amounts that these lines take out; one query."""
    amounts = {-line.amount for line in lines if line.amount < 0}
    entries = LedgerEntry.objects.filter(
        club=club,
        kind=LedgerEntry.Kind.PAYMENT,
        method=LedgerEntry.Method.TRANSFER,
        amount__in=amounts,
        corrects=None,
        corrected_by=None,
    )
    return {(entry.account.member_id, entry.amount): entry for entry in entries.select_related("account")}


def booked_by_hand(club: Club, lines: Iterable[BankLine]) -> dict[tuple[int, int], list[date]]:
    """Days of transfers that were booked without a statement, by member and amount."""
    amounts = {abs(line.amount) for line in lines}
    entries = LedgerEntry.objects.filter(
        club=club, method=LedgerEntry.Method.TRANSFER, bank_line=None, corrects=None, corrected_by=None
    ).filter(amount__in=amounts)
    found: dict[tuple[int, int], list[date]] = defaultdict(list)
    for member, amount, day in entries.values_list("account__member_id", "amount", "booked_on"):
        found[member, amount].append(day)
    return found


def _may_be_of_one_account(one: BankLine, other: BankLine) -> bool:
    """Nothing says that they are of two accounts of the club: not every statement names its account by its IBAN."""
    numbers = {read_iban(line.own_account) for line in (one, other)} - {""}
    return len(numbers) < 2


def _says_the_same(one: BankLine, other: BankLine) -> bool:
    """From or to the same, and nothing in their texts tells them apart."""
    by_account = {squeezed(line.party_account)[-10:] for line in (one, other)}
    by_name = {plain(line.party) for line in (one, other)}
    same_side = (len(by_account) == 1 and "" not in by_account) or (len(by_name) == 1 and "" not in by_name)
    texts = sorted((squeezed(plain(line.text)) for line in (one, other)), key=len)
    same_reference = account_numbers_in(one.text) == account_numbers_in(other.text)
    return same_side and texts[0] in texts[1] and (same_reference or not texts[0])
