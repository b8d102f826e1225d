"""Rounds paired with a real Redis by a real worker, which is killed, stopped or missing at the worst moment."""

from __future__ import annotations

import shutil
import signal
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
import redis

from common.jobs.kinds import WorkerQueue
from tests.deployment import Deployment
from tests.fork_server import ForkedProcess, ForkServer
from tests.pausable_worker import HOLD
from tests.servers import free_port

ROOT = Path(__file__).resolve().parent.parent
pytestmark = [pytest.mark.redis, pytest.mark.slow]

MAKE_AN_EVENT = """
from clubs.models import Club, Membership, Role, User
from tournaments.entries.enrolment import enter_pasted_list
from tournaments.events.event_setup import create_tournament

club = Club.objects.create(name="Pod Wieżą", slug="pod-wieza")
for name in ("secretary", "second"):
    user = User.objects.create_user(name, password=name)
    Membership.objects.create(user=user, club=club, role=Role.SECRETARY)
event = create_tournament(club, by=None, name="Wednesday", rounds_announced=9)
players = "\\n".join(f"Player, Nr{{number:04}}; {{2400 - number // 4}}" for number in range(1, {players} + 1))
enter_pasted_list(event, players, by=None)
print(event.rounds.get(number=1).pk)
"""

ASK = """
import config.celery
from common.jobs.queue import enqueue_job
from clubs.models import User
from pairing.rounds.lifecycle.jobs import create_pairing_job
from tournaments.models import Round

round = Round.objects.get(pk={round})
jobs = [create_pairing_job(round, by=User.objects.get(username=name)) for name in ("secretary", "second")]
for job in jobs:
    enqueue_job(job)
print(*{{job.pk for job in jobs}})
"""


class HeldDeployment(Deployment):
    """With a database file, and workers that pause while pairing as long as the file `hold` exists."""

    def __init__(self, folder: Path, *, database: str, queue: str) -> None:
        self.hold = folder / "hold"
        super().__init__(folder, database=database, queue=queue, is_migrated=True)
        self.environment[HOLD] = str(self.hold)
        self._forks = ForkServer(self.environment, "config.celery", "clubs.tasks", "tournaments.tasks", "pairing.tasks")

    @contextmanager
    def worker(self) -> Iterator[ForkedProcess]:
        process = self._forks.start("tests.pausable_worker", log=self.worker_log)
        try:
            yield process
        finally:
            process.kill()
            process.wait()

    def end(self) -> None:
        super().end()
        self._forks.end()

    def ask(self, players: int) -> str:
        """Let two secretaries pair round 1 of a new event at once; return the key of the one job."""
        self.this_round = self.shell(MAKE_AN_EVENT.format(players=players))
        return self.ask_again()

    def ask_again(self) -> str:
        job = self.shell(ASK.format(round=self.this_round))
        assert job.isdecimal(), "two secretaries, one job"
        return job

    def stand_still(self, worker: ForkedProcess) -> None:
        """Pause the worker's process, but not during a write, which would keep SQLite's lock."""
        with closing(sqlite3.connect(self.database, timeout=0, isolation_level=None)) as rows:
            while True:
                worker.send_signal(signal.SIGSTOP)
                time.sleep(0.05)
                if _can_be_written(rows):
                    return
                worker.send_signal(signal.SIGCONT)
                time.sleep(0.05)

    def note(self, job: str, what: str) -> None:
        """Write a value to the job's row."""
        with closing(sqlite3.connect(self.database)) as rows, rows:
            rows.execute(f"UPDATE common_job SET {what} WHERE id = ?", [job])  # noqa: S608


def _can_be_written(rows: sqlite3.Connection) -> bool:
    try:
        rows.execute("BEGIN IMMEDIATE")
    except sqlite3.OperationalError:
        return False
    rows.execute("ROLLBACK")
    return True


@pytest.fixture(scope="module")
def deployment_of_all(redis_server, tmp_path_factory) -> Iterator[HeldDeployment]:
    """Its script process, which starts slowly, is used by all tests."""
    folder = tmp_path_factory.mktemp("held")
    deployment = HeldDeployment(folder, database=str(folder / "db.sqlite3"), queue=redis_server)
    yield deployment
    deployment.end()


