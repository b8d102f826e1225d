"""The club's ledger: charging, paying, taking back. Lines are only ever added, one writer at a time in each club."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from django.db import transaction
from django.db.models import Max, Q, QuerySet, Sum
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.models import Account, Club, LedgerEntry, Member, Season, User
from clubs.problems import OfficerProblem
from clubs.writing.amounts import Cents


@dataclass(frozen=True, slots=True, kw_only=True)
class Balance:
    """How a member stands: all dues, those of them whose day has passed, and all payments, in cents."""

    charged: Cents = 0
    charged_and_due: Cents = 0
    paid: Cents = 0

    @property
    def owed(self) -> Cents:
        """What is left to pay; below zero, what has been paid too much."""
        return self.charged - self.paid

    @property
    def overdue(self) -> Cents:
        """What should have been paid by now."""
        return max(0, self.charged_and_due - self.paid)


def balances(club: Club, *, today: date, members: Iterable[Member] | None = None) -> dict[int, Balance]:
    """How members stand, by key; one query. Those whose accounts were never used are missing."""
    entries = LedgerEntry.objects.filter(club=club)
    if members is not None:
        entries = entries.filter(account__member__in=list(members))
    due, payment = Q(kind=LedgerEntry.Kind.DUE), Q(kind=LedgerEntry.Kind.PAYMENT)
    sums = entries.values("account__member").annotate(
        charged=Sum("amount", filter=due, default=0),
        charged_and_due=Sum("amount", filter=due & Q(due_on__lt=today), default=0),
        paid=Sum("amount", filter=payment, default=0),
    )
    return {
        row["account__member"]: Balance(
            charged=row["charged"], charged_and_due=row["charged_and_due"], paid=row["paid"]
        )
        for row in sums.order_by()
    }


def balance_of(member: Member, *, today: date) -> Balance:
    """How one member stands."""
    return balances(member.club, today=today, members=[member]).get(member.pk, Balance())


def entries_of(member: Member) -> QuerySet[LedgerEntry]:
    """A member's lines of the ledger, in the order they were written."""
    return LedgerEntry.objects.filter(account__member=member).select_related("season", "corrects", "corrected_by")


def account_of(member: Member) -> Account:
    """The member's account; opened now if there is none. A merged member's first one is used from then on."""
    return member.accounts.order_by("pk").first() or Account.objects.create(member=member)


@transaction.atomic
def charge(
    member: Member,
    amount: Cents,
    *,
    text: str,
    due_on: date,
    by: User | None,
    season: Season | None = None,
    form_key: uuid.UUID | None = None,
) -> LedgerEntry:
    """Charge a due. A form sent twice charges once."""
    club = _hold(member.club_id)
    return _written(club, form_key) or LedgerEntry.objects.create(
        club=club,
        account=account_of(member),
        kind=LedgerEntry.Kind.DUE,
        amount=amount,
        season=season,
        booked_on=timezone.localdate(),
        due_on=due_on,
        text=text,
        entered_by=by,
        form_key=form_key,
    )


def charge_many(dues: Mapping[Member, tuple[Cents, str]], *, season: Season, by: User | None) -> int:
    """Charge a season's dues to many, each once: whoever has any due of the season, be it taken back, is left out.

    Answers how many were charged.
    """
    with transaction.atomic():
        club = _hold(season.club_id)
        done = set(charged_members(season))
        new = {member: what for member, what in dues.items() if member.pk not in done and what[0] > 0}
        accounts = _accounts_of(new)
        today = timezone.localdate()
        LedgerEntry.objects.bulk_create(
            LedgerEntry(
                club=club,
                account=accounts[member.pk],
                kind=LedgerEntry.Kind.DUE,
                amount=amount,
                season=season,
                booked_on=today,
                due_on=season.due_on,
                text=text[:160],
                entered_by=by,
            )
            for member, (amount, text) in new.items()
        )
    return len(new)


def charged_members(season: Season) -> Iterable[int]:
    """The keys of those who have a due of the season."""
    dues = LedgerEntry.objects.filter(season=season, kind=LedgerEntry.Kind.DUE)
    return dues.values_list("account__member", flat=True).distinct().order_by()


@transaction.atomic
def pay(
    member: Member,
    amount: Cents,
    *,
    method: str,
    paid_on: date,
    by: User | None,
    reference: str = "",
    season: Season | None = None,
    form_key: uuid.UUID | None = None,
) -> LedgerEntry:
    """Book a payment under the club's next receipt number. A form sent twice books once.

    Raises OfficerProblem for a payment from the future.
    """
    if paid_on > timezone.localdate():
        raise OfficerProblem(_("The payment is dated in the future. Check the date."))
    club = _hold(member.club_id)
    year, number = _next_receipt(club)
    return _written(club, form_key) or LedgerEntry.objects.create(
        club=club,
        account=account_of(member),
        kind=LedgerEntry.Kind.PAYMENT,
        amount=amount,
        season=season,
        booked_on=paid_on,
        method=method,
        reference=reference,
        receipt_year=year,
        receipt_number=number,
        entered_by=by,
        form_key=form_key,
    )


@transaction.atomic
def take_back(entry: LedgerEntry, *, reason: str, by: User | None) -> LedgerEntry:
    """Write the counter-entry of a line. A payment's has a receipt number of its own.

    Raises OfficerProblem without a reason, for a line taken back before, and for one that takes back another.
    """
    if not reason.strip():
        raise OfficerProblem(_("Say why it is taken back: it stays in the ledger for ever."))
    club = _hold(entry.club_id)
    if entry.corrects_id is not None:
        raise OfficerProblem(_("This line takes another one back. Book the amount anew instead."))
    if LedgerEntry.objects.filter(corrects=entry).exists():
        raise OfficerProblem(_("This line was taken back already."))
    is_payment = entry.kind == LedgerEntry.Kind.PAYMENT
    year, number = _next_receipt(club) if is_payment else (None, None)
    return LedgerEntry.objects.create(
        club=club,
        account_id=entry.account_id,
        kind=entry.kind,
        amount=-entry.amount,
        season_id=entry.season_id,
        booked_on=timezone.localdate(),
        due_on=entry.due_on,
        text=entry.text,
        method=entry.method,
        reference=entry.reference,
        receipt_year=year,
        receipt_number=number,
        corrects=entry,
        reason=reason.strip(),
        entered_by=by,
    )


def _hold(club_id: int) -> Club:
    """The club, locked until the transaction ends: SQLite's transactions here begin with the write lock anyhow."""
    return Club.objects.select_for_update(no_key=True).get(pk=club_id)


def _next_receipt(club: Club) -> tuple[int, int]:
    """Year and number of the receipt to be written now; the club must be held, and nothing may fail after."""
    year = timezone.localdate().year
    last = LedgerEntry.objects.filter(club=club, receipt_year=year).aggregate(last=Max("receipt_number"))["last"]
    return year, (last or 0) + 1


def _written(club: Club, form_key: uuid.UUID | None) -> LedgerEntry | None:
    return LedgerEntry.objects.filter(club=club, form_key=form_key).first() if form_key else None


def _accounts_of(members: Iterable[Member]) -> dict[int, Account]:
    members = list(members)
    found: dict[int, Account] = {}
    for account in Account.objects.filter(member__in=members).order_by("-pk"):
        found[account.member_id] = account
    missing = [Account(member=member) for member in members if member.pk not in found]
    found |= {account.member_id: account for account in Account.objects.bulk_create(missing)}
    return found
