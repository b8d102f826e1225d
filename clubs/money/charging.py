"""What a season costs whom, and charging it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clubs.models import FeeClass, Member, Season, User
from clubs.money.ledger import charge_many, charged_members
from clubs.writing.amounts import Cents

PAYING = (Member.Status.MEMBER, Member.Status.HONORARY)
"""Who pays dues, where a fee class fits. Applicants and guests do when they have joined."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedDue:
    """What a member would be charged; no fee class where none fits."""

    member: Member
    fee_class: FeeClass | None
    is_charged: bool

    @property
    def amount(self) -> Cents:
        return self.fee_class.amount if self.fee_class else 0


def fee_class_for(member: Member, fee_classes: Sequence[FeeClass], season: Season) -> FeeClass | None:
    """The first class that fits the member's status and age on the season's first day.

    A class with ages fits nobody whose birth year is unknown.
    """
    age = member.age_on(season.starts_on)
    for fee_class in fee_classes:
        if fee_class.status and fee_class.status != member.status:
            continue
        if fee_class.from_age is not None and (age is None or age < fee_class.from_age):
            continue
        if fee_class.to_age is not None and (age is None or age > fee_class.to_age):
            continue
        return fee_class
    return None


def proposed_dues(season: Season) -> list[ProposedDue]:
    """What charging the season would do, member by member; three queries."""
    fee_classes = list(season.fee_classes.all())
    charged = set(charged_members(season))
    members = Member.objects.filter(club=season.club_id, status__in=PAYING)
    return [
        ProposedDue(
            member=member,
            fee_class=fee_class_for(member, fee_classes, season),
            is_charged=member.pk in charged,
        )
        for member in members
    ]


def charge_season(season: Season, *, by: User | None) -> int:
    """Charge everyone who has not been charged yet, and answer how many were."""
    proposed = [due for due in proposed_dues(season) if due.fee_class and not due.is_charged]
    return charge_many(
        {due.member: (due.amount, f"{season.name}: {due.fee_class}") for due in proposed}, season=season, by=by
    )
