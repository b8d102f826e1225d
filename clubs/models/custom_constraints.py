"""What stands beside a table in the database, made and kept by migrations as if it were a constraint."""

from __future__ import annotations

from typing import Any

from django.db import DEFAULT_DB_ALIAS
from django.db.backends.ddl_references import Statement
from django.db.models.constraints import BaseConstraint


class CustomConstraint(BaseConstraint):
    """A constraint to Django that no row breaks: its statements are run when the table stands."""

    def creation_statements(self, model: Any, schema_editor: Any) -> list[Statement]:
        """What makes it, in the database's own words."""
        raise NotImplementedError

    def constraint_sql(self, model: Any, schema_editor: Any) -> str:
        """Nothing within the table's own definition."""
        schema_editor.deferred_sql.extend(self.creation_statements(model, schema_editor))
        return ""

    def create_sql(self, model: Any, schema_editor: Any) -> str:
        # A statement is what the editor runs, and keeps right when a table is renamed.
        (statement,) = self.creation_statements(model, schema_editor)
        return statement  # type: ignore[return-value]

    def validate(self, model: Any, instance: Any, exclude: Any = None, using: str = DEFAULT_DB_ALIAS) -> None:
        """Every row passes."""
