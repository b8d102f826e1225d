"""Extra database objects that migrations create and drop as constraints."""

from __future__ import annotations

from typing import Any

from django.db import DEFAULT_DB_ALIAS
from django.db.backends.ddl_references import Statement
from django.db.models.constraints import BaseConstraint


class CustomConstraint(BaseConstraint):
    """A constraint that only runs its own SQL after the table is created. Django never checks rows against it."""

    def creation_statements(self, model: Any, schema_editor: Any) -> list[Statement]:
        """Return the SQL statements that create it."""
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