@pytest.fixture
def deployment(deployment_of_all, redis_server, migrated_sqlite) -> HeldDeployment:
    """Each test starts with empty tables and an empty queue; the script process has no open connection."""
    redis.Redis.from_url(redis_server).flushall()
    deployment_of_all.hold.unlink(missing_ok=True)
    for left in Path(deployment_of_all.database).parent.glob("db.sqlite3*"):
        left.unlink()
    shutil.copy(migrated_sqlite, deployment_of_all.database)
    return deployment_of_all


def test_without_a_worker_the_page_says_so_and_nothing_is_lost(deployment, redis_server):
    job = deployment.ask(players=6)
    # A round is in its own queue, not behind papers; a worker started without queues serves all of them.
    lines = redis.Redis.from_url(redis_server)
    assert {line.value: lines.llen(line.value) for line in WorkerQueue} == {"rounds": 1, "papers": 0, "chores": 0}
    assert deployment.wait_for(job, standing="no worker")["games"] == 0
    with deployment.worker():
        assert deployment.wait_for(job, state="done")["games"] == 3


def test_without_redis_the_row_waits_and_goes_when_it_is_back(deployment, redis_server):
    deployment.environment["CLUBNIGHT_REDIS"] = f"redis://127.0.0.1:{free_port()}/0"
    job = deployment.ask(players=6)
    assert deployment.look(job)["standing"] == "not sent"
    deployment.environment["CLUBNIGHT_REDIS"] = redis_server
    with deployment.worker():
        seen = deployment.wait_for(job, state="done")
    assert (seen["games"], seen["paired"]) == (3, 1)


def test_a_worker_killed_in_mid_pairing_is_noticed_and_another_takes_over(deployment):
    """Killed with SIGKILL while pairing the round: the page says so, and there is one draft in the end."""
    deployment.hold.touch()
    with deployment.worker() as first:
        job = deployment.ask(players=6)
        deployment.wait_for(job, standing="at work")
        first.send_signal(signal.SIGKILL)
        first.wait()
    assert deployment.wait_for(job, standing="lost")["games"] == 0
    deployment.hold.unlink()
    with deployment.worker():
        seen = deployment.wait_for(job, state="done")
    assert (seen["games"], seen["paired"], seen["attempt"]) == (3, 1, 2)


def test_a_worker_paused_while_pairing_changes_nothing_when_it_continues(deployment):
    """Considered dead while it was paused: the other's draft is the only one."""
    deployment.hold.touch()
    with deployment.worker() as first:
        job = deployment.ask(players=6)
        deployment.wait_for(job, standing="at work")
        deployment.stand_still(first)
        deployment.wait_for(job, standing="lost")
        deployment.hold.unlink()
        with deployment.worker():
            seen = deployment.wait_for(job, state="done")
            first.send_signal(signal.SIGCONT)
            time.sleep(3)
            later = deployment.look(job)
    assert (seen["games"], seen["paired"], seen["attempt"]) == (3, 1, 2)
    assert later == seen


def test_what_takes_too_long_is_stopped_what_is_cancelled_ends_and_the_worker_goes_on(deployment):
    deployment.hold.touch()
    job = deployment.ask(players=6)
    deployment.note(job, "time_limit = 1")
    with deployment.worker():
        seen = deployment.wait_for(job, state="failed")
        assert "longer than 1 seconds" in seen["error"]
        assert (seen["games"], seen["paired"]) == (0, 0)

        second = deployment.ask_again()
        deployment.wait_for(second, standing="at work")
        deployment.note(second, "cancel_asked = 1")
        seen = deployment.wait_for(second, state="cancelled")
        assert (seen["games"], seen["paired"]) == (0, 0)

        deployment.hold.unlink()
        seen = deployment.wait_for(deployment.ask_again(), state="done")
    assert (seen["games"], seen["paired"]) == (3, 1)
