"""Creation of a backup: copy, pack, encrypt, verify, and only then give it its name."""

from __future__ import annotations

import errno
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.utils import timezone

from operations.backups.archive import DATABASE, BackupManifest, list_var_files, pack_archive
from operations.backups.database_copy import copy_database, database_size
from operations.backups.encryption import BackupKey, encrypt_file, is_encrypted
from operations.backups.problems import BackupProblem, DiskFull
from operations.backups.verification import (
    count_table_rows,
    list_applied_migrations,
    verify_backup,
    verify_guard_triggers,
)
from operations.backups.work_folders import delete_leftovers, private_folder
from operations.schema_guard import NewerDatabaseError, refuse_newer_database

DATABASE_COPIES = 3
"""Copies of the database that exist during a backup: the copy, the packed one, and the one verified."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CreatedBackup:
    """A verified backup. `is_fully_verified` is True if it was verified in its final form, after any encryption."""

    path: Path
    size: int
    manifest: BackupManifest
    is_encrypted: bool
    is_fully_verified: bool


def make_backup(target: Path, key: BackupKey | None) -> CreatedBackup:
    """Write all data into a new file, encrypted if there is a key. Raises BackupProblem if it fails.

    Users can keep working. An existing file of that name is kept until the new one is verified.
    """
    try:
        # Data that only the later version knows would be lost silently.
        refuse_newer_database()
        # A new backup folder is readable by its owner only: it holds all personal data.
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        delete_leftovers(target.parent)
        _require_room(target.parent)
        with private_folder(target.parent) as folder:
            return _made(folder, target, key)
    except NewerDatabaseError as later:
        raise BackupProblem(str(later)) from later
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise DiskFull(f"The disk with {target.parent} is full.") from error
        raise BackupProblem(f"Can't write the backup to {target.parent}: {error.strerror or error}") from error


def _made(folder: Path, target: Path, key: BackupKey | None) -> CreatedBackup:
    database, packed = folder / DATABASE, folder / "packed.zip"
    copy_database(database)
    manifest = pack_archive(packed, database, _about(database))
    verify_guard_triggers(database)
    database.unlink()
    opened = key is None or key.identity is not None
    if not opened:
        # Without the secret key the encrypted file cannot be opened, so it is verified before encryption.
        verify_backup(packed, None, work_dir=folder)
    made = packed
    if key is not None:
        made = folder / "locked"
        encrypt_file(packed, made, key)
        packed.unlink()
    if opened:
        verify_backup(made, key, work_dir=folder)
    made.chmod(0o600)
    size = made.stat().st_size
    _keep(made, target)
    return CreatedBackup(
        path=target, size=size, manifest=manifest, is_encrypted=is_encrypted(target), is_fully_verified=opened
    )


def _about(database: Path) -> dict[str, object]:
    return {
        "made_at": timezone.now().isoformat(timespec="seconds"),
        "program": settings.VERSION,
        "database": connection.vendor,
        "migrations": list_applied_migrations(database),
        "rows": count_table_rows(database),
    }


def _keep(made: Path, target: Path) -> None:
    """Rename the file and sync it to disk, to survive a power failure."""
    with made.open("rb") as file:
        os.fsync(file.fileno())
    made.replace(target)
    folder = os.open(target.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _require_room(folder: Path) -> None:
    needed = DATABASE_COPIES * database_size() + 2 * sum(
        path.stat().st_size for path in list_var_files() if path.exists()
    )
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise DiskFull(
            f"Not enough disk space for a backup in {folder}: {needed // 1024**2 + 1} MB may be needed, "
            f"{free // 1024**2} MB are free."
        )
