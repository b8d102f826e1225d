"""Tables of players in files, whatever program and country they come from."""

from __future__ import annotations

from django.utils.translation import gettext as _

from clubs.files.spreadsheets import read_table
from tournaments.entries.player_rows import MOST_PLAYERS, PlayerRow, TextProblem
from tournaments.entries.reading_rows import columns_of, read_free_row, read_table_row


def read_players(data: bytes) -> tuple[tuple[PlayerRow, ...], tuple[TextProblem, ...]]:
    """The players of a table, line by line, and what is wrong with the file as such.

    When the first line names the columns, cells are read by these names; else the name comes first and the others are
    known by their look.
    """
    table = read_table(data, most_rows=MOST_PLAYERS)
    problems = tuple(
        TextProblem(line=problem.line, column=problem.column, message=problem.message) for problem in table.problems
    )
    columns = columns_of(table.headings)
    if columns:
        rows = tuple(read_table_row(row, columns, table.headings) for row in table.rows)
    else:
        rows = tuple(read_free_row(row) for row in table.lines)
    if not rows and not problems:
        problems = (TextProblem(line=0, column=0, message=_("There is no player in this file.")),)
    return rows, problems
