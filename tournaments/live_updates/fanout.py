"""Passing news to all listeners: no database, no network, one event loop."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from tournaments.live_updates.topics import LiveTopic

REQUESTS_PER_SECOND = 1_000
MAX_SPREAD_SECONDS = 1.2
"""Seconds over which many listeners spread their requests; with the rest, all have the news within two seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StateChangeNotice:
    """The new version of an event's state. Listeners reload at a random moment within `spread_seconds` seconds.

    Listeners with the state that `patch` starts from need not reload (`page_patches.encode_page_patch`).
    """

    version: int
    spread_seconds: float
    patch: str = ""


class TooManyListeners(Exception):
    """Raised if this process already has the maximum number of listeners."""


class Listener:
    """One open page. Unread news is replaced by newer news: only the latest matters."""

    __slots__ = ("_latest", "_woken")

    def __init__(self) -> None:
        self._latest: StateChangeNotice | None = None
        self._woken = asyncio.Event()

    def deliver_notice(self, news: StateChangeNotice) -> None:
        self._latest = news
        self._woken.set()

    def close_listener(self) -> None:
        """Wake the waiting reader without news, so that it ends."""
        self._latest = None
        self._woken.set()

    async def next_notice(self, *, patience: float) -> StateChangeNotice | None:
        """Return the latest news, or None if the listener was closed. Raises TimeoutError after `patience` seconds."""
        async with asyncio.timeout(patience):
            await self._woken.wait()
        self._woken.clear()
        return self._latest


class Fanout:
    """All listeners by topic, `limit` at most."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._listeners: defaultdict[LiveTopic, set[Listener]] = defaultdict(set)
        self._count = 0
        self._somebody = asyncio.Event()

    def __len__(self) -> int:
        return self._count

    @property
    def subscribed_topics(self) -> set[LiveTopic]:
        return set(self._listeners)

    @contextmanager
    def listen_to_topic(self, topic: LiveTopic) -> Iterator[Listener]:
        """Yield a listener to a topic until the block ends. Raises TooManyListeners if the limit is reached."""
        if self._count >= self._limit:
            raise TooManyListeners
        listener = Listener()
        self._listeners[topic].add(listener)
        self._count += 1
        self._somebody.set()
        try:
            yield listener
        finally:
            self._count -= 1
            self._listeners[topic].discard(listener)
            if not self._listeners[topic]:
                del self._listeners[topic]
            if not self._count:
                self._somebody.clear()

    async def wait_for_listener(self) -> None:
        """Wait until there is at least one listener."""
        await self._somebody.wait()

    def request_spread_seconds(self, topic: LiveTopic) -> float:
        """Return the seconds over which the listeners of all pages of an event should spread their requests."""
        same = [each for each in self._listeners if each[:2] == topic[:2]]
        return min(MAX_SPREAD_SECONDS, sum(map(self.count_listeners, same)) / REQUESTS_PER_SECOND)

    def count_listeners(self, topic: LiveTopic) -> int:
        """Return the number of listeners to exactly this topic."""
        return len(self._listeners.get(topic, ()))

    def publish_version(self, topic: LiveTopic, version: int, carried: str = "") -> None:
        """Send news to all of a topic's listeners."""
        news = StateChangeNotice(version=version, spread_seconds=self.request_spread_seconds(topic), patch=carried)
        for listener in self._listeners.get(topic, ()):
            listener.deliver_notice(news)
