"""What must happen again and again: backups are taken, and chores begun. How things stand now is in `surroundings`."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from django.utils import timezone

from clubs.models import Club
from common.schedule.due import overdue
from operations.backups.folder import folder, kept_backups
from operations.integrity.findings import Finding, Weight

TOO_OLD = timedelta(days=2)
"""Of the last good backup: one night may have failed."""


def old_backup() -> Iterator[Finding]:
    """A server with clubs has a backup that is not older than two nights."""
    latest = next(iter(kept_backups()), None)
    if Club.objects.filter(is_demo=False).exists() and (latest is None or latest.made_at < timezone.now() - TOO_OLD):
        yield Finding(
            code="backup-old",
            where=str(folder()),
            what=f"the last good backup is of {latest.made_at.isoformat()}" if latest else "there is no backup",
            do="Make one with manage.py backup, and see on the page of backups why the night's was not made.",
            weight=Weight.WARNING,
        )


def chores_not_begun() -> Iterator[Finding]:
    """What is to be done every night or week was begun when it was due."""
    for chore, due in overdue():
        yield Finding(
            code="chore-overdue",
            where=chore.name,
            what=f"was due at {due.isoformat()} and nobody has begun it",
            do="With Redis, run the worker with --beat, or celery -A config beat; without, see that the server runs.",
            weight=Weight.WARNING,
        )
