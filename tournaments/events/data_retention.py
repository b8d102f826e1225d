"""Erasing data whose retention period is over: people, deleted events, old lines of the viewing log."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, time
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clubs.models import Club
from common.jobs.kinds import JobKind, register_job_kind
from common.models import Job
from common.problems import OfficerProblem
from common.schedule import registry as chore_kinds
from tournaments.events.event_deletion import erase_event, events_due_for_erasure
from tournaments.models import Tournament
from tournaments.privacy.personal_data import (
    ExpiredPerson,
    delete_old_online_entries,
    delete_old_viewing_log,
    erase_person,
    find_expired_people,
)

ERASURE_JOB = register_job_kind("tournaments.tasks.erase_old_data", JobKind(title=_("Erasing expired data")))
# Weekly, after that night's backup: what was erased by mistake is still in it.
chore_kinds.register_scheduled_task(chore_kinds.ScheduledTask(name="erasing", task=ERASURE_JOB, at=time(4, 0), days=7))


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpiredData:
    """A club's data whose retention period is over."""

    people: tuple[ExpiredPerson, ...]
    events: tuple[Tournament, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasureReport:
    """The outcome of an erasure: people kept and why, and the number of log lines deleted."""

    kept: tuple[tuple[ExpiredPerson, str], ...]
    lines: int


def find_expired_data(club: Club, *, now: datetime) -> ExpiredData:
    """Find a club's data whose retention period is over."""
    people = find_expired_people(club, today=timezone.localdate(now))
    return ExpiredData(people=tuple(people), events=tuple(events_due_for_erasure(club, now=now)))


def erase_expired_data(club: Club, found: ExpiredData, *, now: datetime) -> ErasureReport:
    """Erase the data permanently. Names in results are kept, because they have already been published."""
    kept = []
    for each in found.people:
        try:
            erase_person(each.member, in_results=False, by=None)
        except OfficerProblem as problem:
            kept.append((each, problem.message))
    for event in found.events:
        erase_event(event)
    today = timezone.localdate(now)
    delete_old_online_entries(club, today=today)
    return ErasureReport(kept=tuple(kept), lines=delete_old_viewing_log(club, today=today))


def erase_expired_data_in_all_clubs(job: Job) -> dict[str, Any]:
    """Erase expired data in all clubs, and return the counts. Safe to run twice.

    Returns no names, because job results are kept.
    """
    # Commands that only list the registered jobs needn't load Celery.
    from common.jobs.queue import report_progress

    now = timezone.now()
    clubs = list(Club.objects.order_by("pk"))
    people = events = lines = 0
    for done, club in enumerate(clubs):
        report_progress(job, done=done, total=len(clubs))
        found = find_expired_data(club, now=now)
        erased = erase_expired_data(club, found, now=now)
        people += len(found.people) - len(erased.kept)
        events += len(found.events)
        lines += erased.lines
    return {"people": people, "events": events, "lines": lines}
