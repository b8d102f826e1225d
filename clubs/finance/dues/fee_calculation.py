"""Calculation of a member's dues: fee class, family position, share of the season and instalments."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction

from clubs.models import DuesSeason, FeeClass, Member, ProRataMethod
from common.text.amounts import Cents
from common.text.months import add_months

DAYS_TO_PAY = 14
"""Days to pay for members who are charged after the due date of an instalment."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Instalment:
    """An instalment of a member's dues, in cents, and its due date."""

    amount: Cents
    due_on: date


def family_positions(members: Iterable[Member]) -> dict[int, int]:
    """Return each member's position in their family, counted from 1. Members without a family are left out.

    The payer is first, then the others from oldest to youngest, with unknown ages last. A family needs at least two of
    the given members.
    """
    families = defaultdict(list)
    for member in members:
        families[member.family_payer_id or member.pk].append(member)
    return {
        member.pk: place
        for family in families.values()
        if len(family) > 1
        for place, member in enumerate(sorted(family, key=_rank_in_family), start=1)
    }


def _rank_in_family(member: Member) -> tuple[bool, date, int]:
    born = member.birth_date or (date(member.birth_year, 12, 31) if member.birth_year else date.max)
    return member.family_payer_id is not None, born, member.pk


def find_fee_class(
    member: Member, fee_classes: Sequence[FeeClass], season: DuesSeason, *, family_place: int | None
) -> FeeClass | None:
    """Return the first fee class that matches the member's status, family position and age, or None.

    Age is taken on the season's day for ages. Classes with ages do not match an unknown birth year. A former member
    counts as a member.
    """
    age = member.age_on(season.ages_on or season.starts_on)
    status = Member.Status.MEMBER if member.status == Member.Status.FORMER else member.status
    for fee_class in fee_classes:
        if fee_class.status and fee_class.status != status:
            continue
        if fee_class.family == FeeClass.FamilyPosition.FIRST and family_place != 1:
            continue
        if fee_class.family == FeeClass.FamilyPosition.FURTHER and (family_place is None or family_place == 1):
            continue
        if fee_class.from_age is not None and (age is None or age < fee_class.from_age):
            continue
        if fee_class.to_age is not None and (age is None or age > fee_class.to_age):
            continue
        return fee_class
    return None


def membership_share_of_season(member: Member, season: DuesSeason) -> Fraction:
    """Return the member's share of the season. A month or half-season of partial membership counts in full.

    The share is 1 if the season does not charge by parts.
    """
    if not season.part_counts_by:
        return Fraction(1)
    first = max(member.joined_on or season.starts_on, season.starts_on)
    last = min(member.left_on or season.ends_on, season.ends_on)
    if last < first:
        return Fraction(0)
    months = _month_of(season.ends_on, season) + 1
    begun = range(_month_of(first, season), _month_of(last, season) + 1)
    if season.part_counts_by == ProRataMethod.MONTH or months == 1:
        return Fraction(len(begun), months)
    middle = (months + 1) // 2
    return Fraction(len({month >= middle for month in begun}), 2)


def prorated_amount(amount: Cents, part: Fraction) -> Cents:
    """Return a share of an amount, with half cents rounded up."""
    return int(amount * part + Fraction(1, 2))


def split_into_instalments(
    amount: Cents, season: DuesSeason, *, charged_on: date, is_late: bool = False
) -> list[Instalment]:
    """Split an amount into the season's instalments, evenly spaced from the season's due date.

    Extra cents go into the first ones. With `is_late`, due dates are at least `DAYS_TO_PAY` days after the charge.
    """
    count = min(season.instalments, amount) or 1
    months = max(1, (_month_of(season.ends_on, season) + 1) // season.instalments)
    each, odd = divmod(amount, count)
    earliest = charged_on + timedelta(days=DAYS_TO_PAY) if is_late else date.min
    return [
        Instalment(amount=each + (number < odd), due_on=max(earliest, add_months(season.due_on, number * months)))
        for number in range(count)
    ]


def _month_of(day: date, season: DuesSeason) -> int:
    """Return the index of the day's calendar month in the season, from 0."""
    return (day.year - season.starts_on.year) * 12 + day.month - season.starts_on.month
