"""The same event in this club already: one that went to another Clubnight and comes back, or that comes twice."""

from __future__ import annotations

from dataclasses import dataclass

from clubs.models import Club, User
from operations.event_transfer.file_format import EventFile
from tournaments.events.event_deletion import delete_event, event_state_token
from tournaments.events.event_setup import find_free_slug
from tournaments.models import LogEntry, Tournament


@dataclass(frozen=True, slots=True, kw_only=True)
class ExistingEvent:
    """An event that began as the file's did; `lines_not_in_file` lines of its log; `seen` as `delete_event` asks for
    it."""

    event: Tournament
    lines_not_in_file: int
    seen: str


def find_existing_events(club: Club, file: EventFile) -> list[ExistingEvent]:
    """The club's events that began as the file's did, the latest brought in first.

    The log comes along in a file with its times, so two that have the first line at the same microsecond are one event.
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
    """Delete an event, so that it can be restored, in favour of the one that comes; its address is free, and returned.

    Raises ArbiterProblem where something has been done in it since `seen`.
    """
    address = event.slug
    if delete_event(event, by=by, typed=event.name, seen=seen):
        Tournament.with_deleted.filter(pk=event.pk).update(slug=find_free_slug(event.club, event.name))
    return address
