"""Writing the log of an event."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, Max

from clubs.models import User
from tournaments.audit_log.actions import LogAction
from tournaments.models import LogEntry, Round, Tournament


def record_action(
    tournament: Tournament, action: LogAction, *, by: User | None, round: Round | None = None, **details: Any
) -> LogEntry:
    """Write a line in the event's log, and return it.

    `details` must be plain JSON values; `by` is None for the system itself.
    """
    return LogEntry.objects.create(tournament=tournament, round=round, actor=by, action=action.value, details=details)


def log_position(tournament: Tournament) -> tuple[int, int]:
    """Return the number of lines in the event's log and the latest key, which change with every action."""
    found = tournament.log.order_by().aggregate(lines=Count("pk"), latest=Max("pk"))
    return found["lines"], found["latest"] or 0
