"""The database layer with a real PostgreSQL server, in processes configured like a deployment."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.postgresql_selection import NOT_THERE
from tests.servers import new_database

ROOT = Path(__file__).resolve().parent.parent

pytestmark = pytest.mark.postgresql


def run_on(address: str, *arguments: str) -> str:
    """The output of a Python process with this database. Fails if the process fails."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=os.environ | {"CLUBNIGHT_DATABASE": address},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, f"{done.stdout[-6000:]}\n{done.stderr[-3000:]}"
    return done.stdout


KEEPALIVES = """
import django
django.setup()
from django.db import connection
with connection.cursor() as cursor:
    for name in ("idle", "interval", "count"):
        cursor.execute(f"SHOW tcp_keepalives_{name}")
        print(cursor.fetchone()[0])
"""

COMMANDS = """
import sys
import django
django.setup()
from django.core.management import call_command
for line in sys.argv[1:]:
    call_command(*line.split())
"""


def commands_on(address: str, *lines: str) -> str:
    """The output of management commands, in one process: each would take two seconds to start."""
    return run_on(address, "-c", COMMANDS, *lines)


def test_migrations_apply_and_leave_nothing_to_migrate(migrated_postgresql):
    assert "[ ]" not in commands_on(migrated_postgresql, "showmigrations", "makemigrations --check --dry-run")


TESTS = ROOT / "tests"
WITHOUT_ROWS = [TESTS / name for name in ("browser", "guide", "pairing/cli", "pairing/conformance", "pairing/engine")]
"""Folders that are not even loaded there."""


def test_what_is_not_loaded_has_no_test_of_the_database(request):
    """Of the tests that would run there; in a run of all tests, of all."""
    elsewhere = {*NOT_THERE.split(" or ")}
    reach_it = [item for item in request.session.items if item.get_closest_marker("database")]
    there = [item for item in reach_it if not elsewhere & {mark.name for mark in item.iter_markers()}]
    assert [item.nodeid for item in there if set(WITHOUT_ROWS) & set(item.path.parents)] == []


@pytest.mark.slow(seconds=120)
def test_a_failed_machine_does_not_keep_its_locks(migrated_postgresql):
    """PostgreSQL asks the other end of a silent connection, and closes it within seconds."""
    told = run_on(migrated_postgresql, "-c", KEEPALIVES).split()
    idle, interval, count = map(int, told)
    assert 0 < idle + interval * count <= 8


def test_what_holds_on_sqlite_holds_on_postgresql(migrated_postgresql):
    """Every test of the database layer again, on a copy of a database that has its tables.

    In one process: a second one would load and collect everything again.
    """
    new_database(migrated_postgresql, "test_migrated")
    printed = run_on(
        migrated_postgresql,
        "-m",
        "pytest",
        *("-p", "no:xdist", "-p", "no:cacheprovider", "--reuse-db"),
        *("-m", f"database and not ({NOT_THERE})"),
        *(f"--ignore={folder}" for folder in WITHOUT_ROWS),
    )
    assert " passed" in printed
