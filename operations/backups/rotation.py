"""Which backups are kept: all of two days, and of seven days, five weeks and a year of months the newest of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta

DAYS, WEEKS, MONTHS = 7, 5, 12
KEEP_ALL_FOR = timedelta(days=2)


def select_backups_to_keep(times: Iterable[datetime], *, now: datetime) -> set[datetime]:
    """Of these times of backups, those to be kept: the young, and the newest of the latest days, weeks and months.

    Whoever makes one before putting last night's back has both. Days, weeks and months are counted by the backups, not
    by the clock: after a year's pause, or with a clock that runs wrong, none goes at once.
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
