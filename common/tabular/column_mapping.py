"""The kinds of a table's columns, as detected and as chosen by the user."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

IGNORED_COLUMN = "-"
"""The kind of a column that is ignored."""
_FIELD = "column-"
MAX_EXAMPLES, MAX_EXAMPLE_LENGTH = 3, 40


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportColumn:
    """A column and its kind: a kind, `IGNORED_COLUMN`, or empty if the user must choose first.

    `key` is its key in forms. `is_unknown` means that its heading was not recognised, so it is ignored by default.
    """

    key: str
    heading: str = ""
    kind: str = ""
    examples: tuple[str, ...] = ()
    is_unknown: bool = False

    @property
    def field_name(self) -> str:
        """The name of its form field."""
        return f"{_FIELD}{self.key}"

    @property
    def is_undecided(self) -> bool:
        """True if the user must choose the kind before the import."""
        return not self.kind


def submitted_column_kinds(sent: Mapping[str, str]) -> dict[str, str]:
    """Return the submitted kinds of columns, by their keys."""
    return {name.removeprefix(_FIELD): kind for name, kind in sent.items() if name.startswith(_FIELD) and kind}


def example_cells(texts: Sequence[str]) -> tuple[str, ...]:
    """Return a few example texts of a column."""
    return tuple(text[:MAX_EXAMPLE_LENGTH] for text in texts if text)[:MAX_EXAMPLES]


def duplicate_column_kind(columns: Sequence[ImportColumn]) -> str:
    """Return a kind chosen for two columns, or an empty text."""
    kinds = [column.kind for column in columns if column.kind not in ("", IGNORED_COLUMN)]
    return next((kind for kind in kinds if kinds.count(kind) > 1), "")
