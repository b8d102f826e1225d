"""Reads tables whose columns are aligned with blanks only, as in printed lists and old programs."""

from __future__ import annotations

from collections.abc import Sequence

from common.tabular.text_tables import TableRow

SAMPLE_LINES = 400
MIN_LINES = 3
MAX_LINE_WIDTH = 1_000
"""In characters."""


def detect_fixed_width_columns(lines: Sequence[str]) -> tuple[int, ...]:
    """Return the start positions of the columns, from 0. Fewer than two if there are no columns.

    A column begins after two places that are blank in every line. One is enough if the first line, with the headings,
    also begins a word there.
    """
    looked_at = [line.expandtabs() for line in lines if line.strip()][:SAMPLE_LINES]
    if len(looked_at) < MIN_LINES:
        return ()
    width = max(len(line) for line in looked_at)
    if width > MAX_LINE_WIDTH:
        return ()
    blank = [all(place >= len(line) or line[place] == " " for line in looked_at) for place in range(width)]
    headings = looked_at[0].ljust(width)
    return tuple(
        place
        for place in range(width)
        if not blank[place]
        and (
            place == 0
            or (blank[place - 1] and (place < 2 or blank[place - 2] or headings[place - 1 : place + 1].strip() != ""))
        )
    )


def split_fixed_width_lines(lines: Sequence[str], begins: Sequence[int]) -> list[TableRow]:
    """Split the lines at these positions."""
    ends = [*begins[1:], None]
    return [
        TableRow(
            line=number,
            cells=tuple(line.expandtabs()[begin:end].strip() for begin, end in zip(begins, ends, strict=True)),
        )
        for number, line in enumerate(lines, start=1)
    ]
