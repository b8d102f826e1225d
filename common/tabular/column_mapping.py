"""What the columns of a table are, as they were understood and as somebody has said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

IGNORED_COLUMN = "-"
"""The kind of a column of which nothing is taken."""
_FIELD = "column-"
MAX_EXAMPLES, MAX_EXAMPLE_LENGTH = 3, 40


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportColumn:
    """A column and what it is taken for: a kind, `IGNORED_COLUMN`, or empty where that has to be said first.

    `key` is what a form calls it. `is_unknown`: nobody knew its heading, so it is left out unless somebody says more.
    """

    key: str
    heading: str = ""
    kind: str = ""
    examples: tuple[str, ...] = ()
    is_unknown: bool = False

    @property
    def field_name(self) -> str:
        """The name of its field in a form."""
        return f"{_FIELD}{self.key}"

    @property
    def is_undecided(self) -> bool:
        """Nothing is written before somebody has said what it is."""
        return not self.kind


def submitted_column_kinds(sent: Mapping[str, str]) -> dict[str, str]:
    """What a form says the columns are, by their keys."""
    return {name.removeprefix(_FIELD): kind for name, kind in sent.items() if name.startswith(_FIELD) and kind}


def example_cells(texts: Sequence[str]) -> tuple[str, ...]:
    """A few of a column's texts."""
    return tuple(text[:MAX_EXAMPLE_LENGTH] for text in texts if text)[:MAX_EXAMPLES]


def duplicate_column_kind(columns: Sequence[ImportColumn]) -> str:
    """A kind that two columns are said to be; empty for none."""
    kinds = [column.kind for column in columns if column.kind not in ("", IGNORED_COLUMN)]
    return next((kind for kind in kinds if kinds.count(kind) > 1), "")
