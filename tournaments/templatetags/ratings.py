"""Template filters for ratings and scores."""

from __future__ import annotations

from decimal import Decimal

from django import template
from django.utils.formats import number_format
from django.utils.translation import npgettext

from clubs.rating.calculation.norms import MissingNormCondition, describe_missing_condition

register = template.Library()


@register.filter
def format_signed_hundredths(number: int) -> str:
    """Format a sum in hundredths with its sign: -124 is −1.24."""
    sign = "+" if number > 0 else "−" if number < 0 else ""
    return sign + number_format(abs(Decimal(number) / 100), 2)


@register.filter
def format_signed_number(number: int) -> str:
    """Format a change with its sign: -24 is −24."""
    return f"{'+' if number > 0 else '−' if number < 0 else ''}{abs(number)}"


@register.filter
def format_expected_score(number: int) -> str:
    """Format an expected score in hundredths: 76 is 0.76."""
    return number_format(Decimal(number) / 100, 2)


@register.filter
def format_half_points(number: int) -> str:
    """Format a score in half points: 3 is 1½."""
    whole, half = divmod(number, 2)
    return f"{whole or ''}½" if half else str(whole)


@register.filter
def points_unit(points: str) -> str:
    """Return the unit of a score as it is shown: "pt" for ½ and 1, else "pts"."""
    return npgettext("points, abbreviated", "pt", "pts", 1 if points in ("½", "1") else 2)


@register.filter
def norm_shortfall_in_words(missing: MissingNormCondition, title: str) -> str:
    """Describe what is missing for a title norm."""
    return describe_missing_condition(missing, title)
