"""Days on which banks transfer euros: those of the ECB's payment system (T2, before TARGET2).

Closed since 2002 on Saturdays, Sundays, New Year's Day, Good Friday, Easter Monday, 1 May, 25 and 26 December: the
ECB's long-term calendar, published on 14 December 2000.
"""

from __future__ import annotations

from datetime import date, timedelta

from dateutil.easter import easter

_FIXED = {(1, 1), (5, 1), (12, 25), (12, 26)}
SATURDAY = 5


def is_bank_day(day: date) -> bool:
    """Return True if banks transfer money on this day."""
    sunday: date = easter(day.year)
    is_closed = (day.month, day.day) in _FIXED or day in (sunday - timedelta(days=2), sunday + timedelta(days=1))
    return day.weekday() < SATURDAY and not is_closed


def first_bank_day_from(day: date) -> date:
    """Return the day itself if it is a bank day, else the next one."""
    while not is_bank_day(day):
        day += timedelta(days=1)
    return day
