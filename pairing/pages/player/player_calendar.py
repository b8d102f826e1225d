"""The rounds of a player as calendar entries."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from tournaments.check_in.byes import REQUESTED_BYE_KINDS
from tournaments.import_export.snapshots import is_entered_in_round
from tournaments.models import Entry
from tournaments.series.calendar_feed import CalendarEntry, calendar_entries_of

ALARM_LEAD_TIME = timedelta(hours=2)


def player_calendar_entries(entry: Entry, link: str) -> list[CalendarEntry]:
    """Return the event's calendar entries, without rounds the player missed, withdrew from or has a bye in."""
    tournament = entry.tournament
    away = set(entry.byes.filter(kind__in=REQUESTED_BYE_KINDS).values_list("round__number", flat=True))
    return [
        replace(each, link=link, alarm=ALARM_LEAD_TIME if each.starts_at is not None else None)
        for each in calendar_entries_of(tournament.club, [tournament])
        if each.number is None or (each.number not in away and is_entered_in_round(entry, each.number))
    ]
