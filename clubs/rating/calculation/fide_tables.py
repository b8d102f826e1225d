"""The two tables of the FIDE Rating Regulations in force since 1 March 2024 (B.02, 8.1.1 and 8.1.2)."""

from __future__ import annotations

from bisect import bisect_left

_DIFFERENCES = (
    *(0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117),
    *(125, 133, 141, 149, 158, 166, 175, 184, 193, 202, 211, 220, 230, 240, 251, 262, 273),
    *(284, 296, 309, 322, 336, 351, 366, 383, 401, 422, 444, 470, 501, 538, 589, 677, 800),
)
"""8.1.1: dp for a score of 50, 51, ... 100 per cent; below 50 the same with a minus."""

_LAST_OF_ROW = (
    *(3, 10, 17, 25, 32, 39, 46, 53, 61, 68, 76, 83, 91, 98, 106, 113, 121),
    *(129, 137, 145, 153, 162, 170, 179, 188, 197, 206, 215, 225, 235, 245, 256, 267, 278),
    *(290, 302, 315, 328, 344, 357, 374, 391, 411, 432, 456, 484, 517, 559, 619, 735),
)
"""8.1.2: the last difference at which the higher rated player expects .50, .51, ... .99; beyond them 1.0."""


def rating_difference_for_percent(percent: int) -> int:
    """Return dp, the rating difference for a score in whole per cent (0 to 100); B.02, table 8.1.1."""
    if not 0 <= percent <= 100:
        raise ValueError(f"a score of {percent} per cent")
    return _DIFFERENCES[percent - 50] if percent >= 50 else -_DIFFERENCES[50 - percent]


def expected_score(difference: int) -> int:
    """Return PD in hundredths for a player this many points above the opponent (below: negative); B.02, table 8.1.2."""
    higher = 50 + bisect_left(_LAST_OF_ROW, abs(difference))
    return higher if difference >= 0 else 100 - higher
