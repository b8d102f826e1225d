"""A bar chart of a year's attendance, for a page without scripts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

WIDTH, HEIGHT = 760, 240
LEFT, RIGHT, TOP, BOTTOM = 16, 16, 28, 32
MAX_BAR_WIDTH = 48
MIN_LABELLED_WIDTH = 34
"""The narrowest bar, in pixels, that can have its number and day as labels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttendanceBar:
    """The bar for one evening. `centre` is the x coordinate of its middle."""

    x: int
    y: int
    width: int
    height: int
    centre: int
    day: date
    players: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AttendanceChart:
    """Everything a template needs to draw the chart. Labels are shown only if they fit."""

    bars: tuple[AttendanceBar, ...]
    has_words: bool
    width: int = WIDTH
    height: int = HEIGHT
    bottom: int = HEIGHT - BOTTOM


def build_attendance_chart(players: Sequence[tuple[date, int]]) -> AttendanceChart | None:
    """Return the chart for these evenings, or None if there are fewer than two."""
    if len(players) < 2:
        return None
    most = max(count for _day, count in players)
    step = min(MAX_BAR_WIDTH, (WIDTH - LEFT - RIGHT) // len(players))
    bars = []
    for place, (day, count) in enumerate(players):
        height = (HEIGHT - TOP - BOTTOM) * count // most
        x = LEFT + step * place
        bars.append(
            AttendanceBar(
                x=x,
                y=HEIGHT - BOTTOM - height,
                width=max(1, step * 3 // 4),
                height=height,
                centre=x + step * 3 // 8,
                day=day,
                players=count,
            )
        )
    return AttendanceChart(bars=tuple(bars), has_words=step >= MIN_LABELLED_WIDTH)
