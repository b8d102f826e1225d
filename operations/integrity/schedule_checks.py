"""What must happen again and again: backups are taken, and chores begun. How things stand now is in
`environment_checks`."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from django.utils import timezone

from clubs.models import Club
from common.schedule.due_tasks import overdue_tasks
from operations.backups.backup_folder import get_backup_folder, list_backups
from operations.integrity.findings import Finding, FindingSeverity

MAX_BACKUP_AGE = timedelta(days=2)
"""Of the last good backup: one night may have failed."""


def check_backup_age() -> Iterator[Finding]:
    """A server with clubs has a backup that is not older than two nights."""
    latest = next(iter(list_backups()), None)
    if Club.objects.filter(is_demo=False).exists() and (
        latest is None or latest.made_at < timezone.now() - MAX_BACKUP_AGE
    ):
        yield Finding(
            code="backup-old",
            where=str(get_backup_folder()),
            what=f"the last good backup is of {latest.made_at.isoformat()}" if latest else "there is no backup",
            do="Make one with manage.py backup, and see on the page of backups why the night's was not made.",
            weight=FindingSeverity.WARNING,
        )


def check_overdue_tasks() -> Iterator[Finding]:
    """What is to be done every night or week was begun when it was due."""
    for chore, due in overdue_tasks():
        yield Finding(
            code="chore-overdue",
            where=chore.name,
            what=f"was due at {due.isoformat()} and nobody has begun it",
            do="With Redis, run the worker with --beat, or celery -A config beat; without, see that the server runs.",
            weight=FindingSeverity.WARNING,
        )
