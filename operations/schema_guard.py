"""Whether a later version of the program has been at the database: then this one reads and writes nothing in it.

The one place that decides; the doctor, `/readyz`, `migrate`, `backup`, `restore` and whatever starts ask here.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

NEWER_DATABASE_ADVICE = "Go on with that version, or bring database and program of before back (docs/server.md)."


class NewerDatabaseError(ImproperlyConfigured):
    """The database is a later version's; the words say which migrations, and what to do."""


def unknown_migrations(*, using: str = DEFAULT_DB_ALIAS) -> list[str]:
    """The migrations, as `app.name`, that the database has and this program has not."""
    database = connections[using]
    name = str(database.settings_dict["NAME"])
    # Asked for, a file would be made: by whoever asks, and be his.
    if database.vendor == "sqlite" and "memory" not in name and not Path(name).exists():
        return []
    return filter_unknown_migrations(f"{app}.{name}" for app, name in MigrationRecorder(database).applied_migrations())


def filter_unknown_migrations(applied: Iterable[str]) -> list[str]:
    """Those of a database's or a backup's migrations, as `app.name`, that this program has not."""
    return sorted(set(applied) - _known())


def describe_unknown_migrations(unknown: list[str]) -> str:
    """What is said of these migrations."""
    return f"made by a later version of the program: {', '.join(unknown)}"


def refuse_newer_database(*, using: str = DEFAULT_DB_ALIAS) -> None:
    """Raise LaterDatabase, with the doctor's sentence."""
    if unknown := unknown_migrations(using=using):
        raise NewerDatabaseError(f"The database was {describe_unknown_migrations(unknown)}. {NEWER_DATABASE_ADVICE}")


def check_database_at_startup() -> None:
    """The same, for what has just started: a database that does not answer yet is no reason not to wait for it."""
    was_open = connections[DEFAULT_DB_ALIAS].connection is not None
    try:
        refuse_newer_database()
    except DatabaseError:
        return
    finally:
        if not was_open:
            connections[DEFAULT_DB_ALIAS].close()


@cache
def _known() -> frozenset[str]:
    """Every migration that this program has."""
    return frozenset(f"{app}.{name}" for app, name in MigrationLoader(None).disk_migrations)
