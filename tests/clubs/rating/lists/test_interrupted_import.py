"""An import killed by SIGKILL, in a worker with a real Redis and in a server without: it continues where it stopped."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
import redis

from lab.made_up_list import write_list
from tests.deployment import ROOT, SECONDS, Deployment
from tests.servers import free_port

pytestmark = [pytest.mark.redis, pytest.mark.slow]

PLAYERS = 10_000
KILLED_BEHIND = 2_000

KEEP = """
import config.celery
from common.jobs.queue import enqueue_job
from clubs.rating.lists.import_jobs import get_fide_register, store_list_for_import

with open({path!r}, "rb") as file:
    listed = store_list_for_import(get_fide_register(), file, "players_list_foa.txt", kind="", by=None)
enqueue_job(listed.job)
print(listed.job_id)
"""

KEEP_UNSENT = KEEP.replace("enqueue_job(listed.job)\n", "")


@pytest.fixture
def deployment(redis_server, migrated_sqlite, tmp_path) -> Iterator[Deployment]:
    """A deployment with a database file of its own and an empty queue."""
    redis.Redis.from_url(redis_server).flushall()
    database = shutil.copy(migrated_sqlite, tmp_path / "db.sqlite3")
    deployment = Deployment(tmp_path, database=str(database), queue=redis_server, is_migrated=True)
    yield deployment
    deployment.end()


def begin(deployment: Deployment, script: str, tmp_path: Path) -> str:
    write_list(tmp_path / "list.txt", PLAYERS)
    return deployment.shell(script.format(path=str(tmp_path / "list.txt")))


def asked(deployment: Deployment, question: str) -> list[tuple]:
    with closing(sqlite3.connect(deployment.database, timeout=20)) as rows:
        return rows.execute(question).fetchall()


def wait_until_in_the_middle(deployment: Deployment) -> int:
    """The line reached so far."""
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        ((line,),) = asked(deployment, "SELECT line FROM clubs_ratinglistimport")
        assert line < PLAYERS
        if line > KILLED_BEHIND:
            return line
        time.sleep(0.01)
    pytest.fail("the import did not begin")


def check_nothing_is_missing_or_twice(deployment: Deployment) -> None:
    assert asked(deployment, "SELECT line, players, skipped FROM clubs_ratinglistimport") == [(PLAYERS + 1, PLAYERS, 0)]
    assert asked(deployment, "SELECT count(*), count(DISTINCT number) FROM clubs_ratinglistplayer") == [
        (PLAYERS, PLAYERS)
    ]
    # The index matches the table: otherwise FTS5 raises an error.
    with closing(sqlite3.connect(deployment.database)) as rows:
        rows.execute("INSERT INTO listed_player_parts (listed_player_parts, rank) VALUES ('integrity-check', 1)")


def test_a_killed_workers_import_is_finished_by_another(deployment, tmp_path):
    with deployment.worker() as first:
        job = begin(deployment, KEEP, tmp_path)
        reached = wait_until_in_the_middle(deployment)
        first.kill()
        first.wait()
    assert asked(deployment, "SELECT line FROM clubs_ratinglistimport")[0][0] >= reached
    with deployment.worker():
        assert deployment.wait_for(job, state="done")["attempt"] == 2
    check_nothing_is_missing_or_twice(deployment)


@contextmanager
def server(deployment: Deployment) -> Iterator[None]:
    """A server without Redis, killed at the end of the block as by a power failure."""
    command = [sys.executable, "-m", "gunicorn", "config.wsgi", "--bind", f"127.0.0.1:{free_port()}"]
    process = subprocess.Popen(
        command, cwd=ROOT, env=deployment.environment, stdin=subprocess.DEVNULL, start_new_session=True
    )
    try:
        yield
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def test_a_killed_servers_import_is_finished_by_the_next(deployment, tmp_path):
    del deployment.environment["CLUBNIGHT_REDIS"]
    begin(deployment, KEEP_UNSENT, tmp_path)
    with server(deployment):
        wait_until_in_the_middle(deployment)
    with server(deployment):
        deadline = time.monotonic() + SECONDS
        while asked(deployment, "SELECT state FROM common_job") != [("done",)]:
            assert time.monotonic() < deadline, "never finished"
            time.sleep(0.2)
    check_nothing_is_missing_or_twice(deployment)
    assert asked(deployment, "SELECT attempt FROM common_job") == [(2,)]
