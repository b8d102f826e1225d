"""Fixtures for all tests."""

from __future__ import annotations

import gc
import json
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.conf import settings
from django.core.cache import cache, caches
from django.db import connection, transaction
from django.test import TransactionTestCase, override_settings
from django.utils import timezone, translation
from django.utils.module_loading import import_string
from pytest_django import DjangoDbBlocker

from clubs.membership.accounts import throttling
from clubs.models import Club, Role, User
from common.jobs import queue as jobs
from common.tabular import subprocess_reader
from pairing.view_models.standings.event_standings import clear_standings_cache
from tests.database_snapshot import wait_for_jobs
from tests.factories import make_club, make_user
from tests.postgresql_selection import name_of, skipped_tests
from tests.quick_selection import is_left_out_as_a_whole, left_out_of_quick_runs
from tests.servers import migrated_postgresql, migrated_sqlite, postgresql_server, redis_server
from tests.slow_first import slow_first
from tournaments.live_updates.shared_page_middleware import clear_page_caches

__all__ = [
    "event_files",
    "migrated_postgresql",
    "migrated_sqlite",
    "postgresql_server",
    "redis_server",
]

EVENT_FILES = Path(__file__).parent / "data" / "events"
ON_POSTGRESQL = os.environ.get("CLUBNIGHT_POSTGRESQL", "")
"""`all`: those that can be left out run there as well, as before a release."""

GARBAGE_FROM = 20_000

SECONDS_OF_A_SLOW_TEST = 10
"""What a test takes, about, that is marked `slow` and does not say how long."""


