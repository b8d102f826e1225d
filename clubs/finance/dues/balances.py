"""Members' balances, overdue amounts and account statements."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from itertools import accumulate
from typing import Any

from django.db.models import Case, Q, QuerySet, Sum, When
from django.db.models.functions import Coalesce

from clubs.models import Club, LedgerEntry, Member
from common.text.amounts import Cents


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberBalance:
    """A member's balance in cents: total dues, total payments, and what is overdue."""

    charged: Cents = 0
    paid: Cents = 0
    overdue: Cents = 0

    @property
    def amount_owed(self) -> Cents:
        """The amount left to pay. Negative if overpaid."""
        return self.charged - self.paid

    @property
    def overpaid_amount(self) -> Cents:
        """The overpaid amount, which can be refunded or is an advance payment."""
        return max(0, -self.amount_owed)

    @property
    def amount_due_now(self) -> Cents:
        """The amount to ask for first: overdue instalments, or otherwise everything owed."""
        return self.overdue or max(0, self.amount_owed)


def member_balances(club: Club, *, today: date, members: Iterable[Member] | None = None) -> dict[int, MemberBalance]:
    """Return members' balances by key. One query. Members without an account are left out.

    Payments settle the oldest charges first, ordered by season, or by due date if they have none. Money paid for a
    season that is not due yet does not pay the next one.
    """
    entries = LedgerEntry.objects.filter(club=club)
    if members is not None:
        entries = entries.filter(account__member__in=list(members))
    kinds = LedgerEntry.Kind
    of_a_season = Case(When(kind__in=(kinds.DUE, kinds.WAIVER), then=Coalesce("season__starts_on", "due_on")))
    sums = entries.values("account__member", begins=of_a_season).annotate(
        due=Sum("amount", filter=Q(kind=kinds.DUE), default=0),
        due_now=Sum("amount", filter=Q(kind=kinds.DUE, due_on__lt=today), default=0),
        waiver=Sum("amount", filter=Q(kind=kinds.WAIVER), default=0),
        waiver_now=Sum("amount", filter=Q(kind=kinds.WAIVER) & (Q(due_on=None) | Q(due_on__lt=today)), default=0),
        payment=Sum("amount", filter=Q(kind=kinds.PAYMENT), default=0),
        refund=Sum("amount", filter=Q(kind=kinds.REFUND), default=0),
    )
    rows: dict[int, list[Any]] = defaultdict(list)
    for row in sums.order_by():
        rows[row["account__member"]].append(dict(row))
    return {member: _balance(each) for member, each in rows.items()}


def _balance(rows: Iterable[Any]) -> MemberBalance:
    """Settle charges season by season and return the balance. A waiver without a season counts as a payment."""
    charged = paid = left = overdue = 0
    seasons = []
    for row in rows:
        came, open_now = row["payment"] - row["refund"], row["due"] - row["waiver"]
        charged, paid = charged + open_now, paid + came
        left += came + max(0, -open_now)
        if row["begins"] is not None:
            seasons.append((row["begins"], max(0, open_now), row["due_now"] - row["waiver_now"]))
    for _begins, open_now, due_now in sorted(seasons):
        settled = min(max(0, left), open_now)
        left -= settled
        overdue += max(0, min(due_now, open_now) - settled)
    return MemberBalance(charged=charged, paid=paid, overdue=overdue)


def balance_of_member(member: Member, *, today: date) -> MemberBalance:
    """Return a member's balance."""
    return member_balances(member.club, today=today, members=[member]).get(member.pk, MemberBalance())


def ledger_entries_of_member(member: Member) -> QuerySet[LedgerEntry]:
    """Return a member's ledger entries in the order they were written."""
    return LedgerEntry.objects.filter(account__member=member).select_related(
        "account__member", "season", "corrects", "corrected_by", "on_behalf_of__member"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberAccountLine:
    """A line in a member's account and the balance after it. The balance is negative if overpaid."""

    entry: LedgerEntry
    balance_after: Cents

    @property
    def credit_after(self) -> Cents:
        """The amount that the member has paid too much after this line."""
        return max(0, -self.balance_after)


def member_account_lines(member: Member) -> list[MemberAccountLine]:
    """Return the lines in a member's account, sorted by date."""
    entries = sorted(ledger_entries_of_member(member), key=lambda entry: (entry.booked_on, entry.pk))
    is_asked = (LedgerEntry.Kind.DUE, LedgerEntry.Kind.REFUND)
    sums = accumulate(entry.amount if entry.kind in is_asked else -entry.amount for entry in entries)
    return [MemberAccountLine(entry=entry, balance_after=owed) for entry, owed in zip(entries, sums, strict=True)]


@dataclass(frozen=True, slots=True, kw_only=True)
class OverdueCharge:
    """An overdue charge and its unpaid amount."""

    entry: LedgerEntry
    unpaid_amount: Cents


def overdue_charges(club: Club, members: Iterable[Member], *, today: date) -> dict[int, list[OverdueCharge]]:
    """Return each member's overdue charges, oldest first. One query. Payments are applied as in `member_balances`."""
    entries: dict[int, list[LedgerEntry]] = defaultdict(list)
    lines = LedgerEntry.objects.filter(club=club, account__member__in=list(members))
    for line in lines.select_related("account", "season").order_by("due_on", "pk"):
        entries[line.account.member_id].append(line)
    return {member: _open_charges(lines, today) for member, lines in entries.items()}


def _open_charges(entries: Iterable[LedgerEntry], today: date) -> list[OverdueCharge]:
    kinds = LedgerEntry.Kind
    charges: dict[date, dict[LedgerEntry, Cents]] = defaultdict(dict)
    lowered: dict[tuple[date, date | None], Cents] = defaultdict(int)
    paid = 0
    for entry in entries:
        begins = entry.season.starts_on if entry.season else entry.due_on
        if entry.kind == kinds.DUE and begins:
            # A reversal has the date and season of its charge, and lowers the amount there.
            if entry.amount > 0:
                charges[begins][entry] = entry.amount
            else:
                lowered[begins, entry.due_on] -= entry.amount
        elif entry.kind == kinds.WAIVER and begins:
            lowered[begins, entry.due_on] += entry.amount
        else:
            paid += -entry.amount if entry.kind == kinds.REFUND else entry.amount
    for (begins, due_on), amount in lowered.items():
        for entry in charges[begins]:
            if due_on in (None, entry.due_on):
                taken = min(amount, charges[begins][entry])
                charges[begins][entry] -= taken
                amount -= taken
        paid += amount
    found = []
    for begins in sorted(charges):
        for entry, amount in charges[begins].items():
            settled = min(max(0, paid), amount)
            paid -= settled
            if amount > settled and entry.due_on and entry.due_on < today:
                found.append(OverdueCharge(entry=entry, unpaid_amount=amount - settled))
    return found
