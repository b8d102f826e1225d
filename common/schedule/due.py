"""Begins what is due: one row a chore says for which time it was begun last, and whoever moves it on begins it.

A server that was off when something was due begins it when it is on again, once, however often it was missed.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from common.jobs.queue import new_job, send
from common.models import ChoreRun, Job
from common.schedule.kinds import Chore, chores

OVERDUE_AFTER = timedelta(days=1)
"""Not begun for so long after it was due, nobody begins chores on this server."""


def begin_what_is_due(now: datetime | None = None) -> list[Job]:
    """Ask for every chore that is due and not begun; the jobs asked for. Safe from several processes at once."""
    return [job for chore in chores() if (job := _begin(chore, _here(now))) is not None]


def overdue(now: datetime | None = None) -> list[tuple[Chore, datetime]]:
    """The chores that nobody has begun for long, and when each was due."""
    begun = dict(ChoreRun.objects.values_list("name", "due_at"))
    here = _here(now)
    found = []
    for chore in chores():
        due = chore.due_before(here - OVERDUE_AFTER)
        if chore.name in begun and begun[chore.name] < due:
            found.append((chore, due))
    return found


@transaction.atomic
def _begin(chore: Chore, now: datetime) -> Job | None:
    """The row and the job are one: a chore whose job could not be written is not taken for begun."""
    due = chore.due_before(now)
    earlier = ChoreRun.objects.filter(name=chore.name)
    # Begun for a time that has not come: the clock was ahead then, and nothing would be begun until it comes.
    if not earlier.filter(Q(due_at__lt=due) | Q(due_at__gt=now)).update(due_at=due) and not _is_first(chore, due):
        return None
    if not chore.is_needed():
        return None
    job = new_job(chore.task, by=None, key=f"chore {chore.name}")
    send(job)
    return job


def _is_first(chore: Chore, due: datetime) -> bool:
    if ChoreRun.objects.filter(name=chore.name).exists():
        return False
    try:
        with transaction.atomic():
            ChoreRun.objects.create(name=chore.name, due_at=due)
    except IntegrityError:
        return False
    return True


def _here(now: datetime | None) -> datetime:
    return timezone.localtime(now, timezone.get_default_timezone())
