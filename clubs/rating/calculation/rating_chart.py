"""Charts of rating histories, for a page without scripts: lines with marks.

Lines differ by dashes and marks, not only by colour. The numbers are also in a table beside the chart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TypeAlias

from clubs.rating.calculation.rating_periods import months_between

CHART_WIDTH, CHART_HEIGHT = 640, 300
LEFT_MARGIN, RIGHT_MARGIN, TOP_MARGIN, BOTTOM_MARGIN = 56, 40, 16, 40
GRID_STEPS = (25, 50, 100, 200, 500)
MAX_GRID_LINES = 7
MAX_MONTH_LABELS = 8

RatingHistory: TypeAlias = Sequence[tuple[date, int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingChartPoint:
    """A rating with its position in the chart."""

    x: int
    y: int
    month: date
    rating: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingChartLine:
    """A person's line. `style` is the number of its dash and marker style, from 1. `points` is in SVG's format."""

    name: str
    style: int
    points: str
    marks: tuple[RatingChartPoint, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingChartTick:
    """A grid line with its label: a rating or a month."""

    position: int
    rating: int | None = None
    month: date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingChart:
    """Everything a template needs to draw the chart."""

    lines: tuple[RatingChartLine, ...]
    ratings: tuple[RatingChartTick, ...]
    months: tuple[RatingChartTick, ...]
    width: int = CHART_WIDTH
    height: int = CHART_HEIGHT
    left: int = LEFT_MARGIN
    right: int = CHART_WIDTH - RIGHT_MARGIN
    bottom: int = CHART_HEIGHT - BOTTOM_MARGIN


def build_rating_chart(curves: Mapping[str, RatingHistory]) -> RatingChart | None:
    """Return the chart of these people's ratings by month, or None if there are none."""
    months = [month for curve in curves.values() for month, _rating in curve]
    ratings = [rating for curve in curves.values() for _month, rating in curve]
    if not months:
        return None
    first, span = min(months), max(1, months_between(min(months), max(months)))
    low, high, step = _scale(min(ratings), max(ratings))

    def x_of_month(month: date) -> int:
        return LEFT_MARGIN + (CHART_WIDTH - LEFT_MARGIN - RIGHT_MARGIN) * months_between(first, month) // span

    def y_of_rating(rating: int) -> int:
        return TOP_MARGIN + (CHART_HEIGHT - TOP_MARGIN - BOTTOM_MARGIN) * (high - rating) // (high - low)

    lines = []
    for style, (name, curve) in enumerate(curves.items(), start=1):
        marks = tuple(
            RatingChartPoint(x=x_of_month(month), y=y_of_rating(rating), month=month, rating=rating)
            for month, rating in curve
        )
        points = " ".join(f"{mark.x},{mark.y}" for mark in marks)
        lines.append(RatingChartLine(name=name, style=style, points=points, marks=marks))
    every = -(-(span + 1) // MAX_MONTH_LABELS)
    named = [_month_after(first, count) for count in range(0, span + 1, every)]
    return RatingChart(
        lines=tuple(lines),
        ratings=tuple(
            RatingChartTick(position=y_of_rating(rating), rating=rating) for rating in range(low, high + 1, step)
        ),
        months=tuple(
            RatingChartTick(position=x_of_month(month), month=month) for month in named if month <= max(months)
        ),
    )


def _scale(lowest: int, highest: int) -> tuple[int, int, int]:
    """Return the grid's lowest and highest rating and its step, in round numbers."""
    for step in GRID_STEPS:
        low, high = lowest // step * step, -(-highest // step) * step
        if low == high:
            low, high = low - step, high + step
        if (high - low) // step < MAX_GRID_LINES:
            return low, high, step
    return low, high, step


def _month_after(month: date, count: int) -> date:
    months = month.year * 12 + month.month - 1 + count
    return date(months // 12, months % 12 + 1, 1)
