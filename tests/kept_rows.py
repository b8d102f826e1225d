"""The rows of a small database as they stand, put back as often as one likes, in milliseconds.

What guards the log and the ledger against being changed is passed by: on SQLite pages are copied, on PostgreSQL rows
while triggers sleep.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial

from django.db import connection


@contextmanager
def kept_rows() -> Iterator[Callable[[], None]]:
    """Keep what is there now; call what it gives to have it again. Outside any transaction."""
    connection.ensure_connection()
    if connection.vendor == "sqlite":
        with closing(sqlite3.connect(":memory:")) as kept:
            connection.connection.backup(kept)
            yield partial(_after_jobs, lambda: kept.backup(connection.connection))
    else:
        tables = [connection.ops.quote_name(name) for name in connection.introspection.table_names()]
        kept_tables = {name: rows for name in tables if (rows := _read(name))}
        yield partial(_after_jobs, lambda: _put_back(tables, kept_tables))


def jobs_have_ended() -> None:
    """Wait for the jobs that threads of this process do: else one would write into what comes after."""
    for thread in threading.enumerate():
        if thread.name.startswith("job-"):
            thread.join(10)


def _after_jobs(put_back: Callable[[], None]) -> None:
    jobs_have_ended()
    put_back()


def _read(table: str) -> bytes:
    with connection.cursor() as cursor, cursor.copy(f"COPY {table} TO STDOUT") as copy:
        return b"".join(bytes(block) for block in copy)


def _put_back(tables: list[str], kept: dict[str, bytes]) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        try:
            cursor.execute("; ".join(f"DELETE FROM {table}" for table in tables))  # noqa: S608
            for table, rows in kept.items():
                with cursor.copy(f"COPY {table} FROM STDIN") as copy:
                    copy.write(rows)
        finally:
            cursor.execute("SET session_replication_role = DEFAULT")
