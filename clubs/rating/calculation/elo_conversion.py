"""Other scales of rating turned into Elo."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal


def elo_from_ingo(ingo: Decimal) -> int:
    """2840 - 8 x INGO: in the old German INGO system smaller numbers are better."""
    return _whole(2840 - 8 * ingo)


def elo_from_bcf(grade: Decimal) -> int:
    """600 + 8 x BCF, the three-figure grades of the British Chess Federation."""
    return _whole(600 + 8 * grade)


def _whole(number: Decimal) -> int:
    return max(0, int(number.quantize(Decimal(1), ROUND_HALF_UP)))
