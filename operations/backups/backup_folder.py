"""The backup folder. A backup gets its name, the time it was made, once it is verified. Old ones are deleted."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.utils import timezone

from operations.backups.creation import CreatedBackup, make_backup
from operations.backups.encryption import ENCRYPTED_SUFFIX, BackupKey
from operations.backups.problems import BackupProblem

DAYS, WEEKS, MONTHS = 7, 5, 12
KEEP_ALL_FOR = timedelta(days=2)


def select_backups_to_keep(times: Iterable[datetime], *, now: datetime) -> set[datetime]:
    """Return the times of backups to keep: recent ones, and the newest of each recent day, week and month.

    A backup made just before a restore is kept beside last night's. Periods are counted by existing backups, not by the
    clock: a long pause or a wrong clock never deletes them all.
    """
    newest_first = sorted(times, reverse=True)
    periods: tuple[tuple[int, Callable[[datetime], object]], ...] = (
        (DAYS, datetime.date),
        (WEEKS, lambda time: time.isocalendar()[:2]),
        (MONTHS, lambda time: (time.year, time.month)),
    )
    kept = {time for time in newest_first if time > now - KEEP_ALL_FOR}
    for most, period_of in periods:
        latest: dict[object, datetime] = {}
        for time in newest_first:
            latest.setdefault(period_of(time), time)
        kept.update(list(latest.values())[:most])
    return kept


_NAME = re.compile(r"clubnight-(\d{4}-\d\d-\d\dT\d{6}Z)\.zip(\.age)?\Z")
_TIME = "%Y-%m-%dT%H%M%SZ"


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredBackup:
    """A verified backup in the folder. `made_at` is in UTC, `size` in bytes."""

    path: Path
    made_at: datetime
    size: int
    is_encrypted: bool


def get_backup_folder() -> Path:
    """Return the folder of this server's backups."""
    return Path(settings.BACKUP_DIR)


def list_backups() -> list[StoredBackup]:
    """Return the backups in the folder, the newest first."""
    found = []
    for path in get_backup_folder().glob("clubnight-*.zip*"):
        if match := _NAME.match(path.name):
            made_at = datetime.strptime(match[1], _TIME).replace(tzinfo=UTC)
            found.append(
                StoredBackup(path=path, made_at=made_at, size=path.stat().st_size, is_encrypted=bool(match[2]))
            )
    return sorted(found, key=lambda each: each.made_at, reverse=True)


def find_backup(name: str) -> StoredBackup | None:
    """Return the backup with this name, or None if it does not exist or is another kind of file."""
    return next((each for each in list_backups() if each.path.name == name), None)


def add_backup(key: BackupKey | None) -> tuple[CreatedBackup, list[str]]:
    """Make a backup named after the current time. Return it, and the names of expired backups that were deleted.

    Raises BackupProblem if either fails.
    """
    made_at = timezone.now().astimezone(UTC)
    name = f"clubnight-{made_at.strftime(_TIME)}.zip{ENCRYPTED_SUFFIX if key else ''}"
    made = make_backup(get_backup_folder() / name, key)
    return made, delete_expired_backups()


def delete_expired_backups() -> list[str]:
    """Delete expired backups and return their names."""
    there = list_backups()
    kept = select_backups_to_keep((each.made_at for each in there), now=timezone.now())
    gone = [each for each in there if each.made_at not in kept]
    for each in gone:
        try:
            each.path.unlink(missing_ok=True)
        except OSError as error:
            raise BackupProblem(f"{each.path} is old but can't be deleted: {error.strerror}") from error
    return [each.path.name for each in gone]
