"""A trigram index, which finds any part of a name."""

from __future__ import annotations

from typing import Any

from django.db.backends.ddl_references import Statement, Table

from clubs.models.custom_constraints import CustomConstraint

_SQLITE = (
    # The triggers keep it in sync. A table loses them when Django rebuilds it, but the index itself exists already.
    "CREATE VIRTUAL TABLE IF NOT EXISTS {name}"
    " USING fts5({column}, content=%(table)s, content_rowid='id', columnsize=0, tokenize='trigram')",
    # The import merges the index segments itself, a few pages at a time: see `clubs.rating.lists.list_import`.
    "INSERT INTO {name} ({name}, rank) VALUES ('automerge', 0), ('crisismerge', 1000), ('usermerge', 8)",
    "INSERT INTO {name} ({name}) VALUES ('rebuild')",
    "CREATE TRIGGER {name}_insert AFTER INSERT ON %(table)s BEGIN"
    " INSERT INTO {name} (rowid, {column}) VALUES (new.id, new.{column}); END",
    "CREATE TRIGGER {name}_delete AFTER DELETE ON %(table)s BEGIN"
    " INSERT INTO {name} ({name}, rowid, {column}) VALUES ('delete', old.id, old.{column}); END",
    "CREATE TRIGGER {name}_update AFTER UPDATE OF {column} ON %(table)s WHEN new.{column} <> old.{column} BEGIN"
    " INSERT INTO {name} ({name}, rowid, {column}) VALUES ('delete', old.id, old.{column});"
    " INSERT INTO {name} (rowid, {column}) VALUES (new.id, new.{column}); END",
)
_POSTGRESQL = (
    "CREATE EXTENSION IF NOT EXISTS pg_trgm; CREATE INDEX {name} ON %(table)s USING gin ({column} gin_trgm_ops)",
)


class TrigramIndex(CustomConstraint):
    """An index that finds rows by any three consecutive letters of a column, among millions of rows.

    Migrations create it as a constraint. On SQLite it is an FTS5 table with the constraint's name (SQLite 3.34 or
    later), on PostgreSQL a pg_trgm index.
    """

    def __init__(self, *, name: str, column: str) -> None:
        super().__init__(name=name)
        self.column = column

    def deconstruct(self) -> tuple[str, Any, dict[str, Any]]:
        path, arguments, options = super().deconstruct()
        return path, arguments, options | {"column": self.column}

    def remove_sql(self, model: Any, schema_editor: Any) -> str:
        return f"DROP INDEX {self.name}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TrigramIndex) and (self.name, self.column) == (other.name, other.column)

    __hash__ = CustomConstraint.__hash__

    def creation_statements(self, model: Any, schema_editor: Any) -> list[Statement]:
        table = Table(model._meta.db_table, schema_editor.quote_name)
        templates = _SQLITE if schema_editor.connection.vendor == "sqlite" else _POSTGRESQL
        return [Statement(template.format(name=self.name, column=self.column), table=table) for template in templates]
