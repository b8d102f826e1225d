"""Headings and columns of tables: where the headings are, and the kind of each column, detected or chosen."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from common.tabular.column_names import column_kind_of_heading, columns_by_heading
from common.tabular.text_tables import TableRow

IGNORED_COLUMN = "-"
"""The kind of a column that is ignored."""
_FIELD = "column-"
MAX_HEADING_LINE = 20
"""The last line that may be a heading line."""
MAX_EXAMPLES, MAX_EXAMPLE_LENGTH = 3, 40


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportColumn:
    """A column and its kind, which can be `IGNORED_COLUMN`, or empty if the user must choose first.

    `key` is its key in forms. `is_unknown` means that its heading was not recognised, so it is ignored by default.
    """

    key: str
    heading: str = ""
    kind: str = ""
    examples: tuple[str, ...] = ()
    is_unknown: bool = False

    @property
    def field_name(self) -> str:
        """The name of the column's form field."""
        return f"{_FIELD}{self.key}"

    @property
    def is_undecided(self) -> bool:
        """True if the user must choose the kind before the import."""
        return not self.kind


def submitted_column_kinds(sent: Mapping[str, str]) -> dict[str, str]:
    """Return the submitted kinds of columns, by their keys."""
    return {name.removeprefix(_FIELD): kind for name, kind in sent.items() if name.startswith(_FIELD) and kind}


def find_heading_line(
    rows: Sequence[TableRow], has_headings: Callable[[TableRow], object], *, most: int = MAX_HEADING_LINE
) -> int | None:
    """Return the index of the first row with headings. Programs and banks write titles above them."""
    return next((place for place, row in enumerate(rows[:most]) if has_headings(row)), None)


def choose_columns(
    headings: Sequence[str],
    rows: Sequence[TableRow],
    submitted: Mapping[str, str],
    kinds: Container[str],
    guess: Callable[[str, Sequence[str], Collection[str]], str] = lambda *_column: IGNORED_COLUMN,
) -> list[ImportColumn]:
    """Return the columns of a table of people, with their kinds as submitted, else from the headings, else guessed.

    `guess` gets a heading, the texts below it and the kinds already taken. It returns an empty string if the user must
    choose.
    """
    said = {int(key): kind for key, kind in submitted.items() if key.isdecimal() and int(key) < len(headings)}
    said = {place: kind for place, kind in said.items() if kind in kinds or kind == IGNORED_COLUMN}
    known = {place: kind for place, kind in columns_by_heading(headings, kinds).items() if kind not in said.values()}
    taken = {*known.values(), *said.values()}
    columns = []
    for place, heading in enumerate(headings):
        texts = [row.cell(place) for row in rows]
        kind = said.get(place) or known.get(place) or guess(heading, texts, taken)
        taken.add(kind)
        is_left_out = kind == IGNORED_COLUMN and place not in said and any(texts)
        columns.append(
            ImportColumn(
                key=str(place),
                heading=heading,
                kind=kind,
                examples=example_cells(texts),
                is_unknown=is_left_out and column_kind_of_heading(heading) not in ("number", "place"),
            )
        )
    return columns


def example_cells(texts: Sequence[str]) -> tuple[str, ...]:
    """Return a few example texts from a column."""
    return tuple(text[:MAX_EXAMPLE_LENGTH] for text in texts if text)[:MAX_EXAMPLES]


def duplicate_kind_problem(columns: Sequence[ImportColumn], labels: Mapping[str, object]) -> str:
    """Return the error if a kind is chosen for two columns, or an empty string."""
    kinds = [column.kind for column in columns if column.kind not in ("", IGNORED_COLUMN)]
    twice = next((kind for kind in kinds if kinds.count(kind) > 1), "")
    return _("Two columns are set as “%(kind)s”. Choose only one.") % {"kind": labels[twice]} if twice else ""


def unknown_columns_warning(columns: Sequence[ImportColumn]) -> str:
    """Return the warning about columns that are left out, or an empty string."""
    left = "; ".join(column.heading or column.examples[0] for column in columns if column.is_unknown)
    return _("We left out columns with headings we don't recognise: %(names)s.") % {"names": left} if left else ""
