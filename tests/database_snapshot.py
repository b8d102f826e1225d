"""The rows of a small database, restored any number of times in milliseconds.

What guards the log and the ledger against being changed is passed by: on SQLite pages are copied, on PostgreSQL rows
while triggers sleep.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial

from django.db import connection

from common.jobs.queue import wait_for_job_threads

TIDIED_AFTER = 100


@contextmanager
def database_snapshot() -> Iterator[Callable[[], None]]:
    """Keep the present rows. Call the result to restore them. Outside any transaction."""
    connection.ensure_connection()
    if connection.vendor == "sqlite":
        with closing(sqlite3.connect(":memory:")) as kept:
            connection.connection.backup(kept)
            yield partial(_after_jobs, lambda: kept.backup(connection.connection))
    else:
        yield partial(_after_jobs, _TableSnapshot().put_back)


class _TableSnapshot:
    """On PostgreSQL: only tables written to since are restored, which one query finds."""

    def __init__(self) -> None:
        self._tables = [connection.ops.quote_name(name) for name in connection.introspection.table_names()]
        self._rows = {name: _read(name) for name in self._tables}
        self._marks = _marks(self._tables)
        self._times = 0

    def put_back(self) -> None:
        now = _marks(self._tables)
        written = [name for name in self._tables if now[name] != self._marks[name]]
        if not written:
            return
        with connection.cursor() as cursor:
            cursor.execute("SET session_replication_role = replica")
            try:
                cursor.execute("; ".join(f"DELETE FROM {table}" for table in written))  # noqa: S608
                for table in (name for name in written if self._rows[name]):
                    with cursor.copy(f"COPY {table} FROM STDIN") as copy:
                        copy.write(self._rows[table])
            finally:
                cursor.execute("SET session_replication_role = DEFAULT")
            self._times += 1
            if self._times % TIDIED_AFTER == 0:
                # Nothing else does this, and every query would have to skip the deleted rows.
                cursor.execute(f"VACUUM {', '.join(self._tables)}")
        self._marks |= _marks(written)


def _marks(tables: list[str]) -> dict[str, tuple[int, int]]:
    """A value that differs after any write to a table: its row count and last transactions."""
    asked = (
        f"SELECT '{name}', count(*), coalesce(sum(xmin::text::bigint), 0) FROM {name}"  # noqa: S608
        for name in tables
    )
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(asked))
        return {name: (rows, mark) for name, rows, mark in cursor.fetchall()}


def wait_for_jobs() -> None:
    """Wait for jobs in threads of this process: otherwise one would write into the next test's data."""
    wait_for_job_threads(10)


def _after_jobs(put_back: Callable[[], None]) -> None:
    wait_for_jobs()
    put_back()


def _read(table: str) -> bytes:
    with connection.cursor() as cursor, cursor.copy(f"COPY {table} TO STDOUT") as copy:
        return b"".join(bytes(block) for block in copy)
