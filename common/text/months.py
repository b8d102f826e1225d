"""Months of the calendar: counted on from a day, and as addresses write them."""

from __future__ import annotations

import calendar
from datetime import date


def add_months(day: date, months: int) -> date:
    """The same day so many months later, or the month's last where it has no such day; within the calendar's years."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    year = min(max(year, date.min.year), date.max.year)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def parse_month(text: str) -> date | None:
    """The first day of a month written as 2026-11; None for what is no month."""
    try:
        return date.fromisoformat(f"{text}-01")
    except ValueError:
        return None
