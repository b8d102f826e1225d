"""The chores there are, registered by whoever does them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, time, timedelta


def is_always_needed() -> bool:
    """A chore that is begun whenever it is due."""
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduledTask:
    """Work that is to be done every so many `days`, at a time of day of the server's zone; or every so many `minutes`.

    Every seven days are Sundays, as days are counted from Monday, 1 January of the year 1, which is day 1.

    One that comes often asks by `is_needed` whether there is anything to do: else no job is made for it.

    `name` is what its row is called, and never changes; `task` the dotted name of a task registered as a kind of job
    (`common.jobs.kinds`), which is run without arguments and for nobody. It must be safe to run twice.
    """

    name: str
    task: str
    at: time = time(0, 0)
    days: int = 1
    minutes: int = 0
    is_needed: Callable[[], bool] = is_always_needed

    def latest_due_time(self, now: datetime) -> datetime:
        """The latest time it was due at; `now` is of the server's zone."""
        if self.minutes:
            step = self.minutes * 60
            return datetime.fromtimestamp(int(now.timestamp()) // step * step, now.tzinfo)
        due = datetime.combine(now.date(), self.at, now.tzinfo)
        if due > now:
            due -= timedelta(days=1)
        # By the calendar, not from the last time, so that every process has the same days.
        return due - timedelta(days=due.toordinal() % self.days)


_chores: dict[str, ScheduledTask] = {}


def register_scheduled_task(chore: ScheduledTask) -> ScheduledTask:
    """Have it begun when it is due; a name belongs to one chore."""
    if _chores.setdefault(chore.name, chore) != chore:
        raise ValueError(f"two chores are called {chore.name!r}")
    return chore


def scheduled_tasks() -> list[ScheduledTask]:
    """All of them, by name."""
    return sorted(_chores.values(), key=lambda chore: chore.name)
