"""Parses birth dates: a full date, or only the year."""

from __future__ import annotations

import re
from datetime import date

_YEAR_FIRST = re.compile(r"(\d{4})[-./](\d\d?)[-./](\d\d?)", re.ASCII)
_DAY_FIRST = re.compile(r"(\d\d?)[-./ ]+(\d\d?)[-./ ]+(\d{4})", re.ASCII)
_YEAR = re.compile(r"\d{4}", re.ASCII)
MIN_BIRTH_YEAR = 1900


def parse_birth_date(text: str, *, today: date) -> tuple[date | None, int | None]:
    """Return the date and year in a text such as 2011-03-28, 28.3.2011 or 1968. Each is None if missing.

    Raises ValueError if it is anything else, or not between 1900 and today.
    """
    text = text.strip()
    if not text:
        return None, None
    if _YEAR.fullmatch(text):
        if not MIN_BIRTH_YEAR <= int(text) <= today.year:
            raise ValueError(text)
        return None, int(text)
    day = parse_date(text)
    if not date(MIN_BIRTH_YEAR, 1, 1) <= day <= today:
        raise ValueError(text)
    return day, day.year


def parse_date(text: str) -> date:
    """Parse a date with the year or the day first. Raises ValueError if it is invalid."""
    if match := _YEAR_FIRST.fullmatch(text.strip()):
        year, month, day = match.groups()
    elif match := _DAY_FIRST.fullmatch(text.strip()):
        day, month, year = match.groups()
    else:
        raise ValueError(text)
    return date(int(year), int(month), int(day))
