"""Extra database objects that migrations create and drop as constraints."""

from __future__ import annotations

from typing import Any

from django.db import DEFAULT_DB_ALIAS
from django.db.backends.ddl_references import Statement, Table
from django.db.models.constraints import BaseConstraint


class CustomConstraint(BaseConstraint):
    """A constraint that only runs its own SQL after the table is created. Django never checks rows against it."""

    def creation_statements(self, model: Any, schema_editor: Any) -> list[Statement]:
        """Return the SQL statements that create the constraint."""
        raise NotImplementedError

    def constraint_sql(self, model: Any, schema_editor: Any) -> str:
        """Defer the statements until the table exists. Adds nothing to the table definition."""
        schema_editor.deferred_sql.extend(self.creation_statements(model, schema_editor))
        return ""

    def create_sql(self, model: Any, schema_editor: Any) -> str:
        # The schema editor updates Statement objects when a table is renamed.
        (statement,) = self.creation_statements(model, schema_editor)
        return statement  # type: ignore[return-value]

    def validate(self, model: Any, instance: Any, exclude: Any = None, using: str = DEFAULT_DB_ALIAS) -> None:
        """Accept every row."""


_SQLITE = "CREATE TRIGGER {name}_{when} BEFORE {when} ON %(table)s {unless} BEGIN SELECT RAISE(ABORT, '{message}'); END"
_POSTGRESQL = """
CREATE OR REPLACE FUNCTION {name}() RETURNS trigger AS $$ BEGIN
    IF TG_OP = 'UPDATE' THEN IF NEW.seal <> OLD.seal THEN RETURN NEW; END IF; END IF;
    RAISE EXCEPTION '{message}' USING ERRCODE = 'integrity_constraint_violation';
END $$ LANGUAGE plpgsql;
CREATE TRIGGER {name} BEFORE UPDATE OR DELETE ON %(table)s FOR EACH ROW EXECUTE FUNCTION {name}()"""


class AppendOnlyConstraint(CustomConstraint):
    """Constraint: rows can be added but never changed or deleted, except to seal them again.

    The database raises IntegrityError, also for changes made without Django. Migrations create it as a constraint: two
    triggers on SQLite, one on PostgreSQL.
    """

    def remove_sql(self, model: Any, schema_editor: Any) -> str:
        return f"DROP TRIGGER {self.name} ON {schema_editor.quote_name(model._meta.db_table)}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AppendOnlyConstraint) and self.name == other.name

    __hash__ = CustomConstraint.__hash__

    def creation_statements(self, model: Any, schema_editor: Any) -> list[Statement]:
        table = Table(model._meta.db_table, schema_editor.quote_name)
        message = f"{self.name}: rows are never changed nor deleted"
        if schema_editor.connection.vendor == "sqlite":
            templates = [
                _SQLITE.format(name=self.name, message=message, when=when, unless=unless)
                for when, unless in (("UPDATE", "WHEN NEW.seal = OLD.seal"), ("DELETE", ""))
            ]
        else:
            templates = [_POSTGRESQL.format(name=self.name, message=message)]
        return [Statement(template, table=table) for template in templates]


_SQLITE_TRIGRAMS = (
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
_POSTGRESQL_TRIGRAMS = (
    "CREATE EXTENSION IF NOT EXISTS pg_trgm; CREATE INDEX {name} ON %(table)s USING gin ({column} gin_trgm_ops)",
)


class TrigramIndex(CustomConstraint):
    """An index for finding rows among millions by any three consecutive characters in a column.

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
        templates = _SQLITE_TRIGRAMS if schema_editor.connection.vendor == "sqlite" else _POSTGRESQL_TRIGRAMS
        return [Statement(template.format(name=self.name, column=self.column), table=table) for template in templates]
