"""Tables of players in files, from any program and country."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from django.utils.translation import gettext as _

from common.tabular.spreadsheets import read_table
from tournaments.entries.column_detection import ParsedList, list_lines_from_table, parse_player_list
from tournaments.entries.player_rows import MAX_PLAYERS, TextProblem


def read_player_table(data: bytes, column_kinds: Mapping[str, str] | None = None) -> ParsedList:
    """Read the players of a table, line by line, and the problems of the file itself.

    If a line names the columns, it decides, or `column_kinds` does, by column key. Otherwise the name comes first, and
    other fields are detected by their look.
    """
    table = read_table(data, most_rows=MAX_PLAYERS)
    problems = tuple(
        TextProblem(line=problem.line, column=problem.column, message=problem.message) for problem in table.problems
    )
    found = parse_player_list(list_lines_from_table(table), column_kinds or {})
    if not found.rows and not problems and not found.problems:
        problems = (TextProblem(line=0, column=0, message=_("This file has no players.")),)
    found = replace(found, format=table.kind, encoding=table.encoding)
    return replace(found, problems=(*problems, *found.problems))
