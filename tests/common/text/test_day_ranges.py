"""Days of an event in one text, as each language writes them (CLDR)."""

from __future__ import annotations

from datetime import date

import pytest
from django.utils import translation

from common.text.day_ranges import format_day_range


@pytest.mark.parametrize(
    ("language", "first", "last", "written"),
    [
        ("en", date(2026, 11, 8), date(2026, 12, 20), "8 Nov – 20 Dec 2026"),
        ("en", date(2026, 9, 1), date(2027, 8, 31), "1 Sep 2026 – 31 Aug 2027"),
        ("en", date(2026, 11, 8), date(2026, 11, 20), "8–20 Nov 2026"),
        ("en", date(2026, 11, 8), date(2026, 11, 8), "8 Nov 2026"),
        ("en", date(2026, 11, 8), None, "8 Nov 2026"),
        ("en", date(2026, 11, 8), date(2026, 11, 1), "8 Nov 2026"),
        ("de", date(2026, 11, 8), date(2026, 12, 20), "8. Nov. – 20. Dez. 2026"),
        ("it", date(2026, 11, 8), date(2026, 12, 9), "8 nov – 9 dic 2026"),
    ],
)
def test_days_of_an_event(language, first, last, written):
    with translation.override(language):
        found = format_day_range(first, last)
    assert " " not in found, "it stays on one line"
    assert found.translate(dict.fromkeys(map(ord, "\xa0\u2009\u202f"), " ")) == written
