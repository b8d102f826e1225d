"""Who has given notice stays a member until the last day; who comes back was a member before, too.

From the morning after his last day on he is a former one. Earlier times are kept beside the book's row.
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
    "clubs.tasks.end_memberships", JobKind(title=_("Members whose last day has passed"))
)
chore_kinds.register_scheduled_task(
    chore_kinds.ScheduledTask(name="leaving", task=END_MEMBERSHIPS_TASK, at=time(0, 10))
)

CATCH_UP_PERIOD = timedelta(days=60)
"""A server may have slept. A last day further back is one that somebody forgot to empty who has come back since."""


def mark_departed_as_former(today: date) -> int:
    """Make those former members whose last day has passed; answers how many. Done twice, it finds nobody."""
    over = Member.objects.filter(left_on__lt=today, left_on__gte=today - CATCH_UP_PERIOD, erased_at=None)
    return over.filter(status__in=(Member.Status.MEMBER, Member.Status.HONORARY)).update(status=Member.Status.FORMER)


def end_memberships_job(_job: Job) -> dict[str, Any]:
    """The chore of every night."""
    mark_departed_as_former(timezone.localdate())
    return {}


_GUESTS = (Member.Status.GUEST, Member.Status.APPLICANT)
_OF_A_SPELL = ("joined_on", "came_from", "went_to")


@transaction.atomic
def save_with_membership_periods(member: Member, fields: list[str] | None = None) -> None:
    """Save a row of the book, or these fields of it; of whoever comes back the time before stays kept.

    He comes back who begins after his last day, and who is a guest after it. With the same day of joining as before he
    never was away: a mistake is put right so. A row that covers a time kept before takes its place.
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
    """Of two rows that become one: the time of the other's that was over when this one's began."""
    last = _ended(other, member)
    if last is not None:
        _keep(other, member, last)


def member_in_month_condition(month: date | None, lookup_prefix: str = "") -> Q:
    """Who belonged to the club on a day of a month at least, guests of the book among them; None: who does by now.

    `lookup_prefix` is the way to the member, as `member__`.
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
    """By member's key: after which day he was away, and from which on he was back; one query."""
    found: dict[int, list[tuple[date, date]]] = {}
    began: dict[int, date | None] = {}
    spells = MembershipPeriod.objects.filter(member__club=club).order_by("-left_on")
    for member, since, joined_on, left_on in spells.values_list("member", "member__joined_on", "joined_on", "left_on"):
        back = began.get(member, since)
        if back is not None:
            found.setdefault(member, []).append((left_on, back))
        began[member] = joined_on
    return found


def is_away_in_month(gaps: list[tuple[date, date]], month: date) -> bool:
    """No day of the month was one of membership, by gaps as `membership_gaps` has them."""
    return any(left_on < month and add_months(month, 1) <= back for left_on, back in gaps)


def _ended(before: Member, after: Member) -> date | None:
    """The last day of a time of membership that a row speaks of and, by what it is to say, would speak of no more."""
    last = before.left_on
    if last is None or (before.joined_on is not None and before.joined_on > last):
        return None  # days that a table brought in the wrong order are no time of membership
    if after.status in _GUESTS:
        return last if before.status == Member.Status.FORMER else None
    if after.status == Member.Status.FORMER and after.left_on == last:
        return None
    return last if after.joined_on is not None and after.joined_on > last else None


def _keep(row: Member, member: Member, last: date) -> None:
    values = {name: getattr(row, name) for name in _OF_A_SPELL}
    MembershipPeriod.objects.update_or_create(member=member, left_on=last, defaults=values)
