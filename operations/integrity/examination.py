"""All integrity checks, in order."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import QuerySet

from clubs.models import Club
from operations.integrity import environment_checks
from operations.integrity.environment_checks import check_backup_age, check_overdue_tasks
from operations.integrity.event_checks import check_events
from operations.integrity.findings import Finding
from operations.integrity.ledger_checks import check_ledgers
from operations.integrity.log_checks import check_results_by_log
from operations.integrity.recomputation_checks import check_stored_ratings, recheck_round_pairings
from operations.integrity.seal_checks import check_seals
from operations.schema_guard import NEWER_DATABASE_ADVICE, describe_unknown_migrations, unknown_migrations
from tournaments.models import Tournament


def run_integrity_checks(clubs: QuerySet[Club], *, quick: bool = False) -> Iterator[Finding]:
    """Yield every problem found. `quick` skips the checks of seals, logs, ratings and pairings. Nothing is changed.

    If the database belongs to another program version, only that is reported.
    """
    if missing := environment_checks.unapplied_migrations():
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
            what=describe_unknown_migrations(unknown),
            do=NEWER_DATABASE_ADVICE,
        )
        return
    yield from environment_checks.check_database()
    yield from environment_checks.check_disk_space()
    yield from environment_checks.check_clock()
    yield from environment_checks.check_stuck_jobs()
    yield from check_overdue_tasks()
    yield from check_backup_age()
    yield from environment_checks.check_software_versions()
    yield from environment_checks.check_settings()
    events = Tournament.objects.filter(club__in=clubs).order_by("pk")
    yield from check_events(events)
    yield from check_ledgers(clubs)
    if not quick:
        yield from check_seals(clubs.order_by("pk"), events)
        yield from check_results_by_log(events)
        for club in clubs.order_by("pk"):
            yield from check_stored_ratings(club)
        yield from recheck_round_pairings(events)
