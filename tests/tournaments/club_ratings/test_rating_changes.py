"""Rating changes as text: with a sign, and zero without one."""

from __future__ import annotations

import pytest

from tournaments.templatetags.ratings import (
    format_expected_score,
    format_half_points,
    format_signed_hundredths,
    format_signed_number,
)


@pytest.mark.parametrize(
    ("number", "text"), [(0, "0.00"), (1, "+0.01"), (-1, "−0.01"), (-124, "−1.24"), (250, "+2.50")]
)
def test_hundredths(number, text):
    assert format_signed_hundredths(number) == text


@pytest.mark.parametrize(("number", "text"), [(0, "0"), (1, "+1"), (-1, "−1"), (-24, "−24")])
def test_signed(number, text):
    assert format_signed_number(number) == text


@pytest.mark.parametrize(("number", "text"), [(0, "0"), (1, "½"), (2, "1"), (3, "1½")])
def test_half_points(number, text):
    assert format_half_points(number) == text


@pytest.mark.parametrize(("number", "text"), [(0, "0.00"), (8, "0.08"), (76, "0.76"), (100, "1.00")])
def test_chance(number, text):
    assert format_expected_score(number) == text
