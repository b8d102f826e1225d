"""The conversions of FIDE's rating regulations (Handbook B.02, article 8.1), in hundredths of a point."""

from __future__ import annotations

from bisect import bisect_right

_ABOVE_HALF = (
    *(0, 7, 14, 21, 29, 36, 43, 50, 57, 65),
    *(72, 80, 87, 95, 102, 110, 117, 125, 133, 141),
    *(149, 158, 166, 175, 184, 193, 202, 211, 220, 230),
    *(240, 251, 262, 273, 284, 296, 309, 322, 336, 351),
    *(366, 383, 401, 422, 444, 470, 501, 538, 589, 677),
    800,
)
"""The rating difference of 50, 51, ..., 100 hundredths (8.1.1); below half it is the same with a minus."""

_FIRST_DIFFERENCES = (
    *(4, 11, 18, 26, 33, 40, 47, 54, 62, 69),
    *(77, 84, 92, 99, 107, 114, 122, 130, 138, 146),
    *(154, 163, 171, 180, 189, 198, 207, 216, 226, 236),
    *(246, 257, 268, 279, 291, 303, 316, 329, 345, 358),
    *(375, 392, 412, 433, 457, 485, 518, 560, 620, 736),
)
"""The least difference for which the stronger player is expected to score 51, 52, ..., 100 hundredths (8.1.2)."""

FULL_SCORE_FROM = _FIRST_DIFFERENCES[-1]
"""From this difference on the stronger player is expected to win."""

_EXPECTED = tuple(50 + bisect_right(_FIRST_DIFFERENCES, difference) for difference in range(FULL_SCORE_FROM + 1))


def difference_for(hundredths: int) -> int:
    """8.1.1: the rating difference that a score of so many hundredths of the games stands for."""
    return _ABOVE_HALF[hundredths - 50] if hundredths >= 50 else -_ABOVE_HALF[50 - hundredths]


def expected_hundredths(difference: int) -> int:
    """8.1.2: the score to be expected, for a player rated so much above his opponent (below: negative)."""
    if difference >= 0:
        return _EXPECTED[min(difference, FULL_SCORE_FROM)]
    return 100 - _EXPECTED[min(-difference, FULL_SCORE_FROM)]
