"""A database used by a later version: this version does not start with it, and its backup is not accepted."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from django.core.checks import run_checks
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from config.celery import refuse_newer_database
from operations.schema_guard import NewerDatabaseError, check_database_at_startup, unknown_migrations
from tests.tournaments.live_updates.loops import run
from tournaments.live_updates.stream_server import LiveUpdateServer

SENTENCE = "made by a newer version of the program: tournaments.9001_from_tomorrow.* Continue with that version"


@pytest.fixture
def later(db) -> None:
    check_database_at_startup()
    refuse_newer_database()
    MigrationRecorder(connection).record_applied("tournaments", "9001_from_tomorrow")


def test_what_starts_refuses(later):
    with pytest.raises(NewerDatabaseError, match=SENTENCE):
        check_database_at_startup()
    with pytest.raises(SystemExit, match=SENTENCE):
        refuse_newer_database()
    (found,) = [each for each in run_checks(include_deployment_checks=True) if each.id == "clubnight.E004"]
    assert "tournaments.9001_from_tomorrow" in found.msg
    assert found.is_serious()


@pytest.fixture
def later_for_others(transactional_db) -> Iterator[None]:
    """Committed, so that other connections see it."""
    recorder = MigrationRecorder(connection)
    recorder.record_applied("an_app_to_come", "0001_initial")
    yield
    recorder.record_unapplied("an_app_to_come", "0001_initial")


def test_the_streams_do_not_start(later_for_others):
    """An app of only the later version is enough. Uvicorn ends on request."""

    async def story() -> None:
        steps: asyncio.Queue[dict[str, str]] = asyncio.Queue()
        said: asyncio.Queue[dict[str, str]] = asyncio.Queue()
        await steps.put({"type": "lifespan.startup"})
        await LiveUpdateServer(most_streams=10, check_database=check_database_at_startup)(
            {"type": "lifespan"}, steps.get, said.put
        )
        answer = said.get_nowait()
        assert answer["type"] == "lifespan.startup.failed"
        assert "made by a newer version of the program: an_app_to_come.0001_initial. Continue with" in answer["message"]

    run(story)


def test_it_is_not_ready_although_it_was(db, client):
    assert client.get("/readyz").json()["checks"]["migrations"] == "ok"
    MigrationRecorder(connection).record_applied("tournaments", "9001_from_tomorrow")
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["checks"]["migrations"]) == (503, "failed")


def test_migrate_and_backup_refuse(later, settings, tmp_path):
    settings.BACKUP_DIR = tmp_path / "backups"
    for command in (["migrate", "--check"], ["migrate"], ["backup"], ["backup", str(tmp_path / "made.zip")]):
        with pytest.raises(CommandError, match=SENTENCE):
            call_command(*command, verbosity=0) if command[0] == "migrate" else call_command(*command)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.one_database
def test_a_file_that_is_not_there_is_not_made(settings, monkeypatch, tmp_path, db):
    if connection.vendor != "sqlite":
        pytest.skip("a file is made by SQLite alone")
    monkeypatch.setitem(connection.settings_dict, "NAME", tmp_path / "nothing.sqlite3")
    assert unknown_migrations() == []
    assert list(tmp_path.iterdir()) == []
