"""The evenings on which a player plays, as entries of a calendar."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from tournaments.check_in.byes import REQUESTED
from tournaments.import_export.snapshots import takes_part
from tournaments.models import Entry
from tournaments.series.calendar_feed import CalendarEntry, entries_of

TOLD_BEFORE = timedelta(hours=2)


def own_evenings(entry: Entry, link: str) -> list[CalendarEntry]:
    """Those of the event but rounds he has a bye in, has not entered by, or has withdrawn before."""
    tournament = entry.tournament
    away = set(entry.byes.filter(kind__in=REQUESTED).values_list("round__number", flat=True))
    return [
        replace(each, link=link, alarm=TOLD_BEFORE if each.starts_at is not None else None)
        for each in entries_of(tournament.club, [tournament])
        if each.number is None or (each.number not in away and takes_part(entry, each.number))
    ]
