"""The club's evenings as a calendar feed that phones subscribe to (RFC 5545)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from django.db.models import Count
from django.utils import timezone

from clubs.models import Club
from clubs.time_zones import time_zone_of_club
from tournaments.audit_log.actions import EventAction
from tournaments.models import LogEntry, Round, Tournament

MAX_LINE_LENGTH = 75
"""The maximum octets in a line; longer lines are folded (3.1)."""

EVENING_DURATION = "PT4H"
_MOVE_EVENINGS = (EventAction.EVENINGS_SET, EventAction.TOURNAMENT_CHANGED)


@dataclass(frozen=True, slots=True, kw_only=True)
class CalendarEntry:
    """An evening (`starts_at`, one round), or the days of an event whose rounds have no times (`first`, `last`).

    `starts_at` is in the club's time zone. `changes` counts how often the event's days may have changed.
    """

    key: str
    title: str
    place: str
    tournament: Tournament
    number: int | None = None
    starts_at: datetime | None = None
    first: date | None = None
    last: date | None = None
    changes: int = 0
    link: str = ""
    """A URL to open from the entry."""
    alarm: timedelta | None = None
    """The time before the start at which the phone reminds its owner."""


def calendar_entries_of(club: Club, events: Iterable[Tournament]) -> list[CalendarEntry]:
    """Return the calendar entries for these events in date order. Three queries."""
    found = []
    zone = time_zone_of_club(club)
    by_event: dict[int, list[Round]] = {}
    events = list(events)
    for this_round in Round.objects.filter(tournament__in=events, starts_at__isnull=False).order_by("starts_at"):
        by_event.setdefault(this_round.tournament_id, []).append(this_round)
    changes = dict(
        LogEntry.objects.filter(tournament__in=events, action__in=_MOVE_EVENINGS)
        .values_list("tournament")
        .annotate(count=Count("pk"))
        .order_by()
    )
    for event in events:
        place = event.city or club.city
        for this_round in by_event.get(event.pk, []):
            found.append(
                CalendarEntry(
                    key=f"round-{this_round.pk}",
                    title=f"{event.name} ({this_round.number}/{event.rounds_announced})",
                    place=place,
                    tournament=event,
                    changes=changes.get(event.pk, 0),
                    number=this_round.number,
                    starts_at=timezone.localtime(this_round.starts_at, zone),
                )
            )
        if event.pk not in by_event and event.starts_on is not None:
            found.append(
                CalendarEntry(
                    key=f"event-{event.pk}",
                    title=event.name,
                    place=place,
                    tournament=event,
                    changes=changes.get(event.pk, 0),
                    first=event.starts_on,
                    last=event.ends_on or event.starts_on,
                )
            )
    return sorted(found, key=lambda entry: (calendar_entry_day(entry), entry.key))


def calendar_entry_day(entry: CalendarEntry) -> date:
    """Return the day used for sorting an entry."""
    if entry.starts_at is not None:
        return entry.starts_at.date()
    assert entry.first is not None  # noqa: S101
    return entry.first


def render_calendar_file(name: str, entries: Iterable[CalendarEntry], *, key: str, made_at: datetime) -> bytes:
    """Return the calendar file. `key` is the club's, and makes the entries' ids globally unique."""
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Clubnight//EN",
        "METHOD:PUBLISH",
        f"X-WR-CALNAME:{_text(name)}",
    ]
    for entry in entries:
        lines += _event(entry, key, made_at)
    lines.append("END:VCALENDAR")
    return b"".join(part + b"\r\n" for line in lines for part in _folded(line))


def _event(entry: CalendarEntry, key: str, made_at: datetime) -> list[str]:
    lines = ["BEGIN:VEVENT", f"UID:{entry.key}@{key}", f"DTSTAMP:{_moment(made_at)}", f"SEQUENCE:{entry.changes}"]
    if entry.starts_at is not None:
        lines += [f"DTSTART:{_moment(entry.starts_at)}", f"DURATION:{EVENING_DURATION}"]
    elif entry.first is not None and entry.last is not None:
        lines.append(f"DTSTART;VALUE=DATE:{entry.first:%Y%m%d}")
        lines.append(f"DTEND;VALUE=DATE:{entry.last + timedelta(days=1):%Y%m%d}")
    lines.append(f"SUMMARY:{_text(entry.title)}")
    if entry.place:
        lines.append(f"LOCATION:{_text(entry.place)}")
    if entry.link:
        lines += [f"URL:{entry.link}", f"DESCRIPTION:{_text(entry.link)}"]
    if entry.alarm is not None:
        minutes = int(entry.alarm.total_seconds()) // 60
        lines += ["BEGIN:VALARM", "ACTION:DISPLAY", f"DESCRIPTION:{_text(entry.title)}", f"TRIGGER:-PT{minutes}M"]
        lines.append("END:VALARM")
    lines.append("END:VEVENT")
    return lines


def _moment(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _text(text: str) -> str:
    """Escape backslashes, semicolons, commas and line breaks (3.3.11)."""
    escaped = text.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
    return "\\n".join(escaped.splitlines())


def _folded(line: str) -> Iterator[bytes]:
    """Split a line into pieces of at most 75 octets, continuations after a space. No character is cut (3.1)."""
    piece = b""
    for letter in line:
        octets = letter.encode()
        if len(piece) + len(octets) > MAX_LINE_LENGTH:
            yield piece
            piece = b" "
        piece += octets
    yield piece
