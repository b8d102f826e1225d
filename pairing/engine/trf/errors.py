"""Errors of report files with their position, and warnings that do not stop reading."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class TrfError(ValueError):
    """The file cannot be used: where (line and column, from 1), the text expected and the text found."""

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


class TeamEventError(TrfError):
    """The file is that of a team event; `line` is the one that shows it."""

    def __init__(self, *, name: str, line: int, column: int, found: str) -> None:
        super().__init__(
            "an individual event: this is a team event, and teams are not paired here",
            name=name,
            line=line,
            column=column,
            found=found.strip(),
        )


class TrfWarningKind(StrEnum):
    """The kinds of warning. Pairing goes by the results, so none of these affects it."""

    POINTS_DIFFER = "points_differ"
    """The points column is not the sum of the results."""
    PLAYER_COUNT_DIFFERS = "player_count_differs"
    """Line 062 gives a number of players other than the actual one."""
    RANKS_DIFFER = "ranks_differ"
    """A better rank has fewer points than the next; `stated` are both ranks, `computed` both players' points."""
    SEVERAL_BYES = "several_byes"
    """A round has more than one pairing-allocated bye; `stated` is the round, `computed` their number."""
    TEAM_LINES_IGNORED = "teams_passed_over"
    """A file that calls itself individual has lines 013; `computed` is their number."""
    TYPE_UNKNOWN = "type_unknown"
    """Line 192 names an unsupported pairing system; `stated` is its name."""
    TIE_BREAKS_UNKNOWN = "tie_breaks_unknown"
    """Line 202 or 212 names unsupported tie-breaks; `stated` are their names."""
    TIME_CONTROL_UNKNOWN = "time_control_unknown"
    """Line 222 is no encoded time control; `stated` is its text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrfWarning:
    """A contradiction that leaves the file usable: the value `stated` in the line, and the one `computed`."""

    kind: TrfWarningKind
    line: int
    column: int
    stated: str
    computed: str

    def __str__(self) -> str:
        said = _SENTENCES[self.kind].format(stated=self.stated, computed=self.computed)
        return f"line {self.line}, column {self.column}: {said}"


_SENTENCES = {
    TrfWarningKind.POINTS_DIFFER: "points {stated} stated, {computed} found",
    TrfWarningKind.PLAYER_COUNT_DIFFERS: "number of players {stated} stated, {computed} found",
    TrfWarningKind.RANKS_DIFFER: "ranks {stated} have {computed} points",
    TrfWarningKind.SEVERAL_BYES: "round {stated} has {computed} pairing-allocated byes",
    TrfWarningKind.TEAM_LINES_IGNORED: "{computed} lines of teams are passed over: the file calls its event individual",
    TrfWarningKind.TYPE_UNKNOWN: "{stated} names no pairing system that is known here",
    TrfWarningKind.TIE_BREAKS_UNKNOWN: "tie-breaks that are not counted here: {stated}",
    TrfWarningKind.TIME_CONTROL_UNKNOWN: "no encoded time control: {stated}",
}
