"""Rate limits are counted once for all processes, and a queue that is down limits nobody."""

from __future__ import annotations

import pytest

from config.limits_cache import LimitsCache
from tests.servers import free_port

OPTIONS = {"OPTIONS": {"serializer": "config.limits_cache.JsonSerializer", "socket_connect_timeout": 0.5}}


@pytest.mark.redis
def test_two_processes_count_together(redis_server):
    here, there = LimitsCache(redis_server, OPTIONS), LimitsCache(redis_server, OPTIONS)
    here.add("taps", 0, 60)
    there.add("taps", 0, 60)
    assert (here.incr("taps"), there.incr("taps"), here.get("taps")) == (1, 2, 2)
    here.set("times", [2.5, 1.25], 60)
    assert there.get("times") == [2.5, 1.25]
    there.delete("times")
    assert here.get("times", []) == []


def test_what_is_in_redis_is_never_run():
    cache = LimitsCache("redis://127.0.0.1/0", OPTIONS)
    with pytest.raises(ValueError, match="Expecting value"):
        cache._cache._serializer.loads(b"cos\nsystem\n(S'true'\ntR.")


def test_without_redis_nothing_is_limited():
    cache = LimitsCache(f"redis://127.0.0.1:{free_port()}/0", OPTIONS)
    assert cache.add("taps", 0, 60)
    assert cache.incr("taps") == 1
    cache.set("times", [1.0], 60)
    assert cache.get("times", []) == []
    assert not cache.delete("times")
