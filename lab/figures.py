"""Figures and tables: medians, the growth exponent, Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log


def growth_exponent(seconds: Mapping[int, float]) -> float | None:
    """The b of cost = a * n ** b that fits best, by least squares on logarithms; None for fewer than two sizes."""
    points = [(log(size), log(cost)) for size, cost in seconds.items() if cost > 0]
    if len(points) < 2:
        return None
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / sum((x - mean_x) ** 2 for x, _ in points)


def seconds_text(seconds: float) -> str:
    """Two significant figures, and at most milliseconds: 0.034, 0.85, 3.1, 42."""
    for limit, decimals in ((0.0995, 3), (0.995, 2), (9.95, 1)):
        if seconds < limit:
            return f"{seconds:.{decimals}f}"
    return f"{seconds:.0f}"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table: the first column left-aligned, the others right-aligned."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
