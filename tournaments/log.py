"""Who did what in an event, and when."""

from __future__ import annotations

from typing import Any

from clubs.models import User
from tournaments.models import LogEntry, Round, Tournament


def record(tournament: Tournament, action: str, *, by: User | None, round: Round | None = None, **details: Any) -> None:
    """Write one line of the event's log. `details` must be plain JSON values; `by` is None for the machine itself."""
    LogEntry.objects.create(tournament=tournament, round=round, actor=by, action=action, details=details)
