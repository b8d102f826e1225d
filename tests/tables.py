"""What a database is made of, to be compared; and the migrations as they were before some were put into one."""

from __future__ import annotations

import re
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any

from django.db.migrations.loader import MigrationLoader

from tests.servers import postgresql_programs

APPS = ("common", "clubs", "tournaments", "pairing")


class Chain(MigrationLoader):
    """Knows every migration of ours but those that stand for several."""

    def load_disk(self) -> None:
        super().load_disk()
        ours = {key: each for key, each in self.disk_migrations.items() if key[0] not in APPS or not each.replaces}
        self.disk_migrations = ours


def in_sqlite(path: Path) -> dict[str, Any]:
    """Tables, indexes and triggers by name. The columns of a table in any order: SQLite puts a changed one last."""
    with closing(sqlite3.connect(path)) as database:
        made = database.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
    return {name: _parts(sql) if sql.startswith("CREATE TABLE") else sql for name, sql in made}


def _parts(sql: str) -> list[str]:
    """The columns and constraints between the outer brackets."""
    head, inner, tail = re.fullmatch(r"(.*?)\((.*)\)(.*)", sql, re.DOTALL).groups()
    parts, depth = [""], 0
    for letter in inner:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return [head, tail, *sorted(part.strip() for part in parts)]


def in_postgresql(address: str) -> list[str]:
    """The statements by which PostgreSQL would make it once more: every column in its place."""
    dump = [postgresql_programs() / "pg_dump", "--schema-only", "--no-owner", "-d", address]
    told = subprocess.run(dump, check=True, capture_output=True, text=True).stdout
    # A word of chance, by which psql knows that the dump is what it reads.
    lines = [line for line in told.splitlines() if not line.startswith(("\\restrict", "\\unrestrict"))]
    return [_without_casts(line) if line.startswith("CREATE INDEX") else line for line in lines]


def _without_casts(line: str) -> str:
    """Once its column was given another length, the condition of an index is written with other casts."""
    return re.sub(r"::(character varying|text)(\[\])?|[()]", "", line)
