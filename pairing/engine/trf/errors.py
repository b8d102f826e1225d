"""What can be wrong with a report file: refusals with their place, and warnings that do not stop anything."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class TrfError(ValueError):
    """A file that cannot be used as it stands: where (line and column, from 1), what was expected, what was found."""

    def __init__(self, expected: str, *, name: str, line: int, column: int, found: str = "") -> None:
        self.name = name
        self.line = line
        self.column = column
        self.expected = expected
        self.found = found
        super().__init__(str(self))

    def __str__(self) -> str:
        found = f", found {self.found!r}" if self.found.strip() else ""
        return f"{self.name}: line {self.line}, column {self.column}: expected {self.expected}{found}"


class TrfWarningKind(StrEnum):
    """What does not fit; pairing goes by the results and is not touched by any of these."""

    POINTS_DIFFER = "points_differ"
    """The points column is not the sum of the results."""
    PLAYER_COUNT_DIFFERS = "player_count_differs"
    """Line 062 announces another number of players than there are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrfWarning:
    """A contradiction that leaves the file usable: what the line states, and what the rest of the file gives."""

    kind: TrfWarningKind
    line: int
    column: int
    stated: str
    computed: str

    def __str__(self) -> str:
        what = "points" if self.kind is TrfWarningKind.POINTS_DIFFER else "number of players"
        return f"line {self.line}, column {self.column}: {what} {self.stated} stated, {self.computed} found"
