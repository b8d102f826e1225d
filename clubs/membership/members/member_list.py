"""The member list and its filters."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from datetime import date
from typing import Any

from django.db.models import Q
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from clubs.finance.dues.balances import MemberBalance, member_balances
from clubs.models import Club, Member
from clubs.request_types import parse_key
from common.text.name_search import split_search_words

AGE_FILTERS: dict[str, tuple[Promise, int, int]] = {
    "u10": (_("under 10"), 0, 9),
    "u14": (_("10 to 13"), 10, 13),
    "u18": (_("14 to 17"), 14, 17),
    "adult": (_("18 to 59"), 18, 59),
    "senior": (_("60 and over"), 60, 150),
}
"""By the age reached within the year, as in youth and senior events."""

RATING_FILTERS: dict[str, tuple[Promise, int, int]] = {
    "none": (_("no rating"), 0, 0),
    "1599": (_("below 1600"), 1, 1599),
    "1799": (_("1600 to 1799"), 1600, 1799),
    "1999": (_("1800 to 1999"), 1800, 1999),
    "2199": (_("2000 to 2199"), 2000, 2199),
    "2200": (_("2200 and above"), 2200, 3500),
}

DUES_FILTERS: dict[str, Promise] = {"paid": _("nothing owed"), "owed": _("owes money"), "overdue": _("overdue")}

NOT_FORMER = "present"
"""The default status filter: everyone but former members."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberFilters:
    """The filters for the member list, as text from the page's form. Empty text does not filter."""

    q: str = ""
    status: str = NOT_FORMER
    group: str = ""
    age: str = ""
    rating: str = ""
    dues: str = ""

    @classmethod
    def from_form_values(cls, values: Any) -> MemberFilters:
        """Return the filters in a form's values, ignoring unknown values."""
        known = {
            "status": {NOT_FORMER, "all", *Member.Status.values},
            "age": AGE_FILTERS.keys(),
            "rating": RATING_FILTERS.keys(),
            "dues": DUES_FILTERS.keys(),
        }
        given = {}
        for field in fields(cls):
            value = str(values.get(field.name, "")).strip()
            if value and (field.name not in known or value in known[field.name]):
                given[field.name] = value[:80]
        return cls(**given)

    @property
    def active_filters(self) -> dict[str, str]:
        """The filters that differ from the defaults."""
        return {name: value for name, value in asdict(self).items() if value != getattr(MemberFilters(), name)}


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberListRow:
    """A line in the member list. The balance is only set for users who may see it."""

    member: Member
    balance: MemberBalance | None = None


def list_members(club: Club, filters: MemberFilters, *, today: date, with_money: bool) -> list[MemberListRow]:
    """Return the matching members, sorted by name. Two queries at most.

    A search for a number finds the membership number and IDs. The dues filter applies only if `with_money`.
    """
    people = club.members.filter(erased_at=None)
    number = parse_key(filters.q.removeprefix("#"))
    found = (
        people.filter(Q(pk=number) | Q(fide_id=number) | Q(national_id=filters.q))
        if number
        else people.filter_by_name(split_search_words(filters.q))
    ).filter(_conditions(filters, today))
    if not with_money:
        return [MemberListRow(member=member) for member in found]
    of = member_balances(club, today=today)
    lines = [MemberListRow(member=member, balance=of.get(member.pk, MemberBalance())) for member in found]
    return [line for line in lines if line.balance is not None and _fits(line.balance, filters.dues)]


def _conditions(filters: MemberFilters, today: date) -> Q:
    conditions = Q()
    if filters.status == NOT_FORMER:
        conditions &= ~Q(status=Member.Status.FORMER)
    elif filters.status != "all":
        conditions &= Q(status=filters.status)
    if filters.group:
        conditions &= Q(groups=parse_key(filters.group))
    if filters.age:
        _label, youngest, oldest = AGE_FILTERS[filters.age]
        conditions &= Q(birth_year__range=(today.year - oldest, today.year - youngest))
    if filters.rating:
        _label, lowest, highest = RATING_FILTERS[filters.rating]
        conditions &= Q(rating__range=(lowest, highest))
    return conditions


def _fits(balance: MemberBalance, dues: str) -> bool:
    if dues == "paid":
        return balance.amount_owed <= 0
    if dues == "owed":
        return balance.amount_owed > 0
    return balance.overdue > 0 if dues == "overdue" else True
