"""Row locks, so that only one transaction at a time changes a row and what belongs to it, and consistent reads."""

from __future__ import annotations

from typing import Any, TypeVar

from django.db import connection, models

Row = TypeVar("Row", bound=models.Model)


def lock_row(rows: type[Row] | models.QuerySet[Row], key: Any) -> Row:
    """Return the row of a model or query set, reloaded and locked until the caller's transaction ends.

    SQLite has no row locks and needs none: its transactions here begin with the write lock. Raises DoesNotExist.
    """
    found = rows._default_manager.all() if isinstance(rows, type) else rows
    return found.select_for_update(no_key=True, of=("self",)).get(pk=key)


def read_one_snapshot() -> None:
    """Make all statements in the transaction that has just begun see the database as it is now.

    SQLite always does. Within another transaction this does nothing.
    """
    if connection.vendor == "postgresql" and not connection.savepoint_ids:
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
