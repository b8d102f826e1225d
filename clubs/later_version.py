"""Whether a later version of the program has been at the database: then this one reads and writes nothing in it.

The one place that decides; the doctor, `/readyz`, `migrate`, `backup` and whatever starts ask here.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

WHAT_TO_DO = "Go on with that version, or bring database and program of before back (docs/server.md)."


class LaterDatabase(ImproperlyConfigured):
    """The database is a later version's; the words say which migrations, and what to do."""


def unknown_migrations(*, using: str = DEFAULT_DB_ALIAS) -> list[str]:
    """Migrations of our apps, as `app.name`, that the database has and this program has not."""
    database = connections[using]
    name = str(database.settings_dict["NAME"])
    # Asked for, a file would be made: by whoever asks, and be his.
    if database.vendor == "sqlite" and "memory" not in name and not Path(name).exists():
        return []
    apps, known = _known()
    applied = MigrationRecorder(database).applied_migrations()
    return sorted(f"{app}.{name}" for app, name in applied if app in apps and (app, name) not in known)


def made_by(unknown: list[str]) -> str:
    """What is said of these migrations."""
    return f"made by a later version of the program: {', '.join(unknown)}"


def refuse_a_later_database(*, using: str = DEFAULT_DB_ALIAS) -> None:
    """Raise LaterDatabase, with the doctor's sentence."""
    if unknown := unknown_migrations(using=using):
        raise LaterDatabase(f"The database was {made_by(unknown)}. {WHAT_TO_DO}")


def refuse_to_start() -> None:
    """The same, for what has just started: a database that does not answer yet is no reason not to wait for it."""
    was_open = connections[DEFAULT_DB_ALIAS].connection is not None
    try:
        refuse_a_later_database()
    except DatabaseError:
        return
    finally:
        if not was_open:
            connections[DEFAULT_DB_ALIAS].close()


@cache
def _known() -> tuple[frozenset[str], frozenset[tuple[str, str]]]:
    """The apps that have migrations, and every migration this program has or has put into another's place."""
    loader = MigrationLoader(None)
    replaced = {name for migration in loader.disk_migrations.values() for name in migration.replaces}
    return frozenset(loader.migrated_apps), frozenset({*loader.disk_migrations, *replaced})
