"""Conversion of other rating scales to Elo."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal


def elo_from_ingo(ingo: Decimal) -> int:
    """Convert an INGO rating: 2840 - 8 x INGO. In this old German system, smaller numbers are better."""
    return _whole(2840 - 8 * ingo)


def elo_from_bcf(grade: Decimal) -> int:
    """Convert a grade of the British Chess Federation (three digits): 600 + 8 x BCF."""
    return _whole(600 + 8 * grade)


def _whole(number: Decimal) -> int:
    return max(0, int(number.quantize(Decimal(1), ROUND_HALF_UP)))
