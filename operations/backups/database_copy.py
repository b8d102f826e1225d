"""A copy of the database as one SQLite file, consistent while users keep working."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from django.db import connection, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor

from operations.backups.problems import BackupProblem
from operations.backups.row_copy import copy_rows, delete_all_rows
from operations.backups.temporary_database import migrate_sqlite_file, open_sqlite_file, second_connection
from tournaments.models.integrity_triggers import create_integrity_triggers, drop_integrity_triggers


def copy_database(target: Path) -> None:
    """Copy this server's database into a new file."""
    if connection.vendor == "sqlite":
        copy_sqlite_file(Path(connection.settings_dict["NAME"]), target)
    else:
        _copy_tables(target)


def copy_sqlite_file(source: Path, target: Path) -> None:
    """Copy a SQLite file with SQLite's online backup, all pages at once.

    If the target is in use, other users see the old content or the new, never a mix.
    """
    with (
        closing(sqlite3.connect(f"{source.resolve().as_uri()}?mode=rw", uri=True, timeout=20)) as there,
        closing(sqlite3.connect(target, timeout=20)) as here,
    ):
        there.backup(here)


def database_size() -> int:
    """Return the approximate size of a copy, in bytes."""
    if connection.vendor == "sqlite":
        name = Path(connection.settings_dict["NAME"])
        return sum(path.stat().st_size for path in (name, name.with_name(f"{name.name}-wal")) if path.exists())
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        ((size,),) = cursor.fetchall()
    return int(size)


def _copy_tables(target: Path) -> None:
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise BackupProblem(
            "The database is older than this program. Make the backup with the version it was used with, then upgrade."
        )
    migrate_sqlite_file(target)
    with open_sqlite_file(target) as copy, second_connection() as own:
        drop_integrity_triggers(using=copy.alias)
        with transaction.atomic(using=copy.alias):
            delete_all_rows(copy)
            _copy_of_one_moment(own, copy)
        create_integrity_triggers(using=copy.alias)


def _copy_of_one_moment(own: BaseDatabaseWrapper, copy: BaseDatabaseWrapper) -> None:
    with transaction.atomic(using=own.alias):
        with own.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        copy_rows(own, copy)
