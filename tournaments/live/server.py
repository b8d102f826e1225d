"""The process that holds the streams: an ASGI application without sessions, forms, or anything but news.

However many pages listen, it asks the database one short question every `EVERY` seconds, and none while nobody
listens. Streams carry version numbers, never data: a page that learns of another number asks for itself, as whoever it
belongs to.
"""

from __future__ import annotations

import asyncio
import json
import logging
import random
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

from django.db import DatabaseError, connections

from tournaments.live.fanout import Fanout, Full, Listener, News
from tournaments.live.news import LogReader
from tournaments.live.topics import Kind, Topic, UnknownToken, topic_of, versions_of_topics

EVERY = 0.4
BEAT = 15.0
"""Seconds between beats: each repeats the version, so that a page which missed something finds out."""
AFTER_FAILURE = 2.0

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Answer = TypeVar("Answer")

_log = logging.getLogger(__name__)


class LiveServer:
    """`GET /live/<token>/` is a stream of a topic's news; `GET /live/` says how many there are."""

    def __init__(self, *, most_streams: int) -> None:
        self._most_streams = most_streams
        # Django's connections belong to threads: one thread, one connection.
        self._database = ThreadPoolExecutor(max_workers=1, thread_name_prefix="live-database")
        self._versions: dict[Topic, int] = {}

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http":
            await self._answer(scope, receive, send)

    # -- From start to end -------------------------------------------------------------------------------------------

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        self._fanout = Fanout(self._most_streams)
        watching = asyncio.create_task(self._watch())
        await send({"type": "lifespan.startup.complete"})
        await receive()
        watching.cancel()
        self._database.submit(connections.close_all)
        self._database.shutdown()
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
        for topic, version in found.items():
            if before.get(topic) != version:
                self._fanout.publish(topic, version)

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
            await _send(send, f"id: {version}\ndata: {json.dumps([version, round(news.within, 2)])}\n\n")
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
