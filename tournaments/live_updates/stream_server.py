"""The server of the streams: an ASGI application without sessions or forms.

However many pages listen, it runs one short query every `POLL_SECONDS` seconds, and none without listeners. A stream
sends version numbers: a page that gets a new one reloads with its own user's permissions. For a shared page it also
sends the changes, made once for all who have it open.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError, connections

from clubs.membership.accounts.client_address import find_client_address, is_trusted_proxy, network_of_address
from tournaments.live_updates.fanout import Fanout, Listener, StateChangeNotice, TooManyListeners
from tournaments.live_updates.log_reader import LogReader
from tournaments.live_updates.page_patches import PagePart, encode_page_patch, render_page_part
from tournaments.live_updates.topics import InvalidTopicToken, LiveTopic, TopicKind, topic_from_token, topic_versions

POLL_SECONDS = 0.4
HEARTBEAT_SECONDS = 15.0
"""Seconds between heartbeats. Each repeats the version, so that a page notices missed news."""
RETRY_SECONDS = 2.0

MAX_STREAMS_PER_ADDRESS = 1_000
"""A hall full of phones may share one address."""

MIN_LISTENERS_FOR_PATCH = 2
"""The number of open pages of one URL and language from which changes are made here."""
MAX_PATCHED_PAGES = 20
"""Per change; each takes as long as a visitor's request for the page."""

AsgiMessage = dict[str, Any]
AsgiReceive = Callable[[], Awaitable[AsgiMessage]]
AsgiSend = Callable[[AsgiMessage], Awaitable[None]]
QueryResult = TypeVar("QueryResult")

_log = logging.getLogger(__name__)


