"""A backup from beginning to end: copied, packed, locked, tried out, and only then called by its name."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
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
from operations.schema_guard import NewerDatabaseError, refuse_newer_database

DATABASE_COPIES = 3
"""Of the database there are so many at once while a backup is made: the copy, the packed one, the one tried out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeBackup:
    """A backup that has been tried out. `opened` says that it was so as it lies there, by the key that opens it."""

    path: Path
    size: int
    manifest: BackupManifest
    is_encrypted: bool
    is_fully_verified: bool


def make_backup(target: Path, key: BackupKey | None) -> MadeBackup:
    """Write everything that is kept into a new file, locked where there is a key. Raises BackupProblem.

    Nobody is kept waiting meanwhile. A file of that name stays as it is until the new one has been tried out.
    """
    try:
        # What only the later version knows of would be lost without a word.
        refuse_newer_database()
        # A folder that is made for backups is its owner's alone: everything about everybody lies in it.
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        _require_room(target.parent)
        with tempfile.TemporaryDirectory(prefix=".making-", dir=target.parent) as name:
            return _made(Path(name), target, key)
    except NewerDatabaseError as later:
        raise BackupProblem(str(later)) from later
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise DiskFull(f"The disk of {target.parent} is full.") from error
        raise BackupProblem(f"The backup cannot be written to {target.parent}: {error.strerror or error}") from error


def _made(folder: Path, target: Path, key: BackupKey | None) -> MadeBackup:
    database, packed = folder / DATABASE, folder / "packed.zip"
    copy_database(database)
    manifest = pack_archive(packed, database, _about(database))
    verify_guard_triggers(database)
    database.unlink()
    opened = key is None or key.identity is not None
    if not opened:
        # What is locked cannot be opened here, so it is tried out as it goes in.
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
    return MadeBackup(
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
    """Under its name at once and for good, also when the power fails now."""
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
            f"There is no room for a backup in {folder}: {needed // 1024**2 + 1} MB may be needed, "
            f"{free // 1024**2} MB are free."
        )