NOT_QUICK = frozenset({"browser", "postgresql", "redis", "slow"})


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--quick", action="store_true", help="the tests for the daily loop: no browsers, no other servers, nothing slow"
    )


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark each test that uses the database, also through a fixture: those run on PostgreSQL as well.

    Those that send nothing that others do not send there are left out, unless all are asked for
    (docs/project/decisions/0023-tests-on-postgresql.md).
    """
    if {"db", "transactional_db"} & set(getattr(item, "fixturenames", ())) or item.get_closest_marker("django_db"):
        item.add_marker(pytest.mark.database)
    marked = item.get_closest_marker("every_database")
    if name_of(item) in skipped_tests() and not marked and ON_POSTGRESQL != "all":
        item.add_marker(pytest.mark.one_database)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """One worker more than processors: long tests wait a third of the time for browsers, servers and workers."""
    return (os.cpu_count() or 1) + (0 if config.getoption("quick") else 1)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """A quick run does not load files of which it runs no test."""
    if not config.getoption("quick") or collection_path.suffix != ".py":
        return None
    return True if is_left_out_as_a_whole(collection_path) else None


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Each worker starts with its share of the slow tests, so that none is left for the end.

    What only PostgreSQL can do is not among them on SQLite: it runs within `tests/test_postgresql.py`.
    """
    if is_on_sqlite():
        elsewhere = [item for item in items if item.get_closest_marker("postgresql_alone")]
        config.hook.pytest_deselected(items=elsewhere)
        items[:] = [item for item in items if item not in elsewhere]
    if config.getoption("quick"):
        left_out = left_out_of_quick_runs()
        not_quick = {item for item in items if name_of(item) in left_out or is_slow(item)}
        config.hook.pytest_deselected(items=[item for item in items if item in not_quick])
        items[:] = [item for item in items if item not in not_quick]
    slow = [item.get_closest_marker("slow") for item in items]
    seconds = [mark.kwargs.get("seconds", SECONDS_OF_A_SLOW_TEST) if mark else 0 for mark in slow]
    items[:] = slow_first(items, seconds, int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")))


def is_slow(item: pytest.Item) -> bool:
    """Return True if a test needs a browser or another server, or takes long."""
    return bool(NOT_QUICK & {mark.name for mark in item.iter_markers()})


def pytest_collection_finish() -> None:
    """Thousands of tests and imports stay until the end: collecting garbage among them is useless.

    Looked for it is at every so many new objects, not at every 700, which took 8 % of what pages take.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(GARBAGE_FROM)


@pytest.fixture(scope="session")
def event_files() -> Path:
    """The folder of real event files with invented people (tests/data/README.md); `odd/` has the difficult ones."""
    assert any(EVENT_FILES.glob("*.trf")), f"the repository's own event files are missing: {EVENT_FILES}"
    return EVENT_FILES


@pytest.fixture(scope="session", autouse=True)
def quick_passwords() -> Iterator[None]:
    """Hash passwords quickly: in production hashing is slow on purpose."""
    with override_settings(PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"]):
        yield


@pytest.fixture(autouse=True)
def no_taps_counted() -> None:
    """Clear the cache: a player of another test may have had the same link and used up its check-ins."""
    cache.clear()


@pytest.fixture
def files_are_read_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read files in this process, for tests that read many: a subprocess takes half a second each time."""

    def read(asked: bytes, data: bytes, _seconds: int) -> bytes:
        order = json.loads(asked)
        try:
            result = import_string(order["reader"])(data, **order["options"])
        except Exception:  # as in the subprocess, which then fails
            return b"null"
        return json.dumps({"result": result}).encode()

    monkeypatch.setattr(subprocess_reader, "_read", read)


@pytest.fixture
def no_time_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Freeze the clock between attempts: on a busy machine the delay of two seconds may be over already."""
    stopped_at = timezone.now()
    monkeypatch.setattr(throttling, "timezone", SimpleNamespace(now=lambda: stopped_at))


@pytest.fixture(autouse=True)
def no_pages_kept() -> None:
    """Clear the cache: an event of another test may have had the same key and as many log lines."""
    caches["parts"].clear()
    clear_page_caches()
    clear_standings_cache()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(request, django_db_modify_db_settings_parallel_suffix, tmp_path_factory) -> None:
    """SQLite in a file, as in a deployment, so that several connections can be used."""
    database = settings.DATABASES["default"]
    if is_on_sqlite():
        name = tmp_path_factory.mktemp("database") / "test.sqlite3"
        shutil.copy(request.getfixturevalue("migrated_sqlite"), name)
        database["TEST"] = {**database.get("TEST", {}), "NAME": str(name)}


@pytest.fixture(scope="session")
def django_db_keepdb(request) -> bool:
    """The copy already has its tables."""
    return is_on_sqlite() or bool(request.config.getvalue("reuse_db"))


def is_on_sqlite() -> bool:
    return settings.DATABASES["default"]["ENGINE"].endswith("sqlite3")


@pytest.fixture(scope="session", autouse=True)
def tables_are_emptied_quickly(request: pytest.FixtureRequest) -> Iterator[None]:
    """Clear the database after a test that commits. Django's way is slow, and the ledger's triggers refuse it."""
    empty = tables_as_they_were(request) if is_on_sqlite() else all_rows_deleted

    def emptied(_case: TransactionTestCase) -> None:
        wait_for_jobs()
        empty()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", emptied)
        yield


def tables_as_they_were(request: pytest.FixtureRequest) -> Callable[[], None]:
    """For SQLite: replace the database by the file with empty tables."""

    def emptied() -> None:
        connection.ensure_connection()
        with closing(sqlite3.connect(request.getfixturevalue("migrated_sqlite"))) as empty:
            empty.backup(connection.connection)

    return emptied


def all_rows_deleted() -> None:
    """For PostgreSQL: without triggers, and without new files for two hundred tables and indexes."""
    kept = {"django_migrations", "django_content_type", "auth_permission"}
    tables = sorted(set(connection.introspection.django_table_names(only_existing=True, include_views=False)) - kept)
    deletes = [f"DELETE FROM {connection.ops.quote_name(table)}" for table in tables]  # noqa: S608
    with connection.cursor() as cursor:
        cursor.execute(
            "; ".join(["SET session_replication_role = replica", *deletes, "RESET session_replication_role"])
        )


@pytest.fixture(autouse=True)
def jobs_are_done_at_once(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run jobs before the page answers: in a test's transaction no other process would see them.

    Tests that commit (`transaction=True`, a live server) have it done as it is in a deployment without a queue.
    """
    marker = request.node.get_closest_marker("django_db")
    if (marker and marker.kwargs.get("transaction")) or "transactional_db" in request.fixturenames:
        return

    done_at_once(monkeypatch)


def done_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run every job as soon as it is sent."""

    def do(job_id: int, task: str, time_limit: int | None) -> None:
        import_string(task).apply(args=[job_id])

    monkeypatch.setattr(jobs, "_after_commit", lambda act: act())
    monkeypatch.setattr(jobs, "_dispatch", do)


@pytest.fixture(scope="session", autouse=True)
def nobody_looks_for_lost_jobs() -> Iterator[None]:
    """A test server starts no thread that would use a later test's database."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jobs, "start_lost_job_watcher", lambda: None)
        yield


@pytest.fixture(scope="module")
def module_transaction(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """A transaction around all tests of a module, in which objects are made once (tests/module_fixtures.py)."""
    with (
        django_db_blocker.unblock(),
        transaction.atomic(),
        translation.override("en"),
        pytest.MonkeyPatch.context() as patch,
    ):
        done_at_once(patch)
        yield
        transaction.set_rollback(True)


@pytest.fixture(autouse=True)
def in_english() -> Iterator[None]:
    """Reset the language, which a page in another test may have changed."""
    with translation.override("en"):
        yield


@pytest.fixture
def club(db) -> Club:
    return make_club()


@pytest.fixture
def secretary(club) -> User:
    return make_user("secretary", club, Role.SECRETARY)


@pytest.fixture
def arbiter(club) -> User:
    return make_user("arbiter", club, Role.ARBITER)


@pytest.fixture
def treasurer(club) -> User:
    return make_user("treasurer", club, Role.TREASURER)


@pytest.fixture
def member(club) -> User:
    return make_user("member", club, Role.MEMBER)


@pytest.fixture
def outsider(db) -> User:
    """A user without a club."""
    return make_user("outsider")


@pytest.fixture
def neighbour(db) -> User:
    """The secretary of another club."""
    return make_user("neighbour", make_club("na-skale", "Na Skale"), Role.SECRETARY)
