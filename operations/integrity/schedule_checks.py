"""Checks of recurring tasks: backups and scheduled tasks. Other checks are in `environment_checks`."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from django.utils import timezone

from clubs.models import Club
from common.schedule.due_tasks import overdue_tasks
from operations.backups.backup_folder import get_backup_folder, list_backups
from operations.integrity.findings import Finding, FindingSeverity

MAX_BACKUP_AGE = timedelta(days=2)
"""The maximum age of the last good backup. One failed night is tolerated."""


def check_backup_age() -> Iterator[Finding]:
    """Report a server with clubs but without a recent backup."""
    latest = next(iter(list_backups()), None)
    if Club.objects.filter(is_demo=False).exists() and (
        latest is None or latest.made_at < timezone.now() - MAX_BACKUP_AGE
    ):
        yield Finding(
            code="backup-old",
            where=str(get_backup_folder()),
            what=f"the last good backup is of {latest.made_at.isoformat()}" if latest else "there is no backup",
            do="Make one with manage.py backup, and see on the backups page why the nightly one failed.",
            weight=FindingSeverity.WARNING,
        )


def check_overdue_tasks() -> Iterator[Finding]:
    """Report scheduled tasks that did not start when due."""
    for chore, due in overdue_tasks():
        yield Finding(
            code="chore-overdue",
            where=chore.name,
            what=f"was due at {due.isoformat()} and has not started",
            do="With Redis, run the worker with --beat, or celery -A config beat. Without Redis, check "
            "that the server is running.",
            weight=FindingSeverity.WARNING,
        )
