"""Restore a backup into an empty server, or replace its data after a safety backup."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from datetime import UTC
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from clubs.models import Club, User
from operations.backups.archive import DATABASE, FILES, BackupManifest
from operations.backups.backup_folder import get_backup_folder
from operations.backups.creation import make_backup
from operations.backups.database_copy import copy_sqlite_file
from operations.backups.encryption import ENCRYPTED_SUFFIX, BackupKey
from operations.backups.problems import BackupProblem, DiskFull
from operations.backups.row_copy import copy_rows, delete_all_rows
from operations.backups.temporary_database import migrate_sqlite_file, open_sqlite_file
from operations.backups.verification import open_backup, verify_database, verify_guard_triggers
from operations.schema_guard import filter_unknown_migrations
from tournaments.models.integrity_triggers import create_integrity_triggers, drop_integrity_triggers

_FORGOTTEN = (
    "DELETE FROM django_session",
    "DELETE FROM usersessions_usersession",
    "DELETE FROM common_storedfilechunk",
    "DELETE FROM common_storedfile",
    # Unfinished jobs are not started again later or on another machine: messages would be sent twice.
    "UPDATE common_job SET state = 'cancelled' WHERE state IN ('waiting', 'running')",
    "UPDATE tournaments_notification SET state = 'dropped', claim = '' WHERE state IN ('waiting', 'claimed')",
    "UPDATE pairing_webhookdelivery SET state = 'failed' WHERE state = 'waiting'",
)
_FORGOTTEN_ELSEWHERE = (
    # The copy may run beside the original: other programs should hear from one server, and change one.
    "UPDATE pairing_webhook SET is_paused = 1",
    "UPDATE pairing_apitoken SET revoked_at = datetime('now') WHERE revoked_at IS NULL",
)


def is_database_in_use() -> bool:
    """Return True if the database has users or clubs, or cannot be read."""
    if connection.vendor == "sqlite" and not Path(connection.settings_dict["NAME"]).exists():
        return False
    try:
        tables = set(connection.introspection.table_names())
        return any(model._meta.db_table in tables and model._base_manager.exists() for model in (User, Club))
    except DatabaseError:
        return True


def restore_backup(
    path: Path, key: BackupKey | None, *, replace: bool, made_elsewhere: bool = False
) -> tuple[BackupManifest, Path | None]:
    """Restore this server's database and `var/`. Return the manifest and the path of the safety backup.

    The safety backup holds the replaced data, and is None if there was none. `made_elsewhere` allows a backup that is
    not signed with this server's secret key. Then all webhooks are paused, and all API tokens revoked. Raises
    BackupProblem if it fails. Then nothing has changed: the database is restored in one transaction before the files.
    """
    var = Path(settings.VAR_DIR)
    var.mkdir(parents=True, exist_ok=True)
    used = is_database_in_use()
    if used and not replace:
        raise BackupProblem(
            "This database already has clubs or accounts. Use --replace to replace them with the "
            f"backup. The current data is then kept as a backup in {get_backup_folder()}."
        )
    with open_backup(path, key, work_dir=var) as (unpacked, manifest):
        if not manifest.is_own and not made_elsewhere:
            raise BackupProblem(
                "This server did not make the backup: it is not signed with this secret key. Whoever made it decides "
                "who can sign in here. If you know that it is yours, use --made-elsewhere."
            )
        database = unpacked / DATABASE
        verify_database(database, manifest)
        _require_known(manifest)
        migrate_sqlite_file(database)
        verify_guard_triggers(database)
        _change_rows(database, _FORGOTTEN + (_FORGOTTEN_ELSEWHERE if made_elsewhere else ()))
        way_back = _kept_aside(key) if used else None
        if connection.vendor == "sqlite":
            connection.close()
            _put_file(database, Path(connection.settings_dict["NAME"]))
        else:
            _put_rows(database)
        _put_files(unpacked / FILES, var)
    return manifest, way_back


def _require_known(manifest: BackupManifest) -> None:
    """Raise BackupProblem if the backup comes from a later version, with data this one does not know."""
    if unknown := filter_unknown_migrations(manifest.migrations):
        raise BackupProblem(
            f"The backup was made by Clubnight {manifest.program}, which is newer than this version "
            f"({settings.VERSION}, without {unknown[0]}). Restore it with that version."
        )


def _kept_aside(key: BackupKey | None) -> Path:
    """Make the safety backup. A damaged SQLite file is copied as it is."""
    stem = f"before-restore-{timezone.now().astimezone(UTC):%Y-%m-%dT%H%M%SZ}"
    try:
        return make_backup(get_backup_folder() / f"{stem}.zip{ENCRYPTED_SUFFIX if key else ''}", key).path
    except DiskFull:
        # The database may be intact, and a copy of its file alone is not a safety backup.
        raise
    except (BackupProblem, DatabaseError, sqlite3.DatabaseError):
        if connection.vendor != "sqlite":
            raise
        return _copied_as_it_is(get_backup_folder() / f"{stem}.sqlite3")


def _copied_as_it_is(target: Path) -> Path:
    """Copy the database file and its write-ahead log, readable by the owner only. All is copied, or nothing."""
    name = Path(connection.settings_dict["NAME"])
    begun = []
    try:
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        for ending in ("", "-wal"):
            if (part := name.with_name(name.name + ending)).exists():
                copied = target.with_name(target.name + ending)
                copied.touch(mode=0o600, exist_ok=False)
                begun.append(copied)
                shutil.copyfile(part, copied)
    except OSError as error:
        for copied in begun:
            copied.unlink()
        raise BackupProblem(f"Can't move the current data to {target.parent}: {error.strerror}.") from error
    return target


def _put_file(database: Path, live: Path) -> None:
    """Restore the file in one transaction. A damaged database file is deleted and replaced."""
    try:
        copy_sqlite_file(database, live)
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError:
        for ending in ("-wal", "-shm", ""):
            live.with_name(live.name + ending).unlink(missing_ok=True)
        copy_sqlite_file(database, live)


def _change_rows(database: Path, statements: Iterable[str]) -> None:
    with closing(sqlite3.connect(database)) as copy, copy:
        for statement in statements:
            copy.execute(statement)


def _put_rows(database: Path) -> None:
    """Restore into PostgreSQL in one transaction. Readers see the old data or the new, never a mix."""
    with open_sqlite_file(database) as copy, transaction.atomic():
        drop_integrity_triggers()
        delete_all_rows(connection)
        copy_rows(copy, connection)
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        create_integrity_triggers()


def _put_files(source: Path, var: Path) -> None:
    """Restore files, each written under a temporary name and then renamed, readable by the owner only."""
    for path in sorted(source.rglob("*")):
        if path.is_file():
            target = var / path.relative_to(source)
            target.parent.mkdir(parents=True, exist_ok=True)
            aside = target.with_name(f".{target.name}.restored")
            shutil.copyfile(path, aside)
            aside.chmod(0o600)
            aside.replace(target)
