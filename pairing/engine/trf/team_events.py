"""Telling a team event from its file. Its players, games and points are read; what belongs to the teams is not."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pairing.engine.trf.model import TeamEventError, TrfFile, TrfRecord, TrfWarning, TrfWarningKind

_LINES_OF_TEAMS = frozenset({"300", "310", "320", "330", "801", "802"})
"""Line-ups, teams, their byes, forfeited matches, and results of teams (TRF26)."""
_OLD_LINE = "013"
"""A team of TRF16; some programs write such lines for the clubs of an individual event, too."""
_SAYS_TEAMS = re.compile(r"(?:092|192) +(?:FIDE[_-])?(?:TEAM|SCHILLER|(?:DOUBLE)?SCHEVENINGEN)(?![a-z])", re.IGNORECASE)
_SAYS_INDIVIDUAL = re.compile(r"092 +individual\b|192 +FIDE_", re.IGNORECASE)

CODES_WITH_TEAM_NUMBERS = frozenset({"XXA", "XXP", "XXZ", "240", "250", "260", "299"})
"""Lines whose numbers may be teams' in a team event: acceleration, forbidden pairs, byes, points without a game."""


def find_team_event(records: Iterable[tuple[int, TrfRecord]]) -> TrfWarning | None:
    """Return a warning at the line that shows a team event, or None for an individual event.

    Lines 013 alone show one unless the file calls itself individual. `records` are lines with their numbers.
    """
    first: tuple[int, str] | None = None
    old, is_individual = 0, False
    for number, record in records:
        text = record.text
        if _SAYS_TEAMS.match(text):
            return _warning(number, 5, record.line_value)
        if text[:3] in _LINES_OF_TEAMS and text[3:4] in ("", " "):
            first = first or (number, text[:3])
        elif text[:3] == _OLD_LINE and text[3:4] in ("", " "):
            old = old or number
        is_individual = is_individual or _SAYS_INDIVIDUAL.match(text) is not None
    if first is not None:
        return _warning(first[0], 1, first[1])
    return _warning(old, 1, _OLD_LINE) if old and not is_individual else None


def refuse_team_event(trf: TrfFile) -> None:
    """Raise TeamEventError if the file is from a team event, whose next round is paired by teams."""
    found = find_team_event(trf.records_with_line_numbers())
    if found is not None:
        raise TeamEventError(name=trf.name, line=found.line, column=found.column, found=found.stated)


def _warning(line: int, column: int, found: str) -> TrfWarning:
    return TrfWarning(kind=TrfWarningKind.TEAM_EVENT, line=line, column=column, stated=found, computed="")
