"""Backup rotation: keep all of two days, and the newest of each of seven days, five weeks and twelve months."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta

DAYS, WEEKS, MONTHS = 7, 5, 12
KEEP_ALL_FOR = timedelta(days=2)


def select_backups_to_keep(times: Iterable[datetime], *, now: datetime) -> set[datetime]:
    """Return the times of backups to keep: recent ones, and the newest of the latest days, weeks and months.

    A backup made just before a restore is kept beside last night's. Periods are counted by existing backups, not by the
    clock: a long pause or a wrong clock never deletes them all.
    """
    newest_first = sorted(times, reverse=True)
    periods: tuple[tuple[int, Callable[[datetime], object]], ...] = (
        (DAYS, datetime.date),
        (WEEKS, lambda time: time.isocalendar()[:2]),
        (MONTHS, lambda time: (time.year, time.month)),
    )
    kept = {time for time in newest_first if time > now - KEEP_ALL_FOR}
    for most, period_of in periods:
        latest: dict[object, datetime] = {}
        for time in newest_first:
            latest.setdefault(period_of(time), time)
        kept.update(list(latest.values())[:most])
    return kept
