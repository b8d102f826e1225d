"""The registry of scheduled tasks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, time, timedelta


def is_always_needed() -> bool:
    """Return True, so that the task starts whenever it is due."""
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduledTask:
    """A task that runs every `days` days at a time in the server's time zone, or every `minutes` minutes.

    Every seven days means Sundays: days are counted from Monday, 1 January of the year 1, which is day 1. A frequent
    task has `is_needed`: if it returns False, no job is created. `name` is the name of its row and never changes.
    `task` is the dotted name of a registered job kind (`common.jobs.kinds`), run without arguments or user. It must be
    safe to run twice. `time_limit` is in seconds.
    """

    name: str
    task: str
    at: time = time(0, 0)
    days: int = 1
    minutes: int = 0
    is_needed: Callable[[], bool] = is_always_needed
    time_limit: int | None = None

    def latest_due_time(self, now: datetime) -> datetime:
        """Return the task's latest due time up to `now`, which is in the server's time zone."""
        if self.minutes:
            step = self.minutes * 60
            return datetime.fromtimestamp(int(now.timestamp()) // step * step, now.tzinfo)
        due = datetime.combine(now.date(), self.at, now.tzinfo)
        if due > now:
            due -= timedelta(days=1)
        # Counted by the calendar, not from the latest run, so that every process has the same days.
        return due - timedelta(days=due.toordinal() % self.days)


_chores: dict[str, ScheduledTask] = {}


def register_scheduled_task(chore: ScheduledTask) -> ScheduledTask:
    """Register a scheduled task. Raises ValueError if its name is taken."""
    if _chores.setdefault(chore.name, chore) != chore:
        raise ValueError(f"two chores are called {chore.name!r}")
    return chore


def scheduled_tasks() -> list[ScheduledTask]:
    """Return all tasks, by name."""
    return sorted(_chores.values(), key=lambda chore: chore.name)
