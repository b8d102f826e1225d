"""A file read as a table, and the problems in it."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from common.tabular.text_tables import TableRow


@dataclass(frozen=True, slots=True, kw_only=True)
class CellProblem:
    """A problem in a table. Line and column count from 1, and 0 means the whole table.

    `heading` is that of the column.
    """

    line: int
    column: int
    message: str
    heading: str = ""

    def __str__(self) -> str:
        if not self.line:
            return self.message
        if not self.column:
            return _("row %(line)s: %(message)s") % {"line": self.line, "message": self.message}
        place = {"line": self.line, "column": spreadsheet_column_letters(self.column), "heading": self.heading}
        return _("row %(line)s, column %(column)s (%(heading)s): ") % place + self.message


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedTable:
    """A file as a table: its non-empty lines. The first line has the headings, if there are any.

    Problems are those of the file itself. Lines with a problem are left out.
    """

    lines: tuple[TableRow, ...] = ()
    kind: str = "csv"
    encoding: str = ""
    separator: str = ""
    problems: tuple[CellProblem, ...] = ()

    @property
    def headings(self) -> tuple[str, ...]:
        return self.lines[0].cells if self.lines else ()

    @property
    def rows(self) -> tuple[TableRow, ...]:
        """The lines below the headings."""
        return self.lines[1:]


def spreadsheet_column_letters(column: int) -> str:
    """Return a column's letters in spreadsheets: 1 is A, 27 is AA."""
    letters = ""
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters
