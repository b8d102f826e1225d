"""Charging a season's dues: what would be charged, doing it, and lowering it for those who left."""

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
"""Who pays dues, where a fee class fits. Applicants and guests do when they have joined."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedCharge:
    """What a member would be charged; no fee class where none fits. `part` of the season is his, `amount` follows.

    `charged` is what was charged of the season and not taken back or waived; None where nothing ever was.
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
        """By how much less is due, as he has left within a season that asks for its part."""
        has_left = self.member.status == Member.Status.FORMER
        return max(0, self.charged - self.amount) if has_left and self.charged is not None else 0


def propose_season_charges(season: DuesSeason) -> list[ProposedCharge]:
    """What charging the season would do, member by member; three queries.

    Where a part of the season is asked for, those who left within it are among them.
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
    """The places in their families of those who have left: as they stood among them all, for they were charged so."""
    members = list(members)
    places = family_positions(members)
    has_left = (member.pk for member in members if member.status == Member.Status.FORMER)
    return {pk: places[pk] for pk in has_left if pk in places}


def summarise_uncharged(dues: Iterable[ProposedCharge]) -> tuple[int, Cents]:
    """How many have not been charged yet, and with how much in all."""
    amounts = [due.amount for due in dues if due.amount and not due.is_charged]
    return len(amounts), sum(amounts)


def overlapping_charged_seasons(season: DuesSeason) -> list[DuesSeason]:
    """Other seasons that charged anybody for some of the same days: nobody means to pay twice."""
    others = DuesSeason.objects.filter(
        club=season.club_id, starts_on__lte=season.ends_on, ends_on__gte=season.starts_on, ledger__isnull=False
    )
    return list(others.exclude(pk=season.pk).distinct())


def charge_season(season: DuesSeason, *, by: User | None, shown: tuple[int, Cents] | None = None) -> int:
    """Charge everyone who has not been charged yet, and answer how many were.

    `shown` is what the page said of it (`summarise_uncharged`). OfficerProblem when members or fees have changed since,
    so that it would be others, or another sum; when all are charged by now, there is nothing left to do.
    """
    proposed = [due for due in propose_season_charges(season) if due.amount and not due.is_charged]
    now = summarise_uncharged(proposed)
    if shown is not None and now[0] and shown != now:
        raise OfficerProblem(_("Members or fees have changed meanwhile: look at the sum again. Nobody was charged."))
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
    """From when on whoever joined late has days to pay: today, or in a season that is over the day he joined.

    So his dues are to be paid by the season's end at the latest, and stand in its year's report.
    """
    today = timezone.localdate()
    if today <= season.ends_on:
        return today
    return min(member.joined_on or season.starts_on, season.ends_on - timedelta(days=DAYS_TO_PAY))


def reduce_charges_of_leavers(season: DuesSeason, *, by: User | None, shown: Cents) -> int:
    """Take off what those were charged too much who have left within the season, and answer of how many.

    `shown` is the sum on the page. OfficerProblem when it is another by now; one that is done already is none.
    """
    too_much = {due.member: due for due in propose_season_charges(season) if due.overcharged_amount}
    now = sum(due.overcharged_amount for due in too_much.values())
    if now and now != shown:
        raise OfficerProblem(_("Members or fees have changed meanwhile: look at the sum again. Nothing was taken off."))
    for member, due in too_much.items():
        reason = _("Left on %(day)s") % {"day": date_format(member.left_on or season.ends_on, "SHORT_DATE_FORMAT")}
        reduce_season_charge(member, season=season, to=due.amount, reason=reason, by=by)
    return len(too_much)


def _charged(season: DuesSeason) -> dict[int, Cents]:
    """What each was charged of the season, without what was taken back or waived, by the member whom it is for."""
    kinds = LedgerEntry.Kind
    lines = LedgerEntry.objects.filter(season=season, kind__in=[kinds.DUE, kinds.WAIVER])
    sums = lines.values(person=Coalesce("on_behalf_of__member", "account__member")).annotate(
        dues=Sum("amount", filter=Q(kind=kinds.DUE)), waived=Sum("amount", filter=Q(kind=kinds.WAIVER), default=0)
    )
    return {row["person"]: row["dues"] - row["waived"] for row in sums.order_by() if row["dues"] is not None}
