"""Changes passed on to listeners."""

from __future__ import annotations

import asyncio

import pytest

from tests.tournaments.live_updates.loops import run
from tournaments.live_updates.fanout import MAX_SPREAD_SECONDS, Fanout, Listener, TooManyListeners
from tournaments.live_updates.topics import LiveTopic, PageAudience

PLAYERS = LiveTopic(7, PageAudience.PLAYERS)
OFFICERS = LiveTopic(7, PageAudience.OFFICERS)
OTHERS = LiveTopic(8, PageAudience.PLAYERS)


async def hears_nothing(listener: Listener) -> bool:
    try:
        await listener.next_notice(patience=0.01)
    except TimeoutError:
        return True
    return False


def test_news_of_another_event_and_another_audience_are_not_heard():
    async def story() -> None:
        fanout = Fanout(limit=10)
        with fanout.listen_to_topic(PLAYERS) as listener:
            fanout.publish_version(OTHERS, 1)
            fanout.publish_version(OFFICERS, 2)
            assert await hears_nothing(listener)

    run(story)


def test_more_than_the_limit_are_refused_until_somebody_leaves():
    async def story() -> None:
        fanout = Fanout(limit=2)
        with fanout.listen_to_topic(PLAYERS):
            with fanout.listen_to_topic(OTHERS), pytest.raises(TooManyListeners), fanout.listen_to_topic(PLAYERS):
                pass
            assert len(fanout) == 1
            with fanout.listen_to_topic(PLAYERS):
                assert len(fanout) == 2

    run(story)


def test_whoever_has_left_is_forgotten():
    async def story() -> None:
        fanout = Fanout(limit=2)
        with fanout.listen_to_topic(PLAYERS) as gone:
            pass
        fanout.publish_version(PLAYERS, 3)
        assert await hears_nothing(gone)
        assert (len(fanout), fanout.subscribed_topics) == (0, set())

    run(story)


def test_everyone_who_listens_hears_it_once():
    async def story() -> None:
        fanout = Fanout(limit=10)
        with fanout.listen_to_topic(PLAYERS) as first, fanout.listen_to_topic(PLAYERS) as second:
            fanout.publish_version(PLAYERS, 3)
            for listener in (first, second):
                news = await listener.next_notice(patience=1)
                assert news is not None
                assert news.version == 3
                assert await hears_nothing(listener)

    run(story)


def test_a_slow_listener_hears_the_latest_only():
    async def story() -> None:
        fanout = Fanout(limit=10)
        with fanout.listen_to_topic(PLAYERS) as listener:
            for version in range(50):
                fanout.publish_version(PLAYERS, version)
            news = await listener.next_notice(patience=1)
            assert news is not None
            assert news.version == 49
            assert await hears_nothing(listener)

    run(story)


def test_leaving_wakes_whoever_waits():
    async def story() -> None:
        listener = Listener()
        waiting = asyncio.create_task(listener.next_notice(patience=5))
        await asyncio.sleep(0)
        listener.close_listener()
        assert await waiting is None

    run(story)


def test_many_spread_their_questions_and_few_do_not():
    fanout = Fanout(limit=20_000)

    def spread(listeners: int) -> float:
        before = [fanout.listen_to_topic(PLAYERS) for _ in range(listeners)]
        for each in before:
            each.__enter__()
        answer = fanout.request_spread_seconds(PLAYERS)
        for each in before:
            each.__exit__(None, None, None)
        return answer

    assert spread(0) == 0
    assert spread(40) < 0.1
    assert spread(400) > spread(40)
    assert spread(15_000) == MAX_SPREAD_SECONDS
