"""Append-only tables of sealed rows, enforced by the database."""

from __future__ import annotations

from typing import Any

from django.db.backends.ddl_references import Statement, Table

from clubs.models.custom_constraints import CustomConstraint

_SQLITE = "CREATE TRIGGER {name}_{when} BEFORE {when} ON %(table)s {unless} BEGIN SELECT RAISE(ABORT, '{message}'); END"
_POSTGRESQL = """
CREATE OR REPLACE FUNCTION {name}() RETURNS trigger AS $$ BEGIN
    IF TG_OP = 'UPDATE' THEN IF NEW.seal <> OLD.seal THEN RETURN NEW; END IF; END IF;
    RAISE EXCEPTION '{message}' USING ERRCODE = 'integrity_constraint_violation';
END $$ LANGUAGE plpgsql;
CREATE TRIGGER {name} BEFORE UPDATE OR DELETE ON %(table)s FOR EACH ROW EXECUTE FUNCTION {name}()"""


class AppendOnlyConstraint(CustomConstraint):
    """Constraint: rows can be added but never changed or deleted. Only sealing them anew changes them.

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
