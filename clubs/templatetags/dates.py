"""Template filter for the days of an event or season."""

from __future__ import annotations

from datetime import date

from django import template

from common.text.day_ranges import format_day_range

register = template.Library()


@register.filter
def day_range(first: date, last: date | None) -> str:
    """Format the days from `first` to `last`: `{{ event.starts_on|day_range:event.ends_on }}`."""
    return format_day_range(first, last)
