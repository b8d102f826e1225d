"""Checks for `check --deploy` and `doctor` that the nightly backup can be made."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register
from django.db import DatabaseError

from common.text.secret_files import can_create_files
from operations.schema_guard import NEWER_DATABASE_ADVICE, describe_unknown_migrations, unknown_migrations


@register(Tags.security, deploy=True)
def check_backup_settings(**_asked: Any) -> list[CheckMessage]:
    """Check the encryption key and the backup folder."""
    # Imported here because only encryption needs this library.
    from operations.backups.encryption import parse_backup_key
    from operations.backups.problems import BackupProblem

    found: list[CheckMessage] = []
    try:
        parse_backup_key(settings.BACKUP_KEY)
    except BackupProblem as problem:
        hint = "Until then, no backups are made."
        found.append(Error(str(problem).rstrip("."), hint=hint, id="clubnight.E002"))
    if not can_create_files(Path(settings.BACKUP_DIR)):
        found.append(
            Error(
                f"can't write to the backup folder {settings.BACKUP_DIR}, so no backups are made",
                hint="Set CLUBNIGHT_BACKUPS to another folder, or give this one to the server's user "
                "(chown, and mount the disk if it has its own).",
                id="clubnight.E003",
            )
        )
    return found


@register(Tags.security, deploy=True)
def check_database_version(**_asked: Any) -> list[CheckMessage]:
    """Report a database from a later version, as the server would not start with it. A missing database is ignored."""
    try:
        unknown = unknown_migrations()
    except DatabaseError:
        return []
    return (
        [
            Error(
                f"the database was {describe_unknown_migrations(unknown)}",
                hint=NEWER_DATABASE_ADVICE,
                id="clubnight.E004",
            )
        ]
        if unknown
        else []
    )
