"""The whole examination, from the ground up."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import QuerySet

from clubs.models import Club
from operations.integrity import surroundings
from operations.integrity.events import broken_events
from operations.integrity.findings import Finding
from operations.integrity.keeping import chores_not_begun, old_backup
from operations.integrity.logs import broken_logs
from operations.integrity.money import broken_books
from operations.integrity.rederiving import rounds_paired_otherwise, stale_ratings
from operations.schema_guard import WHAT_TO_DO, made_by, unknown_migrations
from tournaments.models import Tournament


def examine(clubs: QuerySet[Club], *, quick: bool = False) -> Iterator[Finding]:
    """Everything that is wrong; `quick` leaves out what counts and pairs again. Changes nothing.

    A database of another version of the program is only told so: nothing else could be read in it.
    """
    if missing := surroundings.unapplied_migrations():
        yield Finding(
            code="migrations-missing",
            where="database",
            what=f"not applied: {', '.join(missing)}",
            do="Make a backup, then run manage.py migrate.",
        )
        return
    if unknown := unknown_migrations():
        yield Finding(
            code="migrations-unknown",
            where="database",
            what=made_by(unknown),
            do=WHAT_TO_DO,
        )
        return
    yield from surroundings.broken_database()
    yield from surroundings.short_of_room()
    yield from surroundings.wrong_clock()
    yield from surroundings.stuck_jobs()
    yield from chores_not_begun()
    yield from old_backup()
    yield from surroundings.old_versions()
    yield from surroundings.wrong_settings()
    events = Tournament.objects.filter(club__in=clubs).order_by("pk")
    yield from broken_events(events)
    yield from broken_books(clubs)
    if not quick:
        yield from broken_logs(events)
        for club in clubs.order_by("pk"):
            yield from stale_ratings(club)
        yield from rounds_paired_otherwise(events)
