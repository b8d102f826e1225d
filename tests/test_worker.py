"""Tasks through a real Redis, done by a real worker in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import redis

from tests.servers import running

ROOT = Path(__file__).resolve().parent.parent

pytestmark = [pytest.mark.redis, pytest.mark.slow]

MAKE_AN_EVENT = """
from clubs.models import Club
from tournaments.entering import enter_pasted_list
from tournaments.setting_up import create_tournament

club = Club.objects.create(name="Pod Wieżą", slug="pod-wieza")
event = create_tournament(club, by=None, name="Wednesday", rounds_announced=3)
enter_pasted_list(event, "\\n".join(f"Player, {letter}" for letter in "ABCDEF"), by=None)
print(event.rounds.get(number=1).pk)
"""

PAIR_TWICE_BY_TASK = """
import config.wsgi
from pairing.tasks import pair_round_task
from tournaments.models import Game, Round

answers = [pair_round_task.delay({round}, None) for _ in range(2)]
print([answer.get(timeout=60) for answer in answers], Game.objects.count(), Round.objects.get(pk={round}).state)
"""

A_ROUND_THAT_IS_NOT = """
import config.wsgi
from pairing.tasks import pair_round_task

try:
    pair_round_task.delay(0, None).get(timeout=60)
except Exception as error:
    print(type(error).__name__)
"""


@pytest.fixture(scope="module")
def deployment(redis_server, tmp_path_factory):
    """The environment of a deployment with its own database file, whose worker is running."""
    folder = tmp_path_factory.mktemp("deployment")
    environment = os.environ | {"CLUBNIGHT_DATABASE": str(folder / "db.sqlite3"), "CLUBNIGHT_REDIS": redis_server}
    manage(environment, "migrate", "--verbosity", "0")
    worker = [sys.executable, "-m", "celery", "-A", "config", "worker", "--pool", "solo", "--without-gossip"]
    queue = redis.Redis.from_url(redis_server)

    def answers():
        # A worker that is ready waits for messages: a client blocked on its queue.
        if not any(client["cmd"] == "brpop" for client in queue.client_list()):
            raise ConnectionError

    with running(worker, answers=answers, folder=str(ROOT), environment=environment):
        yield environment


def manage(environment, *arguments: str) -> str:
    """What a management command prints."""
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout.strip()


def test_a_task_that_fails_says_so(deployment):
    assert manage(deployment, "shell", "--no-imports", "-c", A_ROUND_THAT_IS_NOT) == "DoesNotExist"


def test_a_round_is_paired_by_a_worker_once(deployment):
    """The task sent twice pairs once: three boards, the same version both times."""
    this_round = manage(deployment, "shell", "--no-imports", "-c", MAKE_AN_EVENT)
    printed = manage(deployment, "shell", "--no-imports", "-c", PAIR_TWICE_BY_TASK.format(round=this_round))
    assert printed == "[1, 1] 3 draft"
