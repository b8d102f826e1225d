"""Checks of the environment: database, triggers, disk, clock, queue, recurring tasks, versions and settings."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.core.checks import WARNING, run_checks
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Max, Q
from django.utils import timezone

from clubs.models import Club
from common.models import Job
from common.schedule.due_tasks import overdue_tasks
from common.text.secret_files import can_create_files
from operations.backups.backup_folder import get_backup_folder, list_backups
from operations.integrity.findings import Finding, FindingSeverity
from tournaments.models import LogEntry
from tournaments.models.integrity_triggers import INTEGRITY_TRIGGERS, installed_integrity_triggers

MIN_FREE_BYTES, LOW_FREE_BYTES = 100 * 1024**2, 1024**3
"""Free bytes on a disk. Below the first, writing may soon fail. Below the second, doctor warns."""
MAX_CLOCK_OFFSET = timedelta(minutes=5)
MAX_JOB_WAIT, MAX_JOB_SILENCE = timedelta(minutes=15), timedelta(minutes=15)
_LEAST_SQLITE, _LEAST_POSTGRESQL = (3, 35), 140000


def unapplied_migrations() -> list[str]:
    """Return the migrations of this program that the database lacks."""
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return [f"{migration.app_label}.{migration.name}" for migration, _backwards in plan]


def check_database() -> Iterator[Finding]:
    """Report damage found by the database itself, and missing integrity triggers."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA quick_check(5)")
            told = [text for (text,) in cursor.fetchall() if text != "ok"]
            cursor.execute("PRAGMA foreign_key_check")
            orphans = cursor.fetchmany(20)
        for text in told:
            yield Finding(
                code="database-damaged",
                where=str(connection.settings_dict["NAME"]),
                what=text,
                do="Stop the server, keep the file, and restore the last valid backup.",
            )
        for table, row, parent, _place in orphans:
            yield Finding(
                code="orphan",
                where=f"{table} row {row}",
                what=f"belongs to a missing row of {parent}",
                do="Restore the last valid backup, or have the row deleted manually.",
            )
    for missing in sorted({guard.name for guard in INTEGRITY_TRIGGERS} - installed_integrity_triggers()):
        yield Finding(
            code="guard-missing",
            where="database",
            what=f"the trigger {missing} is missing",
            do="Run manage.py migrate, which adds it.",
        )


def check_disk_space() -> Iterator[Finding]:
    """Report low space on the disks that are written to."""
    results, backups = "results", "backups"
    places = [(Path(settings.VAR_DIR), results)]
    if connection.vendor == "sqlite" and (name := str(connection.settings_dict["NAME"])) and "memory" not in name:
        places.append((Path(name).resolve().parent, results))
    places.append((Path(settings.BACKUP_DIR), backups))
    seen = set()
    for place, what in places:
        # The settings check reports a folder that is not writable. Free space would not help.
        if not can_create_files(place):
            continue
        disk, free = _room_on(place)
        # Each disk is reported once, for its most important use.
        if disk in seen:
            continue
        seen.add(disk)
        if free < LOW_FREE_BYTES:
            yield Finding(
                code="disk-full",
                where=str(place),
                what=f"only {free // 1024**2} MB free",
                do=f"Free some space before {what} can't be saved.",
                weight=FindingSeverity.ERROR if free < MIN_FREE_BYTES else FindingSeverity.WARNING,
            )


def _room_on(place: Path) -> tuple[int, int]:
    """Return the device of a folder, existing or not, and its free bytes."""
    there = next((each for each in (place, *place.parents) if each.exists()), Path("/"))
    return there.stat().st_dev, shutil.disk_usage(there).free


