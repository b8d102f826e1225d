"""Team events: their files have players' lines too, but these players must never be paired individually."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pairing.engine.trf.errors import TeamEventError

_LINES_OF_TEAMS = frozenset({"300", "310", "320", "330", "801", "802"})
"""Line-ups, teams, their byes, forfeited matches, and results of teams (TRF26)."""
_OLD_LINE = "013"
"""A team of TRF16; some programs write such lines for the clubs of an individual event, too."""
_SAYS_TEAMS = re.compile(r"(?:092|192) +(?:FIDE[_-])?(?:TEAM|SCHILLER|(?:DOUBLE)?SCHEVENINGEN)(?![a-z])", re.IGNORECASE)
_SAYS_INDIVIDUAL = re.compile(r"092 +individual\b|192 +FIDE_", re.IGNORECASE)


def refuse_team_event(lines: Sequence[str], *, name: str) -> None:
    """Raise TeamEventError at the line that shows a team event.

    Lines 013 alone show one unless the file calls itself individual.
    """
    first = None
    for number, line in enumerate(lines, start=1):
        if _SAYS_TEAMS.match(line):
            raise TeamEventError(name=name, line=number, column=5, found=line[4:])
        if line[:3] in _LINES_OF_TEAMS and line[3:4] in ("", " ") and first is None:
            first = number
    if first is not None:
        raise TeamEventError(name=name, line=first, column=1, found=lines[first - 1][:3])
    old = find_trf16_team_line(lines)
    if old and not any(_SAYS_INDIVIDUAL.match(line) for line in lines):
        raise TeamEventError(name=name, line=old, column=1, found=_OLD_LINE)


def find_trf16_team_line(lines: Sequence[str]) -> int:
    """Return the number of the first line 013; 0 without one."""
    return next((number for number, line in enumerate(lines, start=1) if re.match(r"013(?: |\Z)", line)), 0)
