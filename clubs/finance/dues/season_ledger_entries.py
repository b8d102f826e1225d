"""Ledger entries of a season's dues: charging many members and reducing a charge."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Coalesce
from django.utils import timezone

from clubs.finance.dues.ledger import booking_date_of_charge
from clubs.models import Club, DuesAccount, DuesSeason, LedgerEntry, Member, User
from common.locking import lock_row
from common.text.amounts import Cents


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSeasonCharge:
    """A due or an instalment, to be charged to its payer."""

    payer: Member
    amount: Cents
    text: str
    due_on: date


def charge_season_members(
    dues: Mapping[Member, Sequence[NewSeasonCharge]], *, season: DuesSeason, by: User | None
) -> int:
    """Charge a season's dues to many members and return how many were charged.

    Members with any charge in the season, even a reversed one, are left out.
    """
    with transaction.atomic():
        club = lock_row(Club, season.club_id)
        done = set(charged_member_ids(season))
        new = {member: parts for member, parts in dues.items() if member.pk not in done}
        days = {
            day: booking_date_of_charge(club, day) for day in {part.due_on for parts in new.values() for part in parts}
        }
        accounts = _accounts_of({*new, *(part.payer for parts in new.values() for part in parts)})
        LedgerEntry.objects.bulk_create(
            LedgerEntry(
                club=club,
                account=accounts[part.payer.pk],
                on_behalf_of=None if part.payer == member else accounts[member.pk],
                kind=LedgerEntry.Kind.DUE,
                amount=part.amount,
                season=season,
                booked_on=days[part.due_on],
                due_on=part.due_on,
                text=part.text[:160],
                entered_by=by,
            )
            for member, parts in new.items()
            for part in parts
        )
    return len(new)


def charged_member_ids(season: DuesSeason) -> Iterable[int]:
    """Return the keys of members charged in the season, on any account."""
    dues = LedgerEntry.objects.filter(season=season, kind=LedgerEntry.Kind.DUE)
    person = Coalesce("on_behalf_of__member", "account__member")
    return dues.values_list(person, flat=True).distinct().order_by()


@transaction.atomic
def reduce_season_charge(
    member: Member, *, season: DuesSeason, to: Cents, reason: str, by: User | None
) -> list[LedgerEntry]:
    """Reduce a member's charge for a season to the amount `to`, on the account it was charged to.

    The last instalments are reduced first, each with an entry of the same date. The rest stays due as before. Does
    nothing if no more than `to` is charged. Money already paid can be refunded.
    """
    club = lock_row(Club, season.club_id)
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


def _accounts_of(members: Iterable[Member]) -> dict[int, DuesAccount]:
    members = list(members)
    found: dict[int, DuesAccount] = {}
    for account in DuesAccount.objects.filter(member__in=members).order_by("-pk"):
        found[account.member_id] = account
    missing = [DuesAccount(member=member) for member in members if member.pk not in found]
    found |= {account.member_id: account for account in DuesAccount.objects.bulk_create(missing)}
    return found
