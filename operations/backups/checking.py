"""A backup tried out: opened, unpacked, and its database read as a restored one would be."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from operations.backups.archive import DATABASE, Manifest, unpack
from operations.backups.locking import Key, is_locked, unlock
from operations.backups.problems import BackupProblem
from operations.backups.second_database import sqlite_file
from tournaments.models.guards import GUARDS, guards_up


@contextmanager
def opened(path: Path, key: Key | None, *, beside: Path) -> Iterator[tuple[Path, Manifest]]:
    """The folder a backup was unpacked into, while the block lasts, and what it says of itself; its bytes are right."""
    if path.is_dir():
        raise BackupProblem(f"{path} is a folder: name the file in it.")
    if not path.is_file():
        raise BackupProblem(f"There is no file {path}.")
    with tempfile.TemporaryDirectory(prefix=".restoring-", dir=beside) as name:
        folder = Path(name)
        archive = path
        if is_locked(path):
            archive = folder / "opened.zip"
            unlock(path, archive, key)
        unpacked = folder / "unpacked"
        unpacked.mkdir()
        manifest = unpack(archive, unpacked)
        yield unpacked, manifest


def check(path: Path, key: Key | None, *, beside: Path) -> Manifest:
    """Raise BackupProblem unless this backup, restored, gives what it was made of."""
    with opened(path, key, beside=beside) as (folder, manifest):
        check_database(folder / DATABASE, manifest)
    return manifest


def check_database(path: Path, manifest: Manifest) -> None:
    """Whole by SQLite's own judgement; no row without its parent; as many rows as were counted."""
    try:
        with closing(sqlite3.connect(path)) as database:
            told = [text for (text,) in database.execute("PRAGMA integrity_check(3)")]
            orphan = database.execute("PRAGMA foreign_key_check").fetchone()
        counted, applied = rows_in(path), migrations_in(path)
    except sqlite3.Error as error:
        raise BackupProblem(f"The database in the backup cannot be read: {error}") from error
    if told != ["ok"]:
        raise BackupProblem(f"The database in the backup is damaged: {told[0]}")
    if orphan is not None:
        raise BackupProblem(f"In the backup a row of {orphan[0]} belongs to one of {orphan[2]} that is not there.")
    if applied != manifest.migrations:
        raise BackupProblem("The tables of the backup are of another version than it says.")
    if counted != manifest.rows:
        names = sorted(counted.keys() | manifest.rows)
        table = next(name for name in names if counted.get(name) != manifest.rows.get(name))
        found, wanted = counted.get(table), manifest.rows.get(table)
        raise BackupProblem(f"In the backup {table} has {found} rows; {wanted} were written.")


def check_guards(path: Path) -> None:
    """Of a database that was brought to this version: what keeps played games and the log stands."""
    with sqlite_file(path) as database:
        missing = {guard.name for guard in GUARDS} - guards_up(using=database.alias)
    if missing:
        raise BackupProblem(f"Triggers are missing in the restored database: {', '.join(sorted(missing))}.")


def rows_in(path: Path) -> dict[str, int]:
    """How many rows each table of a SQLite file has."""
    with closing(sqlite3.connect(path)) as database:
        tables = database.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite~_%' ESCAPE '~'"
        )
        return {
            table: database.execute(f'SELECT COUNT(*) FROM "{table}"').fetchone()[0]  # noqa: S608
            for (table,) in tables.fetchall()
        }


def migrations_in(path: Path) -> list[str]:
    """The migrations a SQLite file has, as `app.name`, in order of their names."""
    with closing(sqlite3.connect(path)) as database:
        return sorted(f"{app}.{name}" for app, name in database.execute("SELECT app, name FROM django_migrations"))
