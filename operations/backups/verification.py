"""Verification of a backup: open it, unpack it, and read its database as after a restore."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from operations.backups.archive import DATABASE, BackupManifest, unpack_archive
from operations.backups.encryption import BackupKey, decrypt_file, is_encrypted
from operations.backups.problems import BackupProblem
from operations.backups.temporary_database import open_sqlite_file
from operations.backups.work_folders import delete_leftovers, private_folder
from tournaments.models.integrity_triggers import INTEGRITY_TRIGGERS, installed_integrity_triggers


@contextmanager
def open_backup(path: Path, key: BackupKey | None, *, work_dir: Path) -> Iterator[tuple[Path, BackupManifest]]:
    """Unpack a backup into a temporary folder, for the duration of the block. Its checksums are verified."""
    if path.is_dir():
        raise BackupProblem(f"{path} is a folder. Enter the path of a file.")
    if not path.is_file():
        raise BackupProblem(f"File not found: {path}.")
    delete_leftovers(work_dir)
    with private_folder(work_dir) as folder:
        archive = path
        if is_encrypted(path):
            archive = folder / "opened.zip"
            decrypt_file(path, archive, key)
        unpacked = folder / "unpacked"
        unpacked.mkdir()
        manifest = unpack_archive(archive, unpacked)
        yield unpacked, manifest


def verify_backup(path: Path, key: BackupKey | None, *, work_dir: Path) -> BackupManifest:
    """Raise BackupProblem if restoring this backup would not reproduce the original data."""
    with open_backup(path, key, work_dir=work_dir) as (folder, manifest):
        verify_database(folder / DATABASE, manifest)
    return manifest


def verify_database(path: Path, manifest: BackupManifest) -> None:
    """Raise BackupProblem if the database can't be read, is damaged, lacks a parent row or contradicts the manifest."""
    try:
        with closing(sqlite3.connect(path)) as database:
            told = [text for (text,) in database.execute("PRAGMA integrity_check(3)")]
            orphan = database.execute("PRAGMA foreign_key_check").fetchone()
        counted, applied = count_table_rows(path), list_applied_migrations(path)
    except sqlite3.Error as error:
        raise BackupProblem(f"Can't read the database in the backup: {error}") from error
    if told != ["ok"]:
        raise BackupProblem(f"The database in the backup is damaged: {told[0]}")
    if orphan is not None:
        raise BackupProblem(f"In the backup, a row of {orphan[0]} belongs to a missing row of {orphan[2]}.")
    if applied != manifest.migrations:
        raise BackupProblem("The tables of the backup don't have the version it states.")
    if counted != manifest.rows:
        names = sorted(counted.keys() | manifest.rows)
        table = next(name for name in names if counted.get(name) != manifest.rows.get(name))
        found, wanted = counted.get(table), manifest.rows.get(table)
        raise BackupProblem(f"In the backup, {table} has {found} rows instead of {wanted}.")


def verify_guard_triggers(path: Path) -> None:
    """Raise BackupProblem if a migrated database lacks the triggers that protect played games and the log."""
    with open_sqlite_file(path) as database:
        missing = {guard.name for guard in INTEGRITY_TRIGGERS} - installed_integrity_triggers(using=database.alias)
    if missing:
        raise BackupProblem(f"Triggers are missing in the restored database: {', '.join(sorted(missing))}.")


def count_table_rows(path: Path) -> dict[str, int]:
    """Return the number of rows in each table in a SQLite file."""
    with closing(sqlite3.connect(path)) as database:
        tables = database.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite~_%' ESCAPE '~'"
        )
        return {
            table: database.execute(f'SELECT COUNT(*) FROM "{table}"').fetchone()[0]  # noqa: S608
            for (table,) in tables.fetchall()
        }


def list_applied_migrations(path: Path) -> list[str]:
    """Return the migrations in a SQLite file, as `app.name`, sorted by name."""
    with closing(sqlite3.connect(path)) as database:
        return sorted(f"{app}.{name}" for app, name in database.execute("SELECT app, name FROM django_migrations"))