class LiveUpdateServer:
    """An ASGI application. `GET /live/<token>/` streams a topic's changes.

    `GET /live/` and `GET /healthz` return the stream count.
    """

    def __init__(self, *, most_streams: int, check_database: Callable[[], None] = lambda: None) -> None:
        """Create the server. `check_database` raises ImproperlyConfigured if the database must not be used."""
        self._most_streams = most_streams
        self._check_database = check_database
        # Django's connections belong to threads: one thread, one connection.
        self._database = ThreadPoolExecutor(max_workers=1, thread_name_prefix="live-database")
        self._versions: dict[LiveTopic, int] = {}
        self._pages = ThreadPoolExecutor(max_workers=1, thread_name_prefix="live-pages")
        self._parts: dict[LiveTopic, PagePart] = {}
        self._waiting: dict[LiveTopic, bool] = {}
        self._making = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()
        self._of_address: Counter[str] = Counter()

    async def __call__(self, scope: AsgiMessage, receive: AsgiReceive, send: AsgiSend) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http":
            await self._answer(scope, receive, send)

    # -- From start to end -------------------------------------------------------------------------------------------

    async def _live(self, receive: AsgiReceive, send: AsgiSend) -> None:
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
        """Publish every change while anybody listens."""
        reader = LogReader()
        while True:
            if not len(self._fanout):
                self._versions.clear()
                reader = LogReader()
            await self._fanout.wait_for_listener()
            try:
                changed = await self._ask(reader.read_changed_events)
                heard = self._fanout.subscribed_topics
                # Topics without listeners are not tracked: a new listener queries the version again.
                self._versions = {topic: version for topic, version in self._versions.items() if topic in heard}
                if asked := heard if changed is None else {topic for topic in heard if _concerns(topic, changed)}:
                    self._tell(await self._ask(partial(topic_versions, asked)))
            except DatabaseError:
                _log.exception("the database does not answer; asking again in %s seconds", RETRY_SECONDS)
                await self._ask(connections.close_all)
                await asyncio.sleep(RETRY_SECONDS)
            await asyncio.sleep(POLL_SECONDS)

    def _tell(self, found: dict[LiveTopic, int]) -> None:
        before = self._versions
        self._versions = {**before, **found}
        changed = [topic for topic, version in found.items() if before.get(topic) != version]
        carried = self._worth_carrying(changed)
        for topic in changed:
            if topic in carried:
                self._begin(topic, tells=True)
            else:
                self._parts.pop(topic, None)
                self._fanout.publish_version(topic, found[topic])

    # -- What streams carry ------------------------------------------------------------------------------------------

    def _worth_carrying(self, topics: Iterable[LiveTopic]) -> set[LiveTopic]:
        """Return the pages that most listeners have open. Other pages reload, which costs the same."""
        found = [
            topic for topic in topics if topic.page and self._fanout.count_listeners(topic) >= MIN_LISTENERS_FOR_PATCH
        ]
        return set(sorted(found, key=self._fanout.count_listeners, reverse=True)[:MAX_PATCHED_PAGES])

    def _begin(self, topic: LiveTopic, *, tells: bool) -> None:
        """Render the part of a page again and notify its listeners, unless this is already queued."""
        if topic in self._waiting:
            self._waiting[topic] |= tells
        else:
            self._waiting[topic] = tells
            task = asyncio.create_task(self._carry(topic))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _carry(self, topic: LiveTopic) -> None:
        async with self._making:
            # A change from here on may not be in this part, and makes it render again.
            tells, before, told = self._waiting.pop(topic), self._parts.pop(topic, None), ""
            try:
                now = await asyncio.get_running_loop().run_in_executor(self._pages, render_page_part, topic.page)
            except Exception:
                # The page has an error, or the database does not answer: a reload will report it.
                _log.exception("a part could not be made")
                now = None
        if now is not None and self._fanout.count_listeners(topic):
            self._parts[topic] = now
            told = encode_page_patch(before, now) if before is not None and before.etag != now.etag else ""
        version = self._versions.get(topic)
        if tells and version is not None:
            self._fanout.publish_version(topic, version, told)
        for gone in self._parts.keys() - self._fanout.subscribed_topics:
            del self._parts[gone]

    async def _ask(self, question: Callable[[], QueryResult]) -> QueryResult:
        return await asyncio.get_running_loop().run_in_executor(self._database, question)

    # -- One request -------------------------------------------------------------------------------------------------

    async def _answer(self, scope: AsgiMessage, receive: AsgiReceive, send: AsgiSend) -> None:
        path = scope["path"].removesuffix("/")
        if scope["method"] == "GET" and path in ("/live", "/healthz"):
            await _say(send, 200, f"{len(self._fanout)} streams")
        elif scope["method"] != "GET" or not path.startswith("/live"):
            await _say(send, 404, "There are streams of news here, and nothing else.")
        else:
            try:
                topic = topic_from_token(path.removeprefix("/live/"))
            except InvalidTopicToken:
                await _say(send, 403, "This address is not valid or has expired. Load the page again.")
                return
            try:
                await self._stream_to(_stranger(scope), topic, receive, send)
            except DatabaseError:
                await _say(send, 503, "The database does not answer.")

    async def _stream_to(self, address: str, topic: LiveTopic, receive: AsgiReceive, send: AsgiSend) -> None:
        """Stream to one address, unless it has too many streams. This machine has any number."""
        if address and self._of_address[address] >= MAX_STREAMS_PER_ADDRESS:
            await _say(send, 429, "As many streams are open from this address as it can have.")
            return
        self._of_address[address] += 1
        try:
            await self._stream(topic, receive, send)
        finally:
            self._of_address[address] -= 1
            if not self._of_address[address]:
                del self._of_address[address]

    async def _stream(self, topic: LiveTopic, receive: AsgiReceive, send: AsgiSend) -> None:
        try:
            with self._fanout.listen_to_topic(topic) as listener:
                version = await self._version(topic)
                if topic not in self._parts and topic in self._worth_carrying([topic]):
                    self._begin(topic, tells=False)
                gone = asyncio.create_task(_until_gone(receive))
                gone.add_done_callback(lambda _task: listener.close_listener())
                try:
                    await send(_head(200, b"text/event-stream; charset=utf-8"))
                    await _send(send, f"retry: {random.randint(1_000, 3_000)}\n\n")  # noqa: S311
                    await self._tell_on(
                        StateChangeNotice(version=version, spread_seconds=self._fanout.request_spread_seconds(topic)),
                        topic,
                        listener,
                        send,
                    )
                finally:
                    gone.cancel()
        except TooManyListeners:
            await _say(send, 503, "As many streams are open as this process can hold.")

    async def _tell_on(
        self, news: StateChangeNotice | None, topic: LiveTopic, listener: Listener, send: AsgiSend
    ) -> None:
        """Send the first news and all that follows, until the listener leaves."""
        while news is not None:
            version = news.version
            told = f",{news.patch}" if news.patch else ""
            await _send(send, f"id: {version}\ndata: [{version},{round(news.spread_seconds, 2)}{told}]\n\n")
            try:
                news = await listener.next_notice(patience=HEARTBEAT_SECONDS)
            except TimeoutError:
                news = StateChangeNotice(version=self._versions.get(topic, version), spread_seconds=0)

    async def _version(self, topic: LiveTopic) -> int:
        """Return the topic's version: queried once, then updated by `_watch` while anybody listens."""
        if topic not in self._versions:
            found = await self._ask(partial(topic_versions, [topic]))
            self._versions.setdefault(topic, found.get(topic, 0))
        return self._versions[topic]


def _concerns(topic: LiveTopic, changed: set[int]) -> bool:
    """Return True if changes in these events may have changed the topic's version."""
    return topic.key in changed if topic.kind is TopicKind.EVENT else bool(changed)


def _stranger(scope: AsgiMessage) -> str:
    """Return the network that asks. Empty for this machine and its web server themselves."""
    headers = dict(scope.get("headers", ()))
    forwarded = headers.get(b"x-forwarded-for", b"").decode("latin-1")
    address = find_client_address((scope.get("client") or ("",))[0], forwarded)
    return "" if is_trusted_proxy(address) else network_of_address(address)


async def _until_gone(receive: AsgiReceive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _head(status: int, kind: bytes) -> AsgiMessage:
    headers = [
        (b"content-type", kind),
        (b"cache-control", b"no-store"),
        (b"x-accel-buffering", b"no"),
        # The streams may have a port or hostname of their own. They contain no secrets and use no cookies.
        (b"access-control-allow-origin", b"*"),
    ]
    return {"type": "http.response.start", "status": status, "headers": headers}


async def _send(send: AsgiSend, text: str) -> None:
    await send({"type": "http.response.body", "body": text.encode(), "more_body": True})


async def _say(send: AsgiSend, status: int, text: str) -> None:
    await send(_head(status, b"text/plain; charset=utf-8"))
    await send({"type": "http.response.body", "body": f"{text}\n".encode()})
