"""Calendar months: adding them to a date, and parsing them from URLs."""

from __future__ import annotations

import calendar
from datetime import date


def add_months(day: date, months: int) -> date:
    """Return the same day some months later, or the month's last day. The result stays within the calendar's years."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    year = min(max(year, date.min.year), date.max.year)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def parse_month(text: str) -> date | None:
    """Return the first day of a month written as 2026-11. Return None if it is invalid."""
    try:
        return date.fromisoformat(f"{text}-01")
    except ValueError:
        return None
