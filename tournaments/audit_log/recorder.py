"""Writing the log of an event."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from django.db.models import Count, Max

from clubs.models import User
from common.signals import ChangeKind, publish
from tournaments.audit_log.actions import LogAction, LogVisibility
from tournaments.models import LogEntry, Round, Tournament

BY_PROGRAM = "by_program"
"""The detail with the name of a program that acted, such as `Results bot (API)`."""
_program: ContextVar[str] = ContextVar("program that acts", default="")


@contextmanager
def log_as_program(name: str) -> Iterator[None]:
    """Write the name of a program in the log lines that have no user."""
    token = _program.set(name)
    try:
        yield
    finally:
        _program.reset(token)


def record_action(
    tournament: Tournament, action: LogAction, *, by: User | None, round: Round | None = None, **details: Any
) -> LogEntry:
    """Write a line in the event's log, and return it.

    `details` must be plain JSON values; `by` is None for the system itself, or a program (`log_as_program`).
    """
    if by is None and (program := _program.get()):
        details[BY_PROGRAM] = program
    line = LogEntry.objects.create(tournament=tournament, round=round, actor=by, action=action.value, details=details)
    if action.visibility is LogVisibility.ALL:
        publish(ChangeKind.EVENT_LOGGED, line.pk)
    return line


def log_position(tournament: Tournament) -> tuple[int, int]:
    """Return the number of lines in the event's log and the latest key, which change with every action."""
    found = tournament.log.order_by().aggregate(lines=Count("pk"), latest=Max("pk"))
    return found["lines"], found["latest"] or 0
