"""Databases of other programs: tables are read, and nothing that the file could run."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import closing

import pytest

from common.tabular.spreadsheets import read_table
from common.tabular.sqlite_tables import MAX_CELL_BYTES, MAX_TABLES, read_sqlite_tables
from common.tabular.text_tables import UnreadableTable

pytestmark = pytest.mark.one_database

WANTED = {"player": ("id", "last_name", "unknown"), "nothing": ("id",)}
ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x AS id, x AS last_name FROM n"


@pytest.fixture(autouse=True)
def var(settings, tmp_path) -> None:
    settings.VAR_DIR = tmp_path


def database(*statements: str, rows: Iterable[tuple[object, ...]] = (), table: str = "player") -> bytes:
    with closing(sqlite3.connect(":memory:")) as made:
        for statement in statements:
            made.execute(statement)
        for row in rows:
            made.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)  # noqa: S608
        made.commit()
        return bytes(made.serialize())


PLAYERS = "CREATE TABLE player (id INTEGER PRIMARY KEY, last_name TEXT)"
ALA = (1, "Kot")


def read(data: bytes, *, most_rows: int = 100):
    return read_sqlite_tables(data, WANTED, most_rows=most_rows)


def test_wanted_columns_of_wanted_tables_are_read():
    data = database(PLAYERS, rows=[ALA, (2, None)])
    assert read(data) == {"player": [{"id": 1, "last_name": "Kot"}, {"id": 2, "last_name": None}]}


def test_a_database_with_a_write_ahead_log_is_read():
    data = database(PLAYERS, rows=[ALA])
    assert read(data[:18] + b"\2\2" + data[20:])["player"]


def test_the_table_of_people_is_read_as_any_other_table():
    data = database(
        "CREATE TABLE log (id INTEGER PRIMARY KEY, name TEXT)",
        'CREATE TABLE "our ""members""" (last_name TEXT, rating REAL)',
        rows=[("Kot", 1875.0), (b"\0", None)],
        table='"our ""members"""',
    )
    table = read_table(data)
    assert (table.kind, table.problems) == ("sqlite", ())
    assert [row.cells for row in table.lines] == [("last_name", "rating"), ("Kot", "1875")]


def test_without_a_table_of_people_it_says_so():
    (problem,) = read_table(database("CREATE TABLE log (id INTEGER PRIMARY KEY, name TEXT)")).problems
    assert "no table of people" in str(problem)


@pytest.mark.parametrize(
    "statements",
    [
        (f"CREATE VIEW player AS {ENDLESS}",),
        ("CREATE VIRTUAL TABLE player USING fts5(id, last_name)",),
        ("CREATE TABLE other (id INTEGER)",),
    ],
)
def test_views_and_virtual_tables_are_not_there(statements):
    assert read(database(*statements)) == {}
    assert read_table(database(*statements)).problems


def test_computed_columns_are_left_out():
    data = database(
        "CREATE TABLE player (id INTEGER, last_name TEXT AS (printf('%.9999d', id)), first_name TEXT)",
        rows=[(1, "Ala")],
        table="player (id, first_name)",
    )
    assert read(data) == {"player": [{"id": 1}]}


def test_a_database_that_computes_too_much_is_refused():
    data = database(
        "CREATE TABLE player (id INTEGER, last_name TEXT AS (hex(zeroblob(5000000))))", rows=[(1,)], table="player (id)"
    )
    with pytest.raises(UnreadableTable, match="damaged"):
        read(data)


def test_conditions_of_columns_are_not_computed():
    condition = "length(hex(zeroblob(5000000))) > 1"
    data = database(f"CREATE TABLE player (id INTEGER, last_name TEXT CHECK ({condition}))", rows=[ALA])
    assert read(data) == {"player": [{"id": 1, "last_name": "Kot"}]}


def test_defaults_that_every_row_repeats_are_counted():
    """The file has the text once. Read for all rows and both tables, it would fill the memory."""
    default = f"ALTER TABLE {{}} ADD COLUMN last_name TEXT DEFAULT '{'K' * 20_000}'"
    numbers = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 1200) SELECT x FROM n"
    made = [
        (f"CREATE TABLE {table} (id INTEGER)", f"INSERT INTO {table} {numbers}", default.format(table))
        for table in ("player", "other")
    ]
    data = database(*made[0], *made[1])
    assert len(data) < 100_000
    assert len(read(data, most_rows=5000)["player"]) == 1200
    with pytest.raises(UnreadableTable, match="too large"):
        read_sqlite_tables(data, {"player": ["last_name"], "other": ["last_name"]}, most_rows=5000)
    create, fill, add_default = made[0]
    data = database(create, fill, fill, add_default)
    assert "too large" in str(read_table(data).problems[0])


def test_triggers_do_not_run_and_the_file_stays_as_it_is():
    data = database(PLAYERS, "CREATE TRIGGER gone AFTER INSERT ON player BEGIN DELETE FROM player; END")
    assert read(data) == {"player": []}


@pytest.mark.parametrize(
    "data",
    [
        b"SQLite format 3\0",
        b"SQLite format 3\0" + bytes(5000),
        b"SQLite format 3\0" + b"\xff" * 5000,
        database(PLAYERS, rows=[ALA])[:5000],
        database(PLAYERS, rows=[ALA]).replace(b"CREATE TABLE player", b"CREATE TABEL player"),
        database(PLAYERS, rows=[ALA])[:4096] + b"\xff" * 4096,
        database(PLAYERS, rows=[ALA]).replace(b"CREATE TABLE player", b"CREATE \xff\xff\xff\xff\xff player"),
    ],
)
def test_a_damaged_database_is_refused(data):
    with pytest.raises(UnreadableTable, match="damaged"):
        read(data)
    assert read_table(data).problems


def test_there_is_an_end_to_rows_cells_and_tables():
    with pytest.raises(UnreadableTable, match="more than 2 rows"):
        read(database(PLAYERS, rows=[(n, "Kot") for n in range(1, 4)]), most_rows=2)
    with pytest.raises(UnreadableTable, match="damaged"):
        read(database(PLAYERS, rows=[(1, "K" * (MAX_CELL_BYTES + 1))]))
    with pytest.raises(UnreadableTable, match="too large"):
        read(database(*(f"CREATE TABLE t{n} (id)" for n in range(MAX_TABLES + 1))))
