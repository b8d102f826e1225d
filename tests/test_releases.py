"""What was released stays: its migrations as they were, and a way for its data to the present, on both databases."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from tests.releases import FOLDER, NOTES, ROOT, hash_of, hash_of_notes, hashes_of, releases, unpack_data, version
from tests.servers import new_database
from tests.tables import in_postgresql, in_sqlite
from tests.test_postgresql import commands_on

LAST = releases()[-1]

KEPT = ("clubs_member", "clubs_ledgerentry", "tournaments_game", "tournaments_bye", "tournaments_logentry")


def test_a_released_version_is_not_given_again():
    numbers = [[int(part) for part in name.split(".")] for name in (*releases(), version())]
    assert numbers == sorted(numbers)


@pytest.mark.parametrize("release", releases())
def test_released_migrations_stay_as_they_were(release):
    """Somebody's database has them: what is wrong in one is put right by the next."""
    changed = [
        path
        for path, digest in hashes_of(release).items()
        if not (ROOT / path).is_file() or hash_of(ROOT / path) != digest
    ]
    assert changed == [], "a migration that was released is never edited, renamed nor deleted: write another"


@pytest.mark.parametrize("release", releases())
def test_the_notes_of_a_release_stay_as_they_were(release):
    """What comes later belongs under Unreleased, also where two branches are put together."""
    assert hash_of_notes(release) == (FOLDER / release / NOTES).read_text(encoding="ascii").strip()


def counted(rows: dict[str, int]) -> dict[str, int]:
    assert min(rows.values()) > 0
    return rows


def rows_of(path: Path) -> dict[str, int]:
    with closing(sqlite3.connect(path)) as database:
        return counted(
            {table: database.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0] for table in KEPT}
        )


@pytest.fixture
def data(tmp_path, monkeypatch) -> Path:
    (tmp_path / "var").mkdir()
    monkeypatch.setenv("CLUBNIGHT_VAR", str(tmp_path / "var"))
    path = tmp_path / "released.sqlite3"
    unpack_data(LAST, path)
    return path


def brought_to_the_present(address: str) -> bool:
    """Whether the doctor finds nothing wrong then."""
    return bool(json.loads(commands_on(address, "migrate --verbosity 0", "doctor --json"))["healthy"])


def test_the_data_of_the_last_release_comes_to_the_present(data, migrated_sqlite):
    """With the tables that a new database has, which is made by other migrations (decision 0030)."""
    before = rows_of(data)
    assert brought_to_the_present(str(data))
    assert rows_of(data) == before
    assert in_sqlite(data) == in_sqlite(migrated_sqlite)


@pytest.mark.slow
@pytest.mark.postgresql
def test_the_data_of_the_last_release_comes_to_the_present_on_postgresql(
    released_postgresql, migrated_postgresql, data
):
    """Tables as the release had them, its rows in them, then the migrations since."""
    address = new_database(released_postgresql, "of_the_release")
    with psycopg.connect(address) as database, closing(sqlite3.connect(data)) as old:
        applied = "SELECT app, name FROM django_migrations"
        assert set(database.execute(applied)) == set(old.execute(applied))
        _copy(old, address)
    assert brought_to_the_present(address)
    with psycopg.connect(address) as database:
        counts = {
            table: database.execute(sql.SQL("SELECT COUNT(*) FROM {}").format(sql.Identifier(table))).fetchone()[0]
            for table in KEPT
        }
    assert counts == rows_of(data)
    assert in_postgresql(address) == in_postgresql(migrated_postgresql)


def _copy(old: sqlite3.Connection, address: str) -> None:
    """Each value as text: the server reads it as its column has it. No trigger is asked, as in a restored dump."""
    names = [name for (name,) in old.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    with psycopg.connect(address) as database:
        database.execute("SET session_replication_role = replica; SET TimeZone = 'UTC'")
        there = {name for (name,) in database.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")}
        for name in sorted(there & set(names) - {"django_migrations"}):
            database.execute(sql.SQL("TRUNCATE {} CASCADE").format(sql.Identifier(name)))
        for name in sorted(there & set(names) - {"django_migrations"}):
            cursor = old.execute(f'SELECT * FROM "{name}"')
            columns = [sql.Identifier(column[0]) for column in cursor.description]
            statement = sql.SQL("INSERT INTO {} ({}) VALUES ({})").format(
                sql.Identifier(name),
                sql.SQL(", ").join(columns),
                sql.SQL(", ").join([sql.Placeholder()] * len(columns)),
            )
            rows = [tuple(_as_text(value) for value in row) for row in cursor]
            if rows:
                with database.cursor() as writing:
                    writing.executemany(statement, rows)
                _count_on(database, name, columns)


def _count_on(database: psycopg.Connection, name: str, columns: list[sql.Identifier]) -> None:
    """The next row's number is one that no row has."""
    if (number := sql.Identifier("id")) in columns:
        last = sql.SQL("SELECT MAX({}) FROM {}").format(number, sql.Identifier(name))
        counter = sql.SQL("pg_get_serial_sequence({}, 'id')").format(sql.Literal(name))
        database.execute(sql.SQL("SELECT setval({}, ({}))").format(counter, last))


def _as_text(value: object) -> object:
    return value if value is None or isinstance(value, bytes) else str(value)
