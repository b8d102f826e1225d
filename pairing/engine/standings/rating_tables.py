"""The conversions of FIDE's rating regulations (Handbook B.02, article 8.1), in hundredths of a point."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

_ABOVE_HALF = (
    *(0, 7, 14, 21, 29, 36, 43, 50, 57, 65),
    *(72, 80, 87, 95, 102, 110, 117, 125, 133, 141),
    *(149, 158, 166, 175, 184, 193, 202, 211, 220, 230),
    *(240, 251, 262, 273, 284, 296, 309, 322, 336, 351),
    *(366, 383, 401, 422, 444, 470, 501, 538, 589, 677),
    800,
)
"""The rating difference of 50, 51, ..., 100 hundredths (8.1.1); below half it is the same, negated."""

_FIRST_DIFFERENCES = (
    *(4, 11, 18, 26, 33, 40, 47, 54, 62, 69),
    *(77, 84, 92, 99, 107, 114, 122, 130, 138, 146),
    *(154, 163, 171, 180, 189, 198, 207, 216, 226, 236),
    *(246, 257, 268, 279, 291, 303, 316, 329, 345, 358),
    *(375, 392, 412, 433, 457, 485, 518, 560, 620, 736),
)
"""The least difference for which the stronger player is expected to score 51, 52, ..., 100 hundredths (8.1.2)."""

FULL_SCORE_DIFFERENCE = _FIRST_DIFFERENCES[-1]
"""From this difference on the stronger player is expected to win."""

_EXPECTED_ABOVE = tuple(
    50 + bisect_right(_FIRST_DIFFERENCES, difference) for difference in range(FULL_SCORE_DIFFERENCE + 1)
)
_EXPECTED = (*(100 - above for above in reversed(_EXPECTED_ABOVE[1:])), *_EXPECTED_ABOVE)
"""For every difference from minus to plus FULL_SCORE_DIFFERENCE."""


def rating_difference_for_score(hundredths: int) -> int:
    """8.1.1: return the rating difference for a score in hundredths of the games."""
    return _ABOVE_HALF[hundredths - 50] if hundredths >= 50 else -_ABOVE_HALF[50 - hundredths]


def expected_score_in_hundredths(own: int, opponents: Iterable[int]) -> int:
    """8.1.2: return the expected score of a player with this rating against these opponents, in hundredths."""
    expected, least = _EXPECTED, own + FULL_SCORE_DIFFERENCE
    total = 0
    for rating in opponents:
        place = least - rating
        total += 100 if place > 2 * FULL_SCORE_DIFFERENCE else expected[place] if place > 0 else 0
    return total
