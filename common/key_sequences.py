"""The sequences from which the database takes primary keys."""

from __future__ import annotations

from django.db import connection, models


def skip_keys(model: type[models.Model], *, up_to: int) -> None:
    """Make sure no new row of a model gets a key of `up_to` or less. Keys given out earlier are never reused.

    On PostgreSQL, a rollback doesn't undo this.
    """
    if up_to < 1:
        return
    table = model._meta.db_table
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT pg_get_serial_sequence(%s, %s)", [connection.ops.quote_name(table), "id"])
            (sequence,) = cursor.fetchone()
            # Only the sequence knows the keys of deleted rows, and of rows that other transactions are saving.
            cursor.execute(
                f"SELECT setval(%s, GREATEST(%s, (SELECT last_value FROM {sequence})))",  # noqa: S608 (from PostgreSQL)
                [sequence, up_to],
            )
            return
        cursor.execute("UPDATE sqlite_sequence SET seq = max(seq, %s) WHERE name = %s", [up_to, table])
        if cursor.rowcount == 0:
            cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table, up_to])
