"""Rating histories as a drawing: lines with marks, for a page without scripts.

Lines differ by dashes and marks, not by colour alone; the figures stand in a table beside the drawing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TypeAlias

from clubs.rating.calculation.months import months_between

WIDTH, HEIGHT = 640, 300
LEFT, RIGHT, TOP, BOTTOM = 56, 40, 16, 40
STEPS = (25, 50, 100, 200, 500)
MOST_STEPS = 7
MOST_MONTHS_NAMED = 8

Curve: TypeAlias = Sequence[tuple[date, int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A figure at its place in the drawing."""

    x: int
    y: int
    month: date
    rating: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One person's line; `style` numbers its dashes and marks from 1, `points` are SVG's."""

    name: str
    style: int
    points: str
    marks: tuple[Mark, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tick:
    """A line of the grid with its words: a rating, or a month."""

    place: int
    rating: int | None = None
    month: date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """Everything a template draws."""

    lines: tuple[Line, ...]
    ratings: tuple[Tick, ...]
    months: tuple[Tick, ...]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    bottom: int = HEIGHT - BOTTOM


def chart_of(curves: Mapping[str, Curve]) -> Chart | None:
    """The drawing of these people's ratings by month; None where there is nothing to draw."""
    months = [month for curve in curves.values() for month, _rating in curve]
    ratings = [rating for curve in curves.values() for _month, rating in curve]
    if not months:
        return None
    first, span = min(months), max(1, months_between(min(months), max(months)))
    low, high, step = _scale(min(ratings), max(ratings))

    def x(month: date) -> int:
        return LEFT + (WIDTH - LEFT - RIGHT) * months_between(first, month) // span

    def y(rating: int) -> int:
        return TOP + (HEIGHT - TOP - BOTTOM) * (high - rating) // (high - low)

    lines = []
    for style, (name, curve) in enumerate(curves.items(), start=1):
        marks = tuple(Mark(x=x(month), y=y(rating), month=month, rating=rating) for month, rating in curve)
        points = " ".join(f"{mark.x},{mark.y}" for mark in marks)
        lines.append(Line(name=name, style=style, points=points, marks=marks))
    every = -(-(span + 1) // MOST_MONTHS_NAMED)
    named = [_month_after(first, count) for count in range(0, span + 1, every)]
    return Chart(
        lines=tuple(lines),
        ratings=tuple(Tick(place=y(rating), rating=rating) for rating in range(low, high + 1, step)),
        months=tuple(Tick(place=x(month), month=month) for month in named if month <= max(months)),
    )


def _scale(lowest: int, highest: int) -> tuple[int, int, int]:
    """The grid's lowest and highest rating and its step, round figures around all ratings."""
    for step in STEPS:
        low, high = lowest // step * step, -(-highest // step) * step
        if low == high:
            low, high = low - step, high + step
        if (high - low) // step < MOST_STEPS:
            return low, high, step
    return low, high, step


def _month_after(month: date, count: int) -> date:
    months = month.year * 12 + month.month - 1 + count
    return date(months // 12, months % 12 + 1, 1)
