"""The exchange tables in FIDE's Swiss rules of 1989, six players, for the engine and for the transcription."""

from __future__ import annotations

ARTICLE_11_2 = [
    ([], "1-4 2-5 3-6"),
    ([(1, 4)], "1-5 2-4 3-6"),
    ([(1, 4), (1, 5)], "1-6 2-4 3-5"),
    ([(1, 4), (1, 5), (1, 6)], "1-3 2-5 4-6"),
    ([(1, 4), (1, 5), (1, 6), (1, 3)], "1-2 3-5 4-6"),
]
"""Whom the first cannot meet, and the pairs."""

ARTICLE_11_3 = [
    ([], "1-6 2-4 3-5"),
    ([(2, 4)], "1-6 2-5 3-4"),
    ([(2, 4), (2, 5)], "1-6 2-3 4-5"),
    ([(2, 4), (2, 5), (2, 3)], "1-3 2-6 4-5"),
    ([(2, 4), (2, 5), (2, 3), (2, 6)], "1-2 3-5 4-6"),
]
"""Whom the second cannot meet, where the first cannot meet 4 and 5, and the pairs."""
