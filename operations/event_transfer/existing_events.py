"""Finds events of a club that are the same as an imported one, after a transfer back or a second import."""

from __future__ import annotations

from dataclasses import dataclass

from clubs.models import Club, User
from operations.event_transfer.file_format import EventFile
from tournaments.events.event_deletion import delete_event, event_state_token
from tournaments.events.event_setup import find_free_slug
from tournaments.models import LogEntry, Tournament


@dataclass(frozen=True, slots=True, kw_only=True)
class ExistingEvent:
    """A copy of the file's event. `lines_not_in_file` counts its additional log lines. `seen` is for `delete_event`."""

    event: Tournament
    lines_not_in_file: int
    seen: str


def find_existing_events(club: Club, file: EventFile) -> list[ExistingEvent]:
    """Return the club's copies of the file's event, the latest import first.

    The log keeps its times, so two events with the same first line at the same microsecond are one event.
    """
    if not file.log:
        return []
    first = file.log[0]
    known = {(line.at, line.action) for line in file.log}
    began = LogEntry.objects.filter(tournament__club=club, at=first.at, action=first.action).values("tournament")
    return [
        ExistingEvent(
            event=event,
            lines_not_in_file=sum(line not in known for line in event.log.values_list("at", "action")),
            seen=event_state_token(event),
        )
        for event in Tournament.objects.filter(club=club, pk__in=began).order_by("-pk")
    ]


def replace_existing_event(event: Tournament, *, by: User, seen: str) -> str:
    """Delete an event, restorably, in favour of the imported one. Return its URL slug, which is now free.

    Raises ArbiterProblem if the event has changed since `seen`.
    """
    address = event.slug
    if delete_event(event, by=by, typed=event.name, seen=seen):
        Tournament.with_deleted.filter(pk=event.pk).update(slug=find_free_slug(event.club, event.name))
    return address
