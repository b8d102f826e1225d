"""The database layer against a real PostgreSQL server, in processes that are told of it as a deployment is."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.servers import new_database
from tests.statements import NOT_THERE

ROOT = Path(__file__).resolve().parent.parent

pytestmark = pytest.mark.postgresql


def run_on(address: str, *arguments: str) -> str:
    """What a Python process prints that has this database; fails when it fails."""
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


def test_migrations_apply_and_leave_nothing_to_migrate(migrated_postgresql):
    assert "[ ]" not in run_on(migrated_postgresql, "manage.py", "showmigrations")
    run_on(migrated_postgresql, "manage.py", "makemigrations", "--check", "--dry-run")


TESTS = ROOT / "tests"
APPS = ("pairing", "clubs", "tournaments")
PARTS = {
    "pairing and clubs": [TESTS / "pairing", TESTS / "clubs"],
    "tournaments": [TESTS / "tournaments"],
    "the rest": [path for path in sorted(TESTS.iterdir()) if path.name not in APPS],
}
"""Where the tests of the database layer stand, in parts that several workers can share."""
SECONDS = {"pairing and clubs": 90, "tournaments": 65, "the rest": 110}


@pytest.mark.parametrize("part", [pytest.param(part, marks=pytest.mark.slow(seconds=SECONDS[part])) for part in PARTS])
def test_what_holds_on_sqlite_holds_on_postgresql(migrated_postgresql, part):
    """Every test of the database layer once more, on a copy of a database that has its tables."""
    new_database(migrated_postgresql, "test_migrated")
    printed = run_on(
        migrated_postgresql,
        "-m",
        "pytest",
        *("-p", "no:xdist", "-p", "no:cacheprovider", "--reuse-db"),
        *("-m", f"database and not ({NOT_THERE})"),
        *(str(path) for path in PARTS[part] if path.is_dir() or path.name.startswith("test_")),
    )
    assert " passed" in printed
