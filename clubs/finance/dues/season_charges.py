"""Charging a season's dues: the preview, the charge, and reductions for members who left."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction

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
from clubs.finance.dues.season_ledger_entries import NewSeasonCharge, charge_season_members, reduce_season_charge
from clubs.models import DuesSeason, FeeClass, LedgerEntry, Member, User
from common.problems import OfficerProblem
from common.text.amounts import Cents

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
        """The amount to take off because the member left during the season."""
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


def summarise_uncharged(dues: Iterable[ProposedCharge]) -> tuple[int, Cents]:
    """Return the number of members not charged yet and the total to charge."""
    amounts = [due.amount for due in dues if due.amount and not due.is_charged]
    return len(amounts), sum(amounts)


def overlapping_charged_seasons(season: DuesSeason) -> list[DuesSeason]:
    """Return other seasons with charges that overlap in time, so that nobody is charged twice by mistake."""
    others = DuesSeason.objects.filter(
        club=season.club_id, starts_on__lte=season.ends_on, ends_on__gte=season.starts_on, ledger__isnull=False
    )
    return list(others.exclude(pk=season.pk).distinct())


def charge_season(season: DuesSeason, *, by: User | None, shown: tuple[int, Cents] | None = None) -> int:
    """Charge everyone not charged yet and return their number.

    `shown` is the summary shown on the page (`summarise_uncharged`). Raises OfficerProblem if it has changed since. If
    everyone has been charged meanwhile, it does nothing.
    """
    proposed = [due for due in propose_season_charges(season) if due.amount and not due.is_charged]
    now = summarise_uncharged(proposed)
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
    """Reduce the dues of members who left during the season, and return their number.

    `shown` is the total shown on the page. Raises OfficerProblem if it has changed since. If nothing is left to
    reduce, it does nothing.
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
