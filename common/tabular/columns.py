"""What the columns of a table are, as they were understood and as somebody has said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

LEFT_OUT = "-"
"""The kind of a column of which nothing is taken."""
_FIELD = "column-"
EXAMPLES, LONGEST_EXAMPLE = 3, 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column and what it is taken for: a kind, `LEFT_OUT`, or empty where that has to be said first.

    `key` is what a form calls it. `is_unknown`: nobody knew its heading, so it is left out unless somebody says more.
    """

    key: str
    heading: str = ""
    kind: str = ""
    examples: tuple[str, ...] = ()
    is_unknown: bool = False

    @property
    def field(self) -> str:
        """The name of its field in a form."""
        return f"{_FIELD}{self.key}"

    @property
    def is_asked(self) -> bool:
        """Nothing is written before somebody has said what it is."""
        return not self.kind


def said_in(sent: Mapping[str, str]) -> dict[str, str]:
    """What a form says the columns are, by their keys."""
    return {name.removeprefix(_FIELD): kind for name, kind in sent.items() if name.startswith(_FIELD) and kind}


def examples_of(texts: Sequence[str]) -> tuple[str, ...]:
    """A few of a column's texts."""
    return tuple(text[:LONGEST_EXAMPLE] for text in texts if text)[:EXAMPLES]


def said_twice(columns: Sequence[Column]) -> str:
    """A kind that two columns are said to be; empty for none."""
    kinds = [column.kind for column in columns if column.kind not in ("", LEFT_OUT)]
    return next((kind for kind in kinds if kinds.count(kind) > 1), "")
