"""Ratings as people write them."""

from __future__ import annotations

import pytest

from common.text.rating_text import parse_rating


@pytest.mark.parametrize("text", ["x", "-5", "12345", "3501", "3500,5", "1.850", "1850,555", "١٨٥٠", "1e3"])
def test_no_rating(text):
    with pytest.raises(ValueError):
        parse_rating(text)


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("1850", 1850),
        ("1850?", 1850),
        ("1420*", 1420),
        ("1390P", 1390),
        (" 1850 ", 1850),
        ("1850,5", 1851),
        ("1850.4", 1850),
        ("3500", 3500),
    ]
    + [(text, 0) for text in ("", "-", "–", "0", "unrated", "Unrated", "brak")],
)
def test_a_rating(text, points):
    assert parse_rating(text) == points
