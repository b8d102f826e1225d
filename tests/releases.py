"""What a release leaves behind for the tests: hashes of its migrations and its notes, and a small database it made.

`python -m tests.releases` writes them for the version in pyproject.toml, into `tests/data/releases/<version>/`.
"""

from __future__ import annotations

import hashlib
import lzma
import os
import sqlite3
import subprocess
import sys
import tempfile
import tomllib
from contextlib import closing
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "tests" / "data" / "releases"
HASHES, NOTES, DATA = "migrations.sha256", "changelog.sha256", "data.sqlite3.xz"
APPS = ("clubs", "tournaments", "pairing")


def releases() -> list[str]:
    """The versions that were released, the earliest first."""
    return sorted((path.name for path in FOLDER.iterdir()), key=lambda name: [int(part) for part in name.split(".")])


def version() -> str:
    """The version this checkout is, or becomes."""
    told: str = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    return told


def hashes_of(release: str) -> dict[str, str]:
    """The migrations a release had, by path, and what stood in them."""
    lines = (FOLDER / release / HASHES).read_text(encoding="ascii").splitlines()
    return {path: digest for digest, path in (line.split("  ", 1) for line in lines)}


def notes_of(release: str) -> str:
    """What CHANGELOG says of a release, its heading included."""
    _before, _heading, after = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").partition(f"\n## [{release}]")
    return f"## [{release}]{after}".partition("\n## [")[0].strip()


def hash_of_notes(release: str) -> str:
    return hashlib.sha256(notes_of(release).encode()).hexdigest()


def hash_of(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def unpack_data(release: str, target: Path) -> None:
    """The database of a release, as a SQLite file."""
    target.write_bytes(lzma.decompress((FOLDER / release / DATA).read_bytes()))


TO_THE_RELEASE = """
import sys
import django
django.setup()
from django.db import connection
from django.db.migrations import executor
from tests.tables import Chain
from tournaments.models.guards import put_guards_up
released = {tuple(name.split(".")) for name in sys.argv[1:]}
executor.MigrationLoader = Chain
going = executor.MigrationExecutor(connection)
nodes = going.loader.graph.node_map
going.migrate([key for key in released if not any(child.key in released for child in nodes[key].children)])
put_guards_up()
"""


def make_tables_of(release: str, address: str) -> None:
    """The tables as a release had them, in an empty database."""
    with tempfile.TemporaryDirectory() as name:
        unpack_data(release, data := Path(name, "released.sqlite3"))
        with closing(sqlite3.connect(data)) as old:
            applied = [".".join(row) for row in old.execute("SELECT app, name FROM django_migrations")]
    environment = os.environ | {"CLUBNIGHT_DATABASE": address, "DJANGO_SETTINGS_MODULE": "tests.settings"}
    subprocess.run([sys.executable, "-c", TO_THE_RELEASE, *applied], cwd=ROOT, env=environment, check=True)


def leave_behind(release: str) -> None:
    """Write what this checkout leaves behind as that release; never over what one has left already."""
    folder = FOLDER / release
    folder.mkdir(parents=True)
    migrations = sorted(path for app in APPS for path in (ROOT / app / "migrations").glob("0*.py"))
    lines = [f"{hash_of(path)}  {path.relative_to(ROOT).as_posix()}" for path in migrations]
    (folder / HASHES).write_text("\n".join([*lines, ""]), encoding="ascii")
    (folder / NOTES).write_text(f"{hash_of_notes(release)}\n", encoding="ascii")
    with tempfile.TemporaryDirectory() as name:
        database = Path(name) / "release.sqlite3"
        environment = os.environ | {
            "CLUBNIGHT_DATABASE": str(database),
            "CLUBNIGHT_VAR": name,
            "CLUBNIGHT_DEBUG": "1",
            "CLUBNIGHT_REDIS": "",
        }
        for command in (("migrate", "--verbosity", "0"), ("demo",)):
            subprocess.run([sys.executable, "manage.py", *command], cwd=ROOT, env=environment, check=True)
        with closing(sqlite3.connect(database, isolation_level=None)) as made:
            for statement in ("DELETE FROM django_session", "PRAGMA journal_mode=DELETE", "VACUUM"):
                made.execute(statement)
        (folder / DATA).write_bytes(lzma.compress(database.read_bytes(), preset=9 | lzma.PRESET_EXTREME))


if __name__ == "__main__":
    leave_behind(version())
