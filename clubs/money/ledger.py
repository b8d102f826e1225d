"""The club's ledger: charging, paying, taking back. Lines are only ever added, one writer at a time in each club."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db import transaction
from django.db.models import Max, Q, QuerySet, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.books.booking import follow_ledger, refuse_closed
from clubs.holding import hold
from clubs.models import Account, BookAccount, Club, LedgerEntry, Member, Season, User
from clubs.problems import OfficerProblem
from clubs.writing.amounts import Cents, money


@dataclass(frozen=True, slots=True, kw_only=True)
class NewDue:
    """A due, or an instalment of one, to be charged to whoever pays it."""

    payer: Member
    amount: Cents
    text: str
    due_on: date


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
    def paid_too_much(self) -> Cents:
        """What can be given back, or is paid ahead."""
        return max(0, -self.owed)

    @property
    def overdue(self) -> Cents:
        """What should have been paid by now."""
        return max(0, self.charged_and_due - self.paid)

    @property
    def to_pay_now(self) -> Cents:
        """What somebody is asked for first: the instalments whose day has passed, else all that is left."""
        return self.overdue or max(0, self.owed)


def balances(club: Club, *, today: date, members: Iterable[Member] | None = None) -> dict[int, Balance]:
    """How members stand, by key; one query. Those whose accounts were never used are missing."""
    entries = LedgerEntry.objects.filter(club=club)
    if members is not None:
        entries = entries.filter(account__member__in=list(members))
    kinds = LedgerEntry.Kind
    sums = entries.values("account__member").annotate(
        due=Sum("amount", filter=Q(kind=kinds.DUE), default=0),
        due_now=Sum("amount", filter=Q(kind=kinds.DUE, due_on__lt=today), default=0),
        waiver=Sum("amount", filter=Q(kind=kinds.WAIVER), default=0),
        waiver_now=Sum("amount", filter=Q(kind=kinds.WAIVER) & (Q(due_on=None) | Q(due_on__lt=today)), default=0),
        payment=Sum("amount", filter=Q(kind=kinds.PAYMENT), default=0),
        refund=Sum("amount", filter=Q(kind=kinds.REFUND), default=0),
    )
    return {
        row["account__member"]: Balance(
            charged=row["due"] - row["waiver"],
            charged_and_due=row["due_now"] - row["waiver_now"],
            paid=row["payment"] - row["refund"],
        )
        for row in sums.order_by()
    }


def balance_of(member: Member, *, today: date) -> Balance:
    """How one member stands."""
    return balances(member.club, today=today, members=[member]).get(member.pk, Balance())


def entries_of(member: Member) -> QuerySet[LedgerEntry]:
    """A member's lines of the ledger, in the order they were written."""
    return LedgerEntry.objects.filter(account__member=member).select_related(
        "account__member", "season", "corrects", "corrected_by", "on_behalf_of__member"
    )


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
    club = hold(member.club_id)
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


def charge_many(dues: Mapping[Member, Sequence[NewDue]], *, season: Season, by: User | None) -> int:
    """Charge a season's dues to many, each once: whoever has any due of the season, be it taken back, is left out.

    Answers how many were charged.
    """
    with transaction.atomic():
        club = hold(season.club_id)
        done = set(charged_members(season))
        new = {member: parts for member, parts in dues.items() if member.pk not in done}
        accounts = _accounts_of({*new, *(part.payer for parts in new.values() for part in parts)})
        today = timezone.localdate()
        LedgerEntry.objects.bulk_create(
            LedgerEntry(
                club=club,
                account=accounts[part.payer.pk],
                on_behalf_of=None if part.payer == member else accounts[member.pk],
                kind=LedgerEntry.Kind.DUE,
                amount=part.amount,
                season=season,
                booked_on=today,
                due_on=part.due_on,
                text=part.text[:160],
                entered_by=by,
            )
            for member, parts in new.items()
            for part in parts
        )
    return len(new)


def charged_members(season: Season) -> Iterable[int]:
    """The keys of those who have a due of the season, on whomever's account it is."""
    dues = LedgerEntry.objects.filter(season=season, kind=LedgerEntry.Kind.DUE)
    person = Coalesce("on_behalf_of__member", "account__member")
    return dues.values_list(person, flat=True).distinct().order_by()


