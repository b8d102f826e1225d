"""What has been kept as long as it may be is erased: people, deleted events, lines about who looked at what."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, time
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clubs.models import Club
from common.jobs.kinds import JobKind, register
from common.models import Job
from common.problems import OfficerProblem
from common.schedule import kinds as chore_kinds
from tournaments.events.deleting import erase_event, to_be_erased
from tournaments.models import Tournament
from tournaments.privacy.personal_data import Overdue, clear_old_log, erase, kept_too_long

ERASE = register("tournaments.tasks.erase_old_data", JobKind(title=_("Erasing what was kept long enough")))
# Once a week, after that night's backup is made: what was erased by mistake is still in one.
chore_kinds.register(chore_kinds.Chore(name="erasing", task=ERASE, at=time(4, 0), days=7))


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeIsUp:
    """What of a club has been kept long enough."""

    people: tuple[Overdue, ...]
    events: tuple[Tournament, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Erased:
    """What became of it: who is kept all the same and why, how many old lines of the log are gone."""

    kept: tuple[tuple[Overdue, str], ...]
    lines: int


def time_is_up(club: Club, *, now: datetime) -> TimeIsUp:
    """Whose and which data of a club may not be kept any longer."""
    people = kept_too_long(club, today=timezone.localdate(now))
    return TimeIsUp(people=tuple(people), events=tuple(to_be_erased(club, now=now)))


def erase_what_is_over(club: Club, found: TimeIsUp, *, now: datetime) -> Erased:
    """Erase it for ever, one by one, names in results excepted: those are published already."""
    kept = []
    for each in found.people:
        try:
            erase(each.member, in_results=False, by=None)
        except OfficerProblem as problem:
            kept.append((each, problem.message))
    for event in found.events:
        erase_event(event)
    return Erased(kept=tuple(kept), lines=clear_old_log(club, today=timezone.localdate(now)))


def erase_in_every_club(job: Job) -> dict[str, Any]:
    """What the task does; done twice, the second finds nothing. Counts, and no names: results of jobs are kept."""
    # Celery is not loaded by every command that asks what is registered.
    from common.jobs.queue import beat

    now = timezone.now()
    clubs = list(Club.objects.order_by("pk"))
    people = events = lines = 0
    for done, club in enumerate(clubs):
        beat(job, done=done, total=len(clubs))
        found = time_is_up(club, now=now)
        erased = erase_what_is_over(club, found, now=now)
        people += len(found.people) - len(erased.kept)
        events += len(found.events)
        lines += erased.lines
    return {"people": people, "events": events, "lines": lines}
