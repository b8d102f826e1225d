"""The days of an event or season in one short text."""

from __future__ import annotations

import re
from datetime import date

from babel import Locale
from babel.dates import format_interval
from django.utils.translation import get_language, to_locale

_LEADING_ZERO = re.compile(r"(?<!\d)0(?=\d)")


def format_day_range(first: date, last: date | None) -> str:
    """Return two days for the active language, such as 8 Nov – 20 Dec 2026, on one line. One day gives its date."""
    code = to_locale(get_language() or "en")
    locale = Locale.parse("en_GB" if code == "en" else code)
    written = format_interval(first, max(first, last or first), "yMMMd", locale=locale)
    # Django shortens September to Sep in English, and all dates of a page look alike.
    return re.sub(r"\s", "\xa0", _LEADING_ZERO.sub("", written)).replace("Sept\xa0", "Sep\xa0")