def check_clock() -> Iterator[Finding]:
    """Report log lines from the future, and a database clock that differs from this machine's."""
    now = timezone.now()
    latest = LogEntry.objects.aggregate(latest=Max("at"))["latest"]
    if latest is not None and latest > now + MAX_CLOCK_OFFSET:
        yield Finding(
            code="clock-behind",
            where="this machine",
            what=f"the latest log line is dated {latest.isoformat()}, but it is {now.isoformat()}",
            do="Set the clock over the network (NTP). Deadlines and check-in codes depend on it.",
        )
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT clock_timestamp()")
            ((theirs,),) = cursor.fetchall()
        if abs(theirs - timezone.now()) > MAX_CLOCK_OFFSET:
            yield Finding(
                code="clocks-differ",
                where="this machine and the database",
                what=f"the database's clock says {theirs.isoformat()}",
                do="Set both clocks over the network (NTP).",
            )


def check_stuck_jobs() -> Iterator[Finding]:
    """Report jobs that have waited too long, or that run but have shown no sign of life for too long."""
    now = timezone.now()
    waiting = Job.objects.filter(state=Job.State.WAITING, created_at__lt=now - MAX_JOB_WAIT)
    running = Job.objects.filter(
        Q(heartbeat_at=None) | Q(heartbeat_at__lt=now - MAX_JOB_SILENCE), state=Job.State.RUNNING
    )
    for jobs, code, what in (
        (waiting, "job-waiting", f"created more than {MAX_JOB_WAIT.seconds // 60} minutes ago and not started"),
        (running, "job-silent", f"no sign of life for {MAX_JOB_SILENCE.seconds // 60} minutes"),
    ):
        for job in jobs.order_by("pk")[:20]:
            yield Finding(
                code=code,
                where=f"job {job.pk} ({job.task})",
                what=what,
                do="Check that a worker and Redis are running. A stalled job is restarted automatically.",
                weight=FindingSeverity.WARNING,
            )


def check_software_versions() -> Iterator[Finding]:
    """Report untested versions of Python and the database."""
    if not (3, 11) <= sys.version_info[:2] < (3, 14):
        yield _old("Python", sys.version.split()[0], "Run it with Python 3.11 to 3.13.")
    if connection.vendor == "sqlite":
        import sqlite3

        if sqlite3.sqlite_version_info[:2] < _LEAST_SQLITE:
            yield _old("SQLite", sqlite3.sqlite_version, "Run it with SQLite 3.35 or later.")
    else:
        connection.ensure_connection()
        version = connection.connection.info.server_version
        if version < _LEAST_POSTGRESQL:
            yield _old("PostgreSQL", str(version), "Run it with PostgreSQL 14 or later.")


def check_settings() -> Iterator[Finding]:
    """Report problems found by Django's own checks, including its deployment checks."""
    for message in run_checks(include_deployment_checks=not settings.DEBUG):
        if message.level >= WARNING and not message.is_silenced():
            yield Finding(
                code=f"setting-{message.id}",
                where="settings",
                what=" ".join(message.msg.split()),
                do=" ".join((message.hint or "See docs.djangoproject.com/en/5.2/ref/checks/.").split()),
                weight=FindingSeverity.ERROR if message.is_serious() else FindingSeverity.WARNING,
            )
    if are_static_files_missing():
        yield Finding(
            code="setting-style",
            where=str(settings.STATIC_ROOT),
            what="style sheets and scripts are missing, so every page fails",
            do="Run manage.py collectstatic --no-input, and start the server again.",
        )
    if settings.DEBUG:
        yield Finding(
            code="setting-debug",
            where="settings",
            what="debug mode is on, so error pages show internal details to everyone",
            do="Set CLUBNIGHT_DEBUG=0 on every server that others can reach.",
            weight=FindingSeverity.WARNING,
        )


def are_static_files_missing() -> bool:
    """Return True if static files are not collected, for example on a new server with a restored backup."""
    return not settings.DEBUG and not (Path(settings.STATIC_ROOT) / "staticfiles.json").exists()


def _old(what: str, version: str, do: str) -> Finding:
    return Finding(code="version", where=what, what=f"is {version}", do=do, weight=FindingSeverity.WARNING)


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
            what=f"the last valid backup is from {latest.made_at.isoformat()}" if latest else "there is no backup",
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
