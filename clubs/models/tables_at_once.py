"""What a squashed migration is made of: all models of an app in one operation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.migrations.operations import CreateModel
from django.db.migrations.operations.base import Operation


class TablesAtOnce(Operation):
    """Models that are created together, and may point at one another.

    Django's state makes all models anew that a new one leads to, for each new one; here they are made once, when all
    are there. That is most of what making a new database takes (docs/decisions/0030-squashed-migrations.md).
    """

    serialization_expand_args = ["operations"]

    def __init__(self, operations: Sequence[CreateModel]) -> None:
        self.operations = operations

    def state_forwards(self, app_label: str, state: Any) -> None:
        # What was made of the models of before; asked for again, it is made of all.
        state.__dict__.pop("apps", None)
        for operation in self.operations:
            operation.state_forwards(app_label, state)

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        for operation in self.operations:
            operation.database_forwards(app_label, schema_editor, from_state, to_state)

    def database_backwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        for operation in reversed(self.operations):
            operation.database_backwards(app_label, schema_editor, from_state, to_state)

    def describe(self) -> str:
        return f"Create {', '.join(operation.name for operation in self.operations)}"
