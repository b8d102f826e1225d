"""Detects a database of a later program version, which this version must neither read nor write.

The checks in doctor, `/readyz`, `migrate`, `backup`, `restore` and at startup use this module.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

NEWER_DATABASE_ADVICE = (
    "Continue with that version, or restore the earlier database and program (docs/operator/server.md)."
)


class NewerDatabaseError(ImproperlyConfigured):
    """Raised if the database belongs to a later version. The message lists the migrations and what to do."""


def unknown_migrations(*, using: str = DEFAULT_DB_ALIAS) -> list[str]:
    """Return the migrations, as `app.name`, that the database has and this program lacks."""
    database = connections[using]
    name = str(database.settings_dict["NAME"])
    # Connecting would create the file, owned by the user who asked.
    if database.vendor == "sqlite" and "memory" not in name and not Path(name).exists():
        return []
    return filter_unknown_migrations(f"{app}.{name}" for app, name in MigrationRecorder(database).applied_migrations())


def filter_unknown_migrations(applied: Iterable[str]) -> list[str]:
    """Return the migrations in a database or backup, as `app.name`, that this program lacks."""
    return sorted(set(applied) - _known())


def describe_unknown_migrations(unknown: list[str]) -> str:
    """Describe these migrations for a message."""
    return f"made by a newer version of the program: {', '.join(unknown)}"


def refuse_newer_database(*, using: str = DEFAULT_DB_ALIAS) -> None:
    """Raise NewerDatabaseError if the database belongs to a later version."""
    if unknown := unknown_migrations(using=using):
        raise NewerDatabaseError(f"The database was {describe_unknown_migrations(unknown)}. {NEWER_DATABASE_ADVICE}")


def check_database_at_startup() -> None:
    """Raise NewerDatabaseError if the database is newer. A database that does not answer yet is ignored."""
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
    """Return every migration of this program."""
    return frozenset(f"{app}.{name}" for app, name in MigrationLoader(None).disk_migrations)
