"""The database layer against a real PostgreSQL server, in processes that are told of it as a deployment is."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

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


def test_migrations_apply_and_leave_nothing_to_migrate(postgresql_server):
    run_on(postgresql_server, "manage.py", "migrate", "--verbosity", "0")
    assert "[ ]" not in run_on(postgresql_server, "manage.py", "showmigrations")
    run_on(postgresql_server, "manage.py", "makemigrations", "--check", "--dry-run")


APPS = ("clubs", "tournaments", "pairing")
TESTS = ROOT / "tests"
PARTS = {app: [TESTS / app] for app in APPS} | {
    "the rest": [path for path in sorted(TESTS.iterdir()) if path.name not in APPS]
}
"""Where the tests of the database layer stand, in parts that several workers run side by side."""


@pytest.mark.slow
@pytest.mark.parametrize("part", PARTS)
def test_what_holds_on_sqlite_holds_on_postgresql(postgresql_server, part):
    """Every test of the database layer once more."""
    printed = run_on(
        postgresql_server,
        "-m",
        "pytest",
        *("-p", "no:xdist", "-p", "no:cacheprovider", "--create-db"),
        *("-m", "database and not (browser or redis or postgresql or slow)"),
        *(str(path) for path in PARTS[part] if path.is_dir() or path.name.startswith("test_")),
    )
    assert " passed" in printed
