"""Temporary database connections: a backup's copy, or a second connection to the server's database."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper

from operations.backups.problems import BackupProblem


@contextmanager
def second_connection() -> Iterator[BaseDatabaseWrapper]:
    """Connect to this server's database outside the current transaction."""
    with _known_as(dict(connection.settings_dict)) as another:
        yield another


@contextmanager
def open_sqlite_file(path: Path) -> Iterator[BaseDatabaseWrapper]:
    """Open a SQLite file that nobody else uses. Writes are not synced to disk, as damage would be detected later."""
    options = {"init_command": "PRAGMA synchronous=OFF; PRAGMA journal_mode=MEMORY;"}
    here = {"ENGINE": "django.db.backends.sqlite3", "NAME": str(path), "OPTIONS": options, "CONN_MAX_AGE": 0}
    with _known_as(dict(connection.settings_dict) | here) as another:
        yield another


def migrate_sqlite_file(path: Path) -> None:
    """Create or migrate the tables of a SQLite file, in a separate process.

    Migrations apply to the database of the settings, so the process has its own.
    """
    environment = os.environ | {"CLUBNIGHT_DATABASE": str(path), "CLUBNIGHT_REDIS": ""}
    done = subprocess.run(  # noqa: S603
        [sys.executable, str(Path(settings.BASE_DIR) / "manage.py"), "migrate", "--verbosity", "0", "--skip-checks"],
        cwd=settings.BASE_DIR,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise BackupProblem(f"Can't create the tables of the copy: {done.stderr.strip()[-500:]}")


@contextmanager
def _known_as(told: dict[str, Any]) -> Iterator[BaseDatabaseWrapper]:
    alias = f"beside-{secrets.token_hex(4)}"
    connections.databases[alias] = told
    another = connections[alias]
    # Only this block uses the file, never another thread.
    try:
        yield another
    finally:
        another.close()
        del connections[alias]
        del connections.databases[alias]
