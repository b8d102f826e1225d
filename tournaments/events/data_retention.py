"""What has been kept as long as it may be is erased: people, deleted events, lines about who looked at what."""

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
from tournaments.privacy.personal_data import ExpiredPerson, delete_old_viewing_log, erase_person, find_expired_people

ERASURE_JOB = register_job_kind(
    "tournaments.tasks.erase_old_data", JobKind(title=_("Erasing what was kept long enough"))
)
# Once a week, after that night's backup is made: what was erased by mistake is still in one.
chore_kinds.register_scheduled_task(chore_kinds.ScheduledTask(name="erasing", task=ERASURE_JOB, at=time(4, 0), days=7))


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpiredData:
    """What of a club has been kept long enough."""

    people: tuple[ExpiredPerson, ...]
    events: tuple[Tournament, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasureReport:
    """What became of it: who is kept all the same and why, how many old lines of the log are gone."""

    kept: tuple[tuple[ExpiredPerson, str], ...]
    lines: int


def find_expired_data(club: Club, *, now: datetime) -> ExpiredData:
    """Whose and which data of a club may not be kept any longer."""
    people = find_expired_people(club, today=timezone.localdate(now))
    return ExpiredData(people=tuple(people), events=tuple(events_due_for_erasure(club, now=now)))


def erase_expired_data(club: Club, found: ExpiredData, *, now: datetime) -> ErasureReport:
    """Erase it for ever, one by one, names in results excepted: those are published already."""
    kept = []
    for each in found.people:
        try:
            erase_person(each.member, in_results=False, by=None)
        except OfficerProblem as problem:
            kept.append((each, problem.message))
    for event in found.events:
        erase_event(event)
    return ErasureReport(kept=tuple(kept), lines=delete_old_viewing_log(club, today=timezone.localdate(now)))


def erase_expired_data_in_all_clubs(job: Job) -> dict[str, Any]:
    """What the task does; done twice, the second finds nothing. Counts, and no names: results of jobs are kept."""
    # Celery is not loaded by every command that asks what is registered.
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
