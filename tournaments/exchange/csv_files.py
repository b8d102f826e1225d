"""Tables of players in CSV files, whatever program and country they come from."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from clubs.files.text_tables import LINES_LOOKED_AT, encoding_of, separator_of
from tournaments.entries.player_rows import MOST_PLAYERS, PlayerRow, TextProblem
from tournaments.entries.reading_rows import (
    Field,
    columns_of,
    read_free_fields,
    read_table_row,
    split_line,
    unclosed_quote,
)


def read_csv(data: bytes) -> tuple[tuple[PlayerRow, ...], tuple[TextProblem, ...]]:
    """The players of a table, line by line, and what is wrong with the file as a whole.

    The separator is the one of `;`, tab, `,` and `|` that parts the lines most evenly. When the first line names the
    columns, fields are read by these names; else the name comes first and the others are known by their look.
    """
    text = data.decode(encoding_of(data), errors="replace")
    if "\x00" in text:
        expected = _("a table saved as CSV, or a report file (TRF)")
        return (), (TextProblem(line=0, column=0, message=_("This is not a text file."), expected=expected),)
    lines = [(number, line) for number, line in enumerate(text.splitlines(), start=1) if line.strip(" ;,|\t\"'")]
    if not lines:
        return (), (TextProblem(line=0, column=0, message=_("There is no player in this file.")),)
    if len(lines) > MOST_PLAYERS:
        message = _("The file has %(lines)s lines.") % {"lines": len(lines)}
        expected = _("at most %(most)s") % {"most": MOST_PLAYERS}
        return (), (TextProblem(line=0, column=0, message=message, expected=expected),)
    looked_at = [line for _number, line in lines[:LINES_LOOKED_AT]]
    separator = separator_of(looked_at, lambda line, mark: len(_fields(line, mark) or ()))
    rows = _rows(lines, separator)
    if not rows:
        return (), (TextProblem(line=0, column=0, message=_("There is no player in this file.")),)
    return rows, ()


def _fields(line: str, separator: str) -> list[Field] | None:
    try:
        return split_line(line, separator)
    except ValueError:
        return None


def _rows(lines: Sequence[tuple[int, str]], separator: str) -> tuple[PlayerRow, ...]:
    columns = columns_of(_fields(lines[0][1], separator) or ())
    rows = []
    for number, line in lines[1:] if columns else lines:
        try:
            fields = split_line(line, separator)
        except ValueError as error:
            rows.append(unclosed_quote(number, int(str(error))))
            continue
        rows.append(read_table_row(number, fields, columns) if columns else read_free_fields(number, fields))
    return tuple(rows)
