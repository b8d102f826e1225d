"""Who did what in an event, and when."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, Max

from clubs.models import User
from tournaments.models import LogEntry, Round, Tournament

DRAFT_ACTIONS = frozenset(
    {
        "round paired",
        "draft discarded",
        "players swapped",
        "colours turned",
        "board moved",
        "pair removed",
        "pair made",
        "bye given by hand",
        "bye taken away",
        "player taken out",
        "player put in",
        "editing begun",
        "editing taken over",
        "editing ended",
        "step undone",
        "step done again",
        "pairing restored",
        "trial pairing drafted",
    }
)
"""What changes a draft only: players' pages are not told of it, not even that something has happened."""

DOOR_ACTIONS = frozenset(
    {
        "checked in",
        "player checked in",
        "says he is here",
        "check-in closed",
        "check-in opened",
        "bye asked for",
        "bye taken back",
        "personal link renewed",
        "result read again",
    }
)
"""What happens at the door and changes no page of players: forty taps need not wake two thousand phones."""


def record(tournament: Tournament, action: str, *, by: User | None, round: Round | None = None, **details: Any) -> None:
    """Write one line of the event's log. `details` must be plain JSON values; `by` is None for the machine itself."""
    LogEntry.objects.create(tournament=tournament, round=round, actor=by, action=action, details=details)


def state_of(tournament: Tournament) -> tuple[int, int]:
    """What is another after everything done in the event: the number of lines in its log, and the latest one's key."""
    found = tournament.log.order_by().aggregate(lines=Count("pk"), latest=Max("pk"))
    return found["lines"], found["latest"] or 0
