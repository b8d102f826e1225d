"""The measurement of notifications under faults, on a small scale."""

from __future__ import annotations

import shutil

import pytest
import redis

from lab.telling import deployed, tell_under_faults
from tests.mail_server import MailServer
from tests.push_service import PushService
from tests.servers import free_port

pytestmark = [pytest.mark.redis, pytest.mark.slow]


def test_each_player_is_notified_once_though_the_worker_is_killed(redis_server, migrated_sqlite, tmp_path):
    redis.Redis.from_url(redis_server).flushall()
    database = shutil.copy(migrated_sqlite, tmp_path / "db.sqlite3")
    mail, pushes = MailServer(free_port(), pause=0.05), PushService()
    deployment = deployed(tmp_path, queue=redis_server, mail=mail, pushes=pushes, database=str(database))
    try:
        told = tell_under_faults(deployment, mail=mail, pushes=pushes, players=8, kills=1)
    finally:
        deployment.end()
        mail.close()
        pushes.close()
    assert told.kills == 1
    assert (told.letters, told.shown) == ((1,) * 8, (1,) * 8)
