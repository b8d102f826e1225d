"""A temporary database in which an import saves its rows first, because SQLite has only one writer at a time.

Checking and saving the rows of ten years takes half a minute. They are saved in a temporary database with the same
tables, under keys that are reserved for them on the server. Then they are copied as they are, in one short transaction.
The temporary file has no name, so nothing of it remains if the process is killed.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from typing import Any

from django.apps import apps
from django.db import DEFAULT_DB_ALIAS, connection, connections, models, transaction

from common.key_sequences import last_keys, skip_keys
from tournaments.models.integrity_triggers import create_integrity_triggers, drop_integrity_triggers

_FILE_WITHOUT_NAME = "file:"
_STAGED = "staged"


class StagingDatabase:
    """A temporary database with the server's tables, and with the rows of those that `lookups` names.

    `new_rows` are the most rows that each table gets. Their keys stay reserved if the import fails.
    """

    def __init__(self, *, lookups: Sequence[type[models.Model]], new_rows: Mapping[type[models.Model], int]) -> None:
        with transaction.atomic():
            first = last_keys()
            for model, count in new_rows.items():
                skip_keys(model, up_to=first.get(model._meta.db_table, 0) + count)
            self._reserved = last_keys()
        self._tables = {model._meta.db_table for model in apps.get_models(include_auto_created=True)}
        self._looked_up: dict[str, set[int]] = {}
        self._database = connections.create_connection(DEFAULT_DB_ALIAS)
        self._database.settings_dict = connection.settings_dict | {"NAME": _FILE_WITHOUT_NAME}
        with self._database.constraint_checks_disabled():
            self._create_tables(first, [model._meta.db_table for model in lookups])

    def _create_tables(self, first_keys: Mapping[str, int], lookups: Sequence[str]) -> None:
        """Create the tables and the rows to look up. New keys start where those of the server ended."""
        database: sqlite3.Connection = self._database.connection
        with connection.cursor() as server:
            parts = server.execute(
                "SELECT tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type <> 'table'"
            )
            for table, statement in parts.fetchall():
                if table in self._tables:
                    database.execute(statement)
            for table in lookups:
                rows = server.execute(f'SELECT rowid, * FROM "{table}"').fetchall()  # noqa: S608 (our own tables)
                self._looked_up[table] = {row[0] for row in rows}
                database.executemany(_insertion(f'"{table}"', len(server.description) - 1), (row[1:] for row in rows))
        database.execute("DELETE FROM sqlite_sequence")
        database.executemany("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", first_keys.items())

    @contextmanager
    def save_here(self) -> Iterator[None]:
        """Send all statements of this thread to the temporary database, and then make its new rows ready to be copied.

        They are put into a second temporary database that belongs to the server's connection, so that one statement
        copies a table. It is never detached, because SQLite can't do that in a transaction.
        """
        server = connections[DEFAULT_DB_ALIAS]
        connections[DEFAULT_DB_ALIAS] = self._database
        try:
            yield
            # Rows are read through another connection, because Django's would convert the values.
            with closing(sqlite3.connect("")) as stored:
                self._database.connection.backup(stored)
                self._stage_rows(stored, server.connection)
        finally:
            connections[DEFAULT_DB_ALIAS] = server
            self._database.close()

    def _stage_rows(self, stored: sqlite3.Connection, server: sqlite3.Connection) -> None:
        if _STAGED not in {name for _number, name, _file in server.execute("PRAGMA database_list")}:
            server.execute(f"ATTACH '' AS {_STAGED}")
        for table in self._tables:
            server.execute(f'DROP TABLE IF EXISTS {_STAGED}."{table}"')
            server.execute(f'CREATE TABLE {_STAGED}."{table}" AS SELECT * FROM main."{table}" LIMIT 0')  # noqa: S608
            columns = len(server.execute(f'SELECT * FROM main."{table}" LIMIT 0').description)  # noqa: S608
            server.executemany(_insertion(f'{_STAGED}."{table}"', columns), self._new_rows(stored, table))

    def _new_rows(self, stored: sqlite3.Connection, table: str) -> Iterator[list[Any]]:
        looked_up = self._looked_up.get(table, set())
        for key, *values in stored.execute(f'SELECT rowid, * FROM "{table}"'):  # noqa: S608 (our own tables)
            if key > self._reserved.get(table, key):
                raise RuntimeError(f"{table}: more rows than reserved keys")
            if key not in looked_up:
                yield values

    def copy_rows(self) -> None:
        """Copy all new rows to the server as they are, in the caller's transaction."""
        # The temporary database has these triggers. Here they would refuse the boards of finished rounds.
        drop_integrity_triggers()
        with connection.cursor() as server:
            for table in self._tables:
                server.execute(f'INSERT INTO main."{table}" SELECT * FROM {_STAGED}."{table}"')  # noqa: S608
        create_integrity_triggers()


def _insertion(table: str, columns: int) -> str:
    return f"INSERT INTO {table} VALUES ({', '.join('?' * columns)})"  # noqa: S608 (our own tables)
