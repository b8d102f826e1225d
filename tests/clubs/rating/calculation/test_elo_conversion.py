"""Older ratings converted to Elo."""

from __future__ import annotations

from decimal import Decimal

import pytest

from clubs.rating.calculation.elo_conversion import elo_from_bcf, elo_from_ingo


@pytest.mark.parametrize(
    ("ingo", "elo"), [("355", 0), ("360", 0), ("1000", 0), ("354.9", 1), ("100", 2040), ("100.5", 2036), ("0", 2840)]
)
def test_ingo(ingo: str, elo: int):
    assert elo_from_ingo(Decimal(ingo)) == elo


@pytest.mark.parametrize(("grade", "elo"), [("0", 600), ("150", 1800), ("150.1", 1801), ("-80", 0)])
def test_grades_of_the_british_federation(grade: str, elo: int):
    assert elo_from_bcf(Decimal(grade)) == elo
