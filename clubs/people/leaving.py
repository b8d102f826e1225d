"""Who has given notice stays a member until the last day, and is a former one from the next morning on."""

from __future__ import annotations

from datetime import date, time, timedelta
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clubs.chores import kinds as chore_kinds
from clubs.jobs.kinds import JobKind, register
from clubs.models import Job, Member

LET_GO = register("clubs.tasks.let_members_go", JobKind(title=_("Members whose last day has passed")))
chore_kinds.register(chore_kinds.Chore(name="leaving", task=LET_GO, at=time(0, 10)))

NIGHTS_MISSED = timedelta(days=60)
"""A server may have slept. A last day further back is one that somebody forgot to empty who has come back since."""


def let_go(today: date) -> int:
    """Make those former members whose last day has passed; answers how many. Done twice, it finds nobody."""
    over = Member.objects.filter(left_on__lt=today, left_on__gte=today - NIGHTS_MISSED, erased_at=None)
    return over.filter(status__in=(Member.Status.MEMBER, Member.Status.HONORARY)).update(status=Member.Status.FORMER)


def let_members_go(_job: Job) -> dict[str, Any]:
    """The chore of every night."""
    let_go(timezone.localdate())
    return {}
