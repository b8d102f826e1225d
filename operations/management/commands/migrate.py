"""The command `manage.py migrate`: Django's own, without the integrity triggers while it runs."""

from __future__ import annotations

from typing import Any

from django.core.management import CommandError
from django.core.management.commands import migrate
from django.db import connections
from django.db.migrations.executor import MigrationExecutor

from operations.schema_guard import NewerDatabaseError, refuse_newer_database
from tournaments.models.integrity_triggers import create_integrity_triggers, drop_integrity_triggers


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        """Drop the triggers first, as SQLite cannot rebuild a table that another table's trigger refers to."""
        using = options["database"]
        try:
            refuse_newer_database(using=using)
        except NewerDatabaseError as later:
            raise CommandError(str(later)) from later
        if options["plan"] or options["check_unapplied"]:
            super().handle(*args, **options)
            return
        if options["app_label"] or options["run_syncdb"] or _something_to_do(using):
            drop_integrity_triggers(using=using)
        try:
            super().handle(*args, **options)
        finally:
            create_integrity_triggers(using=using)


def _something_to_do(using: str) -> bool:
    executor = MigrationExecutor(connections[using])
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))
