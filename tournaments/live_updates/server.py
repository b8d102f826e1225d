"""The process that holds the streams: an ASGI application without sessions, forms, or anything but news.

However many pages listen, it asks the database one short question every `EVERY` seconds, and none while nobody
listens. A stream carries version numbers: a page that learns of another number asks for itself, as whoever it belongs
to. Of a page that is the same for everybody it carries what has changed as well, made once for all who look at it.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError, connections

from tournaments.live_updates.carrying import Part, carried, part_of
from tournaments.live_updates.fanout import Fanout, Full, Listener, News
from tournaments.live_updates.news import LogReader
from tournaments.live_updates.topics import Kind, Topic, UnknownToken, topic_of, versions_of_topics

EVERY = 0.4
BEAT = 15.0
"""Seconds between beats: each repeats the version, so that a page which missed something finds out."""
AFTER_FAILURE = 2.0

FEWEST_CARRIED_TO = 2
"""Open pages of one address and language for which its changes are made here."""
MOST_PAGES_CARRIED = 20
"""Of one piece of news: each takes as long as a visitor's request for the page."""

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Answer = TypeVar("Answer")

_log = logging.getLogger(__name__)


class LiveServer:
    """`GET /live/<token>/` is a stream of a topic's news; `GET /live/` says how many there are."""

    def __init__(self, *, most_streams: int, check_database: Callable[[], None] = lambda: None) -> None:
        """`check_database` raises ImproperlyConfigured where this program must not start on the database."""
        self._most_streams = most_streams
        self._check_database = check_database
        # Django's connections belong to threads: one thread, one connection.
        self._database = ThreadPoolExecutor(max_workers=1, thread_name_prefix="live-database")
        self._versions: dict[Topic, int] = {}
        self._pages = ThreadPoolExecutor(max_workers=1, thread_name_prefix="live-pages")
        self._parts: dict[Topic, Part] = {}
        self._waiting: dict[Topic, bool] = {}
        self._making = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http":
            await self._answer(scope, receive, send)

    # -- From start to end -------------------------------------------------------------------------------------------

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        try:
            await self._ask(self._check_database)
        except ImproperlyConfigured as later:
            await send({"type": "lifespan.startup.failed", "message": str(later)})
            return
        self._fanout = Fanout(self._most_streams)
        watching = asyncio.create_task(self._watch())
        await send({"type": "lifespan.startup.complete"})
        await receive()
        watching.cancel()
        for thread in (self._database, self._pages):
            thread.submit(connections.close_all)
            thread.shutdown()
        await send({"type": "lifespan.shutdown.complete"})

    async def _watch(self) -> None:
        """Tell of every change while anybody listens."""
        reader = LogReader()
        while True:
            if not len(self._fanout):
                self._versions.clear()
                reader = LogReader()
            await self._fanout.somebody_listens()
            try:
                changed = await self._ask(reader.changed_events)
                heard = self._fanout.topics
                # What nobody listens to is not kept up: whoever comes back to it asks.
                self._versions = {topic: version for topic, version in self._versions.items() if topic in heard}
                if asked := heard if changed is None else {topic for topic in heard if _concerns(topic, changed)}:
                    self._tell(await self._ask(partial(versions_of_topics, asked)))
            except DatabaseError:
                _log.exception("the database does not answer; asking again in %s seconds", AFTER_FAILURE)
                await self._ask(connections.close_all)
                await asyncio.sleep(AFTER_FAILURE)
            await asyncio.sleep(EVERY)

    def _tell(self, found: dict[Topic, int]) -> None:
        before = self._versions
        self._versions = {**before, **found}
        changed = [topic for topic, version in found.items() if before.get(topic) != version]
        carried = self._worth_carrying(changed)
        for topic in changed:
            if topic in carried:
                self._begin(topic, tells=True)
            else:
                self._parts.pop(topic, None)
                self._fanout.publish(topic, found[topic])

    # -- What streams carry ------------------------------------------------------------------------------------------

    def _worth_carrying(self, topics: Iterable[Topic]) -> set[Topic]:
        """The pages that most have open; whoever looks at another one asks for it, which costs the same."""
        found = [topic for topic in topics if topic.shown and self._fanout.listeners(topic) >= FEWEST_CARRIED_TO]
        return set(sorted(found, key=self._fanout.listeners, reverse=True)[:MOST_PAGES_CARRIED])

    def _begin(self, topic: Topic, *, tells: bool) -> None:
        """Make the part of a page anew and tell its listeners, unless that is about to be begun anyway."""
        if topic in self._waiting:
            self._waiting[topic] |= tells
        else:
            self._waiting[topic] = tells
            task = asyncio.create_task(self._carry(topic))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _carry(self, topic: Topic) -> None:
        async with self._making:
            # Whatever is done from here on may not be in this part, and has it made once more.
            tells, before, told = self._waiting.pop(topic), self._parts.pop(topic, None), ""
            try:
                now = await asyncio.get_running_loop().run_in_executor(self._pages, part_of, topic.shown)
            except Exception:
                # The page has a mistake, or the database does not answer: whoever asks for it will be told.
                _log.exception("a part could not be made")
                now = None
        if now is not None and self._fanout.listeners(topic):
            self._parts[topic] = now
            told = carried(before, now) if before is not None and before.mark != now.mark else ""
        version = self._versions.get(topic)
        if tells and version is not None:
            self._fanout.publish(topic, version, told)
        for gone in self._parts.keys() - self._fanout.topics:
            del self._parts[gone]

    async def _ask(self, question: Callable[[], Answer]) -> Answer:
        return await asyncio.get_running_loop().run_in_executor(self._database, question)

    # -- One request -------------------------------------------------------------------------------------------------

    async def _answer(self, scope: Message, receive: Receive, send: Send) -> None:
        path = scope["path"].removesuffix("/")
        if scope["method"] != "GET" or not path.startswith("/live"):
            await _say(send, 404, "There are streams of news here, and nothing else.")
        elif path == "/live":
            await _say(send, 200, f"{len(self._fanout)} streams")
        else:
            try:
                topic = topic_of(path.removeprefix("/live/"))
            except UnknownToken:
                await _say(send, 403, "This address is not valid, or not any more: load the page again.")
                return
            try:
                await self._stream(topic, receive, send)
            except DatabaseError:
                await _say(send, 503, "The database does not answer.")

    async def _stream(self, topic: Topic, receive: Receive, send: Send) -> None:
        try:
            with self._fanout.listening(topic) as listener:
                version = await self._version(topic)
                if topic not in self._parts and topic in self._worth_carrying([topic]):
                    self._begin(topic, tells=False)
                gone = asyncio.create_task(_until_gone(receive))
                gone.add_done_callback(lambda _task: listener.leave())
                try:
                    await send(_head(200, b"text/event-stream; charset=utf-8"))
                    await _send(send, f"retry: {random.randint(1_000, 3_000)}\n\n")  # noqa: S311
                    await self._tell_on(News(version=version, within=self._fanout.spread(topic)), topic, listener, send)
                finally:
                    gone.cancel()
        except Full:
            await _say(send, 503, "As many streams are open as this process can hold.")

    async def _tell_on(self, news: News | None, topic: Topic, listener: Listener, send: Send) -> None:
        """Send the first news and all that follow, until the listener leaves."""
        while news is not None:
            version = news.version
            told = f",{news.carried}" if news.carried else ""
            await _send(send, f"id: {version}\ndata: [{version},{round(news.within, 2)}{told}]\n\n")
            try:
                news = await listener.next(patience=BEAT)
            except TimeoutError:
                news = News(version=self._versions.get(topic, version), within=0)

    async def _version(self, topic: Topic) -> int:
        """The topic's version: asked for once, then kept by `_watch` as long as anybody listens."""
        if topic not in self._versions:
            found = await self._ask(partial(versions_of_topics, [topic]))
            self._versions.setdefault(topic, found.get(topic, 0))
        return self._versions[topic]


def _concerns(topic: Topic, changed: set[int]) -> bool:
    """Whether the topic may have another version, now that these events have changed."""
    return topic.key in changed if topic.kind is Kind.EVENT else bool(changed)


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _head(status: int, kind: bytes) -> Message:
    headers = [
        (b"content-type", kind),
        (b"cache-control", b"no-store"),
        (b"x-accel-buffering", b"no"),
        # The streams may have a port or a name of their own. They hold no secrets, and take no cookies.
        (b"access-control-allow-origin", b"*"),
    ]
    return {"type": "http.response.start", "status": status, "headers": headers}


async def _send(send: Send, text: str) -> None:
    await send({"type": "http.response.body", "body": text.encode(), "more_body": True})


async def _say(send: Send, status: int, text: str) -> None:
    await send(_head(status, b"text/plain; charset=utf-8"))
    await send({"type": "http.response.body", "body": f"{text}\n".encode()})
