"""Membership periods: notice, last days and members who come back.

Members stay members until the end of their last day and are former members from the next morning. Earlier periods are
stored next to the member's record.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, time, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, Member, MembershipPeriod
from common.jobs.kinds import JobKind, register_job_kind
from common.models import Job
from common.schedule import registry as chore_kinds
from common.text.months import add_months

END_MEMBERSHIPS_TASK = register_job_kind(
    "clubs.tasks.end_memberships", JobKind(title=_("Updating members who have left"))
)
chore_kinds.register_scheduled_task(
    chore_kinds.ScheduledTask(name="leaving", task=END_MEMBERSHIPS_TASK, at=time(0, 10))
)

CATCH_UP_PERIOD = timedelta(days=60)
"""Covers a server that was off for a while. An older last day was probably left by mistake when the member came back.
"""


def mark_leavers_as_former(today: date) -> int:
    """Mark members whose last day has passed as former, and return how many there were. Safe to run twice."""
    over = Member.objects.filter(left_on__lt=today, left_on__gte=today - CATCH_UP_PERIOD, erased_at=None)
    return over.filter(status__in=(Member.Status.MEMBER, Member.Status.HONORARY)).update(status=Member.Status.FORMER)


def end_memberships_job(_job: Job) -> dict[str, Any]:
    """Run the nightly update of members whose last day has passed."""
    mark_leavers_as_former(timezone.localdate())
    return {}


_GUESTS = (Member.Status.GUEST, Member.Status.APPLICANT)
_OF_A_SPELL = ("joined_on", "came_from", "went_to")


@transaction.atomic
def save_with_membership_periods(member: Member, fields: list[str] | None = None) -> None:
    """Save a member, or only these fields, and keep their earlier membership period if they come back.

    A member comes back if they join after their last day, or become a guest after it. If the joining date is
    unchanged, the edit is a correction and nothing is kept. A current membership that covers an earlier period
    replaces it.
    """
    before = Member.objects.filter(pk=member.pk).first() if member.pk else None
    last = _ended(before, member) if before is not None else None
    if before is not None and last is not None:
        for name in ("left_on", "came_from", "went_to"):
            if getattr(member, name) == getattr(before, name):
                setattr(member, name, None if name == "left_on" else "")
        if member.joined_on == before.joined_on:
            member.joined_on = None
        _keep(before, member, last)
    latest = member.membership_periods.last() if before is not None and before.status in _GUESTS else None
    if latest is not None and member.status == Member.Status.FORMER and member.joined_on is None:
        member.joined_on, member.left_on = latest.joined_on, latest.left_on
    member.save(update_fields=[*fields, "came_from", "went_to"] if fields and last else fields)
    if member.status not in _GUESTS:
        covered = Q() if member.joined_on is None else Q(left_on__gte=member.joined_on)
        member.membership_periods.filter(covered).delete()


def transfer_membership_period(other: Member, member: Member) -> None:
    """When two members are merged, keep `other`'s membership period if it ended before `member`'s began."""
    last = _ended(other, member)
    if last is not None:
        _keep(other, member, last)


def member_in_month_condition(month: date | None, lookup_prefix: str = "") -> Q:
    """Return the query condition for people in the club on at least one day of a month, including guests.

    With `month` None: people in the club now. `lookup_prefix` is the lookup path to the member, such as `member__`.
    """
    not_left = ~Q(**{f"{lookup_prefix}status": Member.Status.FORMER})
    if month is None:
        return not_left
    begun = Q(**{f"{lookup_prefix}joined_on": None}) | Q(**{f"{lookup_prefix}joined_on__lt": add_months(month, 1)})
    then = MembershipPeriod.objects.filter(
        Q(joined_on=None) | Q(joined_on__lt=add_months(month, 1)), left_on__gte=month
    )
    by_row = begun & (not_left | Q(**{f"{lookup_prefix}left_on__gte": month}))
    return by_row | Q(**{f"{lookup_prefix}pk__in": then.values("member")})


def membership_gaps(club: Club) -> Mapping[int, list[tuple[date, date]]]:
    """Return each member's gaps by primary key: the last day before leaving and the day they came back. One query."""
    found: dict[int, list[tuple[date, date]]] = {}
    began: dict[int, date | None] = {}
    spells = MembershipPeriod.objects.filter(member__club=club).order_by("-left_on")
    for member, since, joined_on, left_on in spells.values_list("member", "member__joined_on", "joined_on", "left_on"):
        back = began.get(member, since)
        if back is not None:
            found.setdefault(member, []).append((left_on, back))
        began[member] = joined_on
    return found


def is_not_member_in_month(gaps: list[tuple[date, date]], month: date) -> bool:
    """Return True if the whole month is within a gap. `gaps` is a list from `membership_gaps`."""
    return any(left_on < month and add_months(month, 1) <= back for left_on, back in gaps)


def _ended(before: Member, after: Member) -> date | None:
    """Return the last day of a membership period that the change would overwrite, or None."""
    last = before.left_on
    if last is None or (before.joined_on is not None and before.joined_on > last):
        return None  # dates in the wrong order, from an import, are no period
    if after.status in _GUESTS:
        return last if before.status == Member.Status.FORMER else None
    if after.status == Member.Status.FORMER and after.left_on == last:
        return None
    return last if after.joined_on is not None and after.joined_on > last else None


def _keep(row: Member, member: Member, last: date) -> None:
    values = {name: getattr(row, name) for name in _OF_A_SPELL}
    MembershipPeriod.objects.update_or_create(member=member, left_on=last, defaults=values)
