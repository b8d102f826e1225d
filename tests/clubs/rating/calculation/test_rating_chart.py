"""Rating charts: everything is inside the drawing, higher is higher, later is further right."""

from __future__ import annotations

from datetime import date

import pytest

from clubs.rating.calculation.rating_chart import build_rating_chart


def months(*ratings: int) -> list[tuple[date, int]]:
    return [(date(2026 + n // 12, n % 12 + 1, 1), rating) for n, rating in enumerate(ratings)]


def test_without_ratings_there_is_no_drawing():
    assert build_rating_chart({"Nikt": []}) is None


@pytest.mark.parametrize("ratings", [(1800,), (1800, 1800), (1400, 2287, 1999), (1, 3500), tuple(range(1500, 1540))])
def test_marks_stand_inside(ratings):
    chart = build_rating_chart({"A": months(*ratings)})
    for mark in chart.lines[0].marks:
        assert chart.left <= mark.x <= chart.right
        assert 0 < mark.y <= chart.bottom
    assert chart.ratings[0].rating <= min(ratings)
    assert chart.ratings[-1].rating >= max(ratings)
    assert 2 <= len(chart.ratings) <= 9
    assert min(len(ratings), 5) <= len(chart.months) <= 8


def test_higher_is_higher_and_later_is_further_right():
    first, second = build_rating_chart({"A": months(1500, 1600)}).lines[0].marks
    assert second.y < first.y
    assert second.x > first.x


def test_a_month_without_a_rating_leaves_a_gap():
    chart = build_rating_chart(
        {"A": [(date(2026, 1, 1), 1500), (date(2026, 5, 1), 1500)], "B": [(date(2026, 3, 1), 1500)]}
    )
    left, right = chart.lines[0].marks
    assert chart.lines[1].marks[0].x == (left.x + right.x) // 2
    assert [line.style for line in chart.lines] == [1, 2]
