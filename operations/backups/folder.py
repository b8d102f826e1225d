"""The folder of the server's backups: each was tried out before it got its name, and the name says when it was made."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from django.utils import timezone

from operations.backups.locking import ENDING, Key
from operations.backups.making import Made, make_backup
from operations.backups.problems import BackupProblem
from operations.backups.rotation import to_keep

_NAME = re.compile(r"clubnight-(\d{4}-\d\d-\d\dT\d{6}Z)\.zip(\.age)?\Z")
_TIME = "%Y-%m-%dT%H%M%SZ"


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptBackup:
    """A good backup that lies in the folder; `made_at` in UTC, `size` in bytes."""

    path: Path
    made_at: datetime
    size: int
    is_locked: bool


def folder() -> Path:
    """Where this server's backups are."""
    return Path(settings.BACKUP_DIR)


def kept_backups() -> list[KeptBackup]:
    """Those in the folder, the newest first."""
    found = []
    for path in folder().glob("clubnight-*.zip*"):
        if match := _NAME.match(path.name):
            made_at = datetime.strptime(match[1], _TIME).replace(tzinfo=UTC)
            found.append(KeptBackup(path=path, made_at=made_at, size=path.stat().st_size, is_locked=bool(match[2])))
    return sorted(found, key=lambda each: each.made_at, reverse=True)


def kept_backup(name: str) -> KeptBackup | None:
    """The one of this name; None for none, and for any other file."""
    return next((each for each in kept_backups() if each.path.name == name), None)


def add_backup(key: Key | None) -> tuple[Made, list[str]]:
    """One more, under the time of now; then those go whose time is over, which are named. Raises BackupProblem."""
    made_at = timezone.now().astimezone(UTC)
    name = f"clubnight-{made_at.strftime(_TIME)}.zip{ENDING if key else ''}"
    made = make_backup(folder() / name, key)
    return made, drop_old_ones()


def drop_old_ones() -> list[str]:
    """Delete the backups whose time is over; their names."""
    there = kept_backups()
    kept = to_keep((each.made_at for each in there), now=timezone.now())
    gone = [each for each in there if each.made_at not in kept]
    for each in gone:
        try:
            each.path.unlink(missing_ok=True)
        except OSError as error:
            raise BackupProblem(f"{each.path} is old and cannot be deleted: {error.strerror}") from error
    return [each.path.name for each in gone]
