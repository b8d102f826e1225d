"""Charging a season's dues: the preview, the charge, and reductions for members who left."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction

from django.db import transaction
from django.db.models import Q, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubs.finance.dues.fee_calculation import (
    DAYS_TO_PAY,
    family_positions,
    find_fee_class,
    membership_share_of_season,
    prorated_amount,
    split_into_instalments,
)
from clubs.finance.dues.ledger import booking_date_of_charge
from clubs.models import Club, DuesAccount, DuesSeason, FeeClass, LedgerEntry, Member, User
from common.locking import lock_row
from common.problems import OfficerProblem
from common.text.amounts import Cents


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSeasonCharge:
    """A season's dues or an instalment, to be charged to the payer."""

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
    """Reduce a member's charge for a season to the amount `to`, on the account that was charged.

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


PAYING_STATUSES = (Member.Status.MEMBER, Member.Status.HONORARY)
"""Statuses that pay dues if a fee class matches. Applicants and guests pay only once they join."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedCharge:
    """A member's proposed charge for a season. `fee_class` is None if none matches.

    `season_share` is the fraction of the season they are a member. `charged` is the amount already charged, less
    reversals and waivers, or None if never charged.
    """

    member: Member
    payer: Member
    fee_class: FeeClass | None
    season_share: Fraction
    charged: Cents | None

    @property
    def amount(self) -> Cents:
        return prorated_amount(self.fee_class.amount, self.season_share) if self.fee_class else 0

    @property
    def is_charged(self) -> bool:
        return self.charged is not None

    @property
    def overcharged_amount(self) -> Cents:
        """The amount to deduct because the member left during the season."""
        has_left = self.member.status == Member.Status.FORMER
        return max(0, self.charged - self.amount) if has_left and self.charged is not None else 0


def propose_season_charges(season: DuesSeason) -> list[ProposedCharge]:
    """Return the proposed charge of each member. Three queries.

    If the season charges by months or halves, members who left within it are included.
    """
    fee_classes = list(season.fee_classes.all())
    charged = _charged(season)
    who = Q(status__in=PAYING_STATUSES)
    if season.part_counts_by:
        who |= Q(status=Member.Status.FORMER, left_on__range=(season.starts_on, season.ends_on), erased_at=None)
    members = list(Member.objects.filter(who, club=season.club_id).select_related("family_payer"))
    paying = family_positions(member for member in members if member.status in PAYING_STATUSES)
    places = paying | _places_of_leavers(members)
    return [
        ProposedCharge(
            member=member,
            payer=member.family_payer or member,
            fee_class=find_fee_class(member, fee_classes, season, family_place=places.get(member.pk)),
            season_share=membership_share_of_season(member, season),
            charged=charged.get(member.pk),
        )
        for member in members
    ]


def _places_of_leavers(members: Iterable[Member]) -> dict[int, int]:
    """Return the family positions of members who left, counted among everyone, as when they were charged."""
    members = list(members)
    places = family_positions(members)
    has_left = (member.pk for member in members if member.status == Member.Status.FORMER)
    return {pk: places[pk] for pk in has_left if pk in places}


def count_and_total_uncharged(dues: Iterable[ProposedCharge]) -> tuple[int, Cents]:
    """Return the number of members not charged yet and the total to charge."""
    amounts = [due.amount for due in dues if due.amount and not due.is_charged]
    return len(amounts), sum(amounts)


def overlapping_charged_seasons(season: DuesSeason) -> list[DuesSeason]:
    """Return other charged seasons that overlap this one, so that nobody is charged twice by mistake."""
    others = DuesSeason.objects.filter(
        club=season.club_id, starts_on__lte=season.ends_on, ends_on__gte=season.starts_on, ledger__isnull=False
    )
    return list(others.exclude(pk=season.pk).distinct())


def charge_season(
    season: DuesSeason,
    *,
    by: User | None,
    shown: tuple[int, Cents] | None = None,
    members: Collection[int] | None = None,
) -> int:
    """Charge everyone not charged yet, or only those among `members` (keys). Return how many were charged.

    `shown` is the summary shown on the page (`count_and_total_uncharged`). Raises OfficerProblem if it has changed
    since. Does nothing if everyone has been charged in the meantime.
    """
    proposed = [
        due
        for due in propose_season_charges(season)
        if due.amount and not due.is_charged and (members is None or due.member.pk in members)
    ]
    now = count_and_total_uncharged(proposed)
    if shown is not None and now[0] and shown != now:
        raise OfficerProblem(
            _("Members or fees have changed in the meantime. Nobody was charged. Check the total and try again.")
        )
    new: dict[Member, list[NewSeasonCharge]] = defaultdict(list)
    for due in proposed:
        is_late = bool(due.member.joined_on and due.member.joined_on > season.starts_on)
        parts = split_into_instalments(
            due.amount, season, charged_on=_counted_from(due.member, season), is_late=is_late
        )
        for number, part in enumerate(parts, start=1):
            text = f"{season.name}: {due.fee_class}" + (f" ({number}/{len(parts)})" if len(parts) > 1 else "")
            new[due.member].append(NewSeasonCharge(payer=due.payer, amount=part.amount, text=text, due_on=part.due_on))
    return charge_season_members(new, season=season, by=by)


def _counted_from(member: Member, season: DuesSeason) -> date:
    """Return the start of a late joiner's payment period: today, or their joining day if the season is over.

    It is moved back if needed, so that they pay by the season's end and within its report.
    """
    today = timezone.localdate()
    if today <= season.ends_on:
        return today
    return min(member.joined_on or season.starts_on, season.ends_on - timedelta(days=DAYS_TO_PAY))


def reduce_charges_of_leavers(season: DuesSeason, *, by: User | None, shown: Cents) -> int:
    """Reduce the dues of members who left during the season, and return the number of these members.

    `shown` is the total shown on the page. Raises OfficerProblem if it has changed since. Does nothing if there is
    nothing left to reduce.
    """
    too_much = {due.member: due for due in propose_season_charges(season) if due.overcharged_amount}
    now = sum(due.overcharged_amount for due in too_much.values())
    if now and now != shown:
        raise OfficerProblem(
            _("Members or fees have changed in the meantime. No charges were reduced. Check the total and try again.")
        )
    for member, due in too_much.items():
        reason = _("Left on %(day)s") % {"day": date_format(member.left_on or season.ends_on, "SHORT_DATE_FORMAT")}
        reduce_season_charge(member, season=season, to=due.amount, reason=reason, by=by)
    return len(too_much)


def _charged(season: DuesSeason) -> dict[int, Cents]:
    """Return the amount charged to each person in the season, less reversals and waivers."""
    kinds = LedgerEntry.Kind
    lines = LedgerEntry.objects.filter(season=season, kind__in=[kinds.DUE, kinds.WAIVER])
    sums = lines.values(person=Coalesce("on_behalf_of__member", "account__member")).annotate(
        dues=Sum("amount", filter=Q(kind=kinds.DUE)), waived=Sum("amount", filter=Q(kind=kinds.WAIVER), default=0)
    )
    return {row["person"]: row["dues"] - row["waived"] for row in sums.order_by() if row["dues"] is not None}