@transaction.atomic
def lower_due(member: Member, *, season: Season, to: Cents, reason: str, by: User | None) -> list[LedgerEntry]:
    """Lower what somebody was charged of a season, on the account that it stands on; what was paid can be given back.

    The instalments that come last are taken off first, each by a line with its day, so that what is left falls due as
    it did. Nothing where no more than that is charged.
    """
    club = hold(season.club_id)
    kinds = LedgerEntry.Kind
    lines = list(
        LedgerEntry.objects.filter(season=season, kind__in=[kinds.DUE, kinds.WAIVER])
        .filter(Q(on_behalf_of__member=member) | Q(on_behalf_of=None, account__member=member))
        .order_by("pk")
    )
    left: dict[date, Cents] = defaultdict(int)
    too_much = -to
    for line in lines:
        amount = line.amount if line.kind == kinds.DUE else -line.amount
        too_much += amount
        if line.due_on:
            left[line.due_on] += amount
    lowered = []
    for due_on in sorted(left, reverse=True):
        amount = min(left[due_on], too_much)
        if amount <= 0:
            continue
        too_much -= amount
        waiver = LedgerEntry.objects.create(
            club=club,
            account_id=lines[0].account_id,
            on_behalf_of_id=lines[0].on_behalf_of_id,
            kind=kinds.WAIVER,
            amount=amount,
            season=season,
            booked_on=timezone.localdate(),
            due_on=due_on,
            reason=reason,
            entered_by=by,
        )
        lowered.append(waiver)
    return lowered


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
    into: BookAccount | None = None,
) -> LedgerEntry:
    """Book a payment under the club's next receipt number. A form sent twice books once.

    In the club's books, where it keeps any, it goes `into` an account (none said: the first of its kind). Raises
    OfficerProblem for a payment from the future, or of a year that is closed.
    """
    return _money_moved(
        member,
        LedgerEntry.Kind.PAYMENT,
        amount,
        paid_on,
        form_key,
        into,
        method=method,
        by=by,
        reference=reference,
        season=season,
    )


@transaction.atomic
def refund(
    member: Member,
    amount: Cents,
    *,
    method: str,
    paid_on: date,
    by: User | None,
    reference: str = "",
    form_key: uuid.UUID | None = None,
    out_of: BookAccount | None = None,
) -> LedgerEntry:
    """Give back what somebody has paid too much, under a receipt number, at most that.

    Raises OfficerProblem for more, and for days as `pay` does.
    """
    club = hold(member.club_id)
    if not _written(club, form_key):
        too_much = -balance_of(member, today=paid_on).owed
        if amount > too_much:
            said = {"amount": money(max(0, too_much), club.currency)}
            raise OfficerProblem(_("Paid too much are %(amount)s: more cannot be given back.") % said)
    return _money_moved(
        member, LedgerEntry.Kind.REFUND, amount, paid_on, form_key, out_of, method=method, by=by, reference=reference
    )


@transaction.atomic
def waive(
    member: Member,
    amount: Cents,
    *,
    reason: str,
    by: User | None,
    season: Season | None = None,
    form_key: uuid.UUID | None = None,
) -> LedgerEntry:
    """Let somebody off a part of what he owes, or all of it; the reason stays. OfficerProblem for more than is owed."""
    if not reason.strip():
        raise OfficerProblem(_("Say why it is waived: it stays in the ledger for ever."))
    club = hold(member.club_id)
    if written := _written(club, form_key):
        return written
    if amount > balance_of(member, today=timezone.localdate()).owed:
        raise OfficerProblem(_("That is more than is owed."))
    return LedgerEntry.objects.create(
        club=club,
        account=account_of(member),
        kind=LedgerEntry.Kind.WAIVER,
        amount=amount,
        season=season,
        booked_on=timezone.localdate(),
        reason=reason.strip(),
        entered_by=by,
        form_key=form_key,
    )


@transaction.atomic
def take_back(entry: LedgerEntry, *, reason: str, by: User | None, on: date | None = None) -> LedgerEntry:
    """Write the counter-entry of a line, today or of a day. That of money which changed hands has a receipt number of
    its own.

    Raises OfficerProblem without a reason, for a line taken back before, and for one that takes back another.
    """
    if not reason.strip():
        raise OfficerProblem(_("Say why it is taken back: it stays in the ledger for ever."))
    club = hold(entry.club_id)
    if entry.corrects_id is not None:
        raise OfficerProblem(_("This line takes another one back. Book the amount anew instead."))
    if LedgerEntry.objects.filter(corrects=entry).exists():
        raise OfficerProblem(_("This line was taken back already."))
    on = on or timezone.localdate()
    has_receipt = entry.kind in (LedgerEntry.Kind.PAYMENT, LedgerEntry.Kind.REFUND)
    if has_receipt:
        refuse_closed(club, on)
    year, number = _next_receipt(club) if has_receipt else (None, None)
    counter = LedgerEntry.objects.create(
        club=club,
        account_id=entry.account_id,
        kind=entry.kind,
        amount=-entry.amount,
        season_id=entry.season_id,
        on_behalf_of_id=entry.on_behalf_of_id,
        booked_on=on,
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
    follow_ledger(counter)
    return counter


def _money_moved(
    member: Member,
    kind: str,
    amount: Cents,
    on: date,
    form_key: uuid.UUID | None,
    account: BookAccount | None,
    *,
    by: User | None,
    **columns: Any,
) -> LedgerEntry:
    """A payment or a refund, in the ledger and in the books."""
    if on > timezone.localdate():
        raise OfficerProblem(_("The payment is dated in the future. Check the date."))
    club = hold(member.club_id)
    if written := _written(club, form_key):
        return written
    refuse_closed(club, on)
    year, number = _next_receipt(club)
    entry = LedgerEntry.objects.create(
        club=club,
        account=account_of(member),
        kind=kind,
        amount=amount,
        booked_on=on,
        receipt_year=year,
        receipt_number=number,
        entered_by=by,
        form_key=form_key,
        **columns,
    )
    follow_ledger(entry, account)
    return entry


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
