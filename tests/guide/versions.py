"""Versions to upgrade to, one of which fails during the upgrade."""

from __future__ import annotations

from pathlib import Path

from tests.guide.checks import Asked, _still_there, _until_ready, signed_in
from tests.guide.machine import commit

GOOD, BAD = "v0.2.0", "v0.3.0"

_MIGRATION = '''"""One more table, and then: {then}."""

from django.db import migrations

class Migration(migrations.Migration):
    dependencies = [("clubs", "{before}")]
    operations = [migrations.RunSQL({sql!r})]
'''


def release_good_one(origin: Path) -> None:
    """The same program with another table."""
    _add_migration(origin, "9001_guide", "done", "CREATE TABLE guide_walked (n integer)")
    commit(origin, "One more table", tag=GOOD)


def release_bad_one(origin: Path) -> None:
    """A version whose migration creates a table and fails in the next one."""
    _add_migration(origin, "9002_guide", "done", "CREATE TABLE guide_half (n integer)")
    _add_migration(origin, "9003_guide", "failed", "SELECT nothing FROM nowhere")
    commit(origin, "It does not work", tag=BAD)


def try_the_bad_one(asked: Asked) -> None:
    """It fails, and everything is as before, with the earlier version."""
    said = asked.shell(f"if deploy/upgrade {BAD} 2>&1; then echo UPGRADED; fi")
    assert "UPGRADED" not in said, said
    assert "previous version" in said, said
    assert asked.shell("git describe --tags").strip() == GOOD
    assert _tables(asked) == {"guide_walked"}
    assert _until_ready(asked)["migrations"] == "ok"
    _still_there(asked)
    asked.note(f"{BAD}, whose second migration fails, brought {GOOD} back by itself, with the database as it was")


def after_upgrade(asked: Asked) -> None:
    assert asked.shell("git describe --tags").strip() == GOOD
    assert _tables(asked) == {"guide_walked"}
    assert _until_ready(asked)["migrations"] == "ok"
    _still_there(asked)
    asked.note(f"upgraded to {GOOD}, the newest")


def after_going_back(asked: Asked) -> None:
    assert asked.shell("git describe --tags").strip() == "v0.1.0"
    assert _tables(asked) == set()
    assert _until_ready(asked)["migrations"] == "ok"
    _still_there(asked)
    assert asked.shell("deploy/manage doctor --quick || true")
    asked.note("back again: the program, its packages and the tables of before")
    signed_in(asked)


def _tables(asked: Asked) -> set[str]:
    asks = "SELECT tablename FROM pg_tables WHERE tablename LIKE 'guide%'"
    return set(asked.shell(f'runuser -u postgres -- psql -At -d clubnight -c "{asks}"').split())


def _add_migration(origin: Path, name: str, then: str, sql: str) -> None:
    folder = origin / "clubs" / "migrations"
    before = sorted(path.stem for path in folder.glob("[0-9]*.py"))[-1]
    (folder / f"{name}.py").write_text(_MIGRATION.format(before=before, then=then, sql=sql))
