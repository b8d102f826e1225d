"""Reads SQLite databases from other programs: the rows of plain tables, and nothing that the file could run.

The database is kept in memory and can't be written to. Views, triggers, virtual tables and functions of the file are
refused. It is only read in a subprocess with limits of time and memory.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from typing import Any, TypeAlias

from django.utils.translation import gettext as _

from common.tabular.column_names import columns_by_heading
from common.tabular.subprocess_reader import SQLITE_BEGINNING, read_in_subprocess
from common.tabular.text_tables import TableRow, UnreadableTable

DatabaseCell: TypeAlias = str | int | float | None
DatabaseTables: TypeAlias = dict[str, list[dict[str, DatabaseCell]]]

_JOURNAL_MODES = slice(18, 20)
"""The bytes that say whether the database has a write-ahead log, which is never part of an uploaded file."""
MAX_TABLES = 500
MAX_TABLE_COLUMNS = 200
MAX_CELL_BYTES = 1_000_000
MAX_TEXT_BYTES = 40 * 1024 * 1024
"""Of all texts that are read. A default that the file has once is the text of a cell in every row."""
_KINDS_OF_PEOPLE = ("name", "given_name", "rating", "federation", "birth", "title", "fide_id", "email", "club_name")
_IS_STORED_AS_WRITTEN = 0
"""The kind of a column that isn't computed, in the last field of `PRAGMA table_xinfo`."""
_PRAGMAS = frozenset({"quick_check", "table_xinfo"})
_ERRORS = (sqlite3.Error, sqlite3.Warning, ValueError, OverflowError)
"""What a damaged database can raise. The library also fails on names that aren't UTF-8."""
_SCHEMA = frozenset({"sqlite_master", "sqlite_schema"})


def is_sqlite(data: bytes) -> bool:
    """Return True if the file begins like an SQLite database."""
    return data.startswith(SQLITE_BEGINNING)


def read_sqlite_tables(data: bytes, wanted: Mapping[str, Sequence[str]], *, most_rows: int) -> DatabaseTables:
    """Return these columns of these tables, row by row. What the database doesn't have is left out.

    Raises UnreadableTable if it is damaged, too large or uses anything but plain tables for them.
    """
    columns = {table: list(names) for table, names in wanted.items()}
    told = read_in_subprocess(f"{__name__}.tables_as_json", data, wanted=columns, most_rows=most_rows)
    if "problem" in told:
        raise UnreadableTable(told["problem"])
    return dict(told["tables"])


def tables_as_json(data: bytes, *, wanted: Mapping[str, Sequence[str]], most_rows: int) -> dict[str, Any]:
    """Do the work of `read_sqlite_tables` in the subprocess."""
    try:
        with closing(_open(data)) as database:
            tables = _columns_by_table(database)
            return {
                "tables": {
                    table: [dict(zip(names, row, strict=True)) for row in _rows(database, table, names, most_rows)]
                    for table in wanted.keys() & tables.keys()
                    if (names := [name for name in wanted[table] if name in tables[table]])
                }
            }
    except UnreadableTable as unreadable:
        return {"problem": str(unreadable)}
    except _ERRORS:
        return {"problem": _damaged()}


def read_sqlite_rows(data: bytes, *, most_rows: int) -> Iterator[TableRow]:
    """Yield the column names of the table of people as the first row, then its rows.

    It is the table with most known headings, or the longest of several. Raises UnreadableTable.
    """
    try:
        with closing(_open(data)) as database:
            tables = {
                name: [column for column, is_key in columns.items() if not is_key]
                for name, columns in _columns_by_table(database).items()
            }
            known = {name: columns_by_heading(columns, _KINDS_OF_PEOPLE).values() for name, columns in tables.items()}
            of_people = {name: len(kinds) for name, kinds in known.items() if "name" in kinds and len(kinds) > 1}
            if not of_people:
                raise UnreadableTable(_("This database has no table of people."))
            table = max(of_people, key=lambda name: (of_people[name], len(tables[name])))
            yield TableRow(line=1, cells=tuple(tables[table]))
            rows = _rows(database, table, tables[table], most_rows)
            for line, cells in enumerate(rows, start=2):
                yield TableRow(line=line, cells=tuple(_text(cell) for cell in cells))
    except _ERRORS as error:
        raise UnreadableTable(_damaged()) from error


def _damaged() -> str:
    return _("The database is damaged, or it isn't one that we can read.")


def _open(data: bytes) -> sqlite3.Connection:
    database = sqlite3.connect(":memory:")
    try:
        database.deserialize(data[: _JOURNAL_MODES.start] + b"\1\1" + data[_JOURNAL_MODES.stop :])
        database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_CELL_BYTES)
        database.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
        for setting in (
            "trusted_schema = OFF",
            "query_only = ON",
            "cell_size_check = ON",
            "ignore_check_constraints = ON",
        ):
            database.execute(f"PRAGMA {setting}")
        database.text_factory = _bounded_decoder()
        database.set_authorizer(_authorise)
        if database.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
            raise sqlite3.DatabaseError
    except BaseException:
        database.close()
        raise
    return database


def _bounded_decoder() -> Callable[[bytes], str]:
    """Return the function that decodes every text of a database, up to `MAX_TEXT_BYTES` altogether."""
    total = 0

    def decode(text: bytes) -> str:
        nonlocal total
        total += len(text)
        if total > MAX_TEXT_BYTES:
            raise UnreadableTable(_("The file is too large."))
        return text.decode("utf-8", errors="replace")

    return decode


def _authorise(action: int, first: str | None, _second: str | None, _base: str | None, inner: str | None) -> int:
    """Allow only reading columns of tables, and `_PRAGMAS`. `inner` is the view or trigger that asks, if any."""
    is_reading = action in (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ) or (
        action == sqlite3.SQLITE_PRAGMA and first in _PRAGMAS
    )
    return sqlite3.SQLITE_OK if is_reading and inner is None else sqlite3.SQLITE_DENY


def _columns_by_table(database: sqlite3.Connection) -> dict[str, dict[str, bool]]:
    """Return the columns of every plain table, each with whether it is a key of the program's own.

    Virtual tables and computed columns, which run code, are left out.
    """
    listed = database.execute("SELECT name, type, sql, rootpage FROM sqlite_master").fetchmany(10 * MAX_TABLES)
    names = [
        name
        for name, kind, sql, page in listed
        if kind == "table" and page and str(sql).upper().startswith("CREATE TABLE") and name not in _SCHEMA
    ]
    if len(names) > MAX_TABLES:
        raise UnreadableTable(_("The file is too large."))
    columns: dict[str, dict[str, bool]] = {}
    for name in names:
        found = database.execute(f"PRAGMA table_xinfo({_quoted(name)})").fetchall()
        if len(found) <= MAX_TABLE_COLUMNS:
            columns[name] = {column[1]: bool(column[5]) for column in found if column[6] == _IS_STORED_AS_WRITTEN}
    return columns


def _rows(
    database: sqlite3.Connection, table: str, columns: Sequence[str], most_rows: int
) -> Iterator[tuple[DatabaseCell, ...]]:
    asked = ", ".join(map(_quoted, columns))
    found = database.execute(f"SELECT {asked} FROM {_quoted(table)} LIMIT {most_rows + 1}")  # noqa: S608
    for number, row in enumerate(found):
        if number == most_rows:
            raise UnreadableTable(_("The table has more than %(most)s rows.") % {"most": most_rows})
        yield tuple(None if isinstance(cell, bytes) else cell for cell in row)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _text(cell: DatabaseCell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell).replace("\0", "").strip()
