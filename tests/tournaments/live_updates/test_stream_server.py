"""The stream process, called as uvicorn calls it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from django.db import OperationalError, connections
from django.test import Client
from django.urls import reverse

from tests.factories import draft_of, make_event, published
from tests.tournaments.live_updates.loops import run
from tests.tournaments.live_updates.test_text_patches import put_together
from tournaments.audit_log.actions import EventAction
from tournaments.audit_log.recorder import record_action
from tournaments.live_updates import log_reader, stream_server
from tournaments.live_updates.stream_server import LiveUpdateServer
from tournaments.live_updates.topics import DisplayedPage, LiveTopic, PageAudience, TopicKind, sign_topic
from tournaments.models import Game, Tournament
from tournaments.results.recording import enter_result

pytestmark = pytest.mark.django_db(transaction=True)


class Visitor:
    """One request, and the response."""

    def __init__(self, application: LiveUpdateServer, path: str, method: str = "GET", address: str = "") -> None:
        self._messages: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._gone = asyncio.Event()
        forwarded = [(b"x-forwarded-for", address.encode())] if address else []
        scope = {"type": "http", "method": method, "path": path, "client": ("127.0.0.1", 1), "headers": forwarded}
        self.request = asyncio.create_task(application(scope, self._receive, self._messages.put))

    async def _receive(self) -> dict[str, Any]:
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def status(self) -> int:
        start = await asyncio.wait_for(self._messages.get(), 5)
        self.headers = dict(start["headers"])
        return start["status"]

    async def text(self) -> str:
        return (await asyncio.wait_for(self._messages.get(), 5))["body"].decode()

    async def news(self) -> list[Any]:
        """The next event of the stream."""
        while True:
            message = await asyncio.wait_for(self._messages.get(), 5)
            for line in message.get("body", b"").decode().splitlines():
                if line.startswith("data: "):
                    return json.loads(line.removeprefix("data: "))

    async def version(self) -> int:
        """The next version from the stream."""
        while True:
            for line in (await self.text()).splitlines():
                if line.startswith("data: "):
                    return json.loads(line.removeprefix("data: "))[0]

    async def hears_nothing(self) -> bool:
        try:
            await asyncio.wait_for(self._messages.get(), 0.3)
        except TimeoutError:
            return True
        return False

    async def leave(self) -> None:
        self._gone.set()
        await asyncio.wait_for(self.request, 5)


@asynccontextmanager
async def started(**options: Any) -> AsyncIterator[LiveUpdateServer]:
    application = LiveUpdateServer(**({"most_streams": 10} | options))
    steps: asyncio.Queue[dict[str, str]] = asyncio.Queue()
    said: asyncio.Queue[dict[str, str]] = asyncio.Queue()
    life = asyncio.create_task(application({"type": "lifespan"}, steps.get, said.put))
    await steps.put({"type": "lifespan.startup"})
    assert (await asyncio.wait_for(said.get(), 5))["type"] == "lifespan.startup.complete"
    yield application
    await steps.put({"type": "lifespan.shutdown"})
    await asyncio.wait_for(life, 5)


async def in_thread(act: Callable[..., object], *args: Any, **kwargs: Any) -> None:
    def acted() -> None:
        try:
            act(*args, **kwargs)
        finally:
            connections.close_all()

    await asyncio.to_thread(acted)


def path_of(event: Tournament, audience: PageAudience = PageAudience.PLAYERS) -> str:
    return f"/live/{sign_topic(LiveTopic(event.pk, audience))}/"


@pytest.fixture(autouse=True)
def quick(monkeypatch) -> None:
    monkeypatch.setattr(stream_server, "POLL_SECONDS", 0.02)


@pytest.fixture
def event(club) -> Tournament:
    return make_event(club, players=6)


@pytest.mark.parametrize(
    ("path", "method", "status"),
    [
        ("/", "GET", 404),
        ("/pod-wieza/", "GET", 404),
        ("/healthz", "GET", 200),
        ("/live/", "POST", 404),
        ("/live/nonsense/", "GET", 403),
        ("/live/1.p:forged:token/", "GET", 403),
    ],
)
def test_nothing_but_streams(path, method, status):
    async def story() -> None:
        async with started() as application:
            assert await Visitor(application, path, method).status() == status

    run(story)


def test_one_stream_too_many_is_refused(event):
    path = path_of(event)

    async def story() -> None:
        async with started(most_streams=1) as application:
            first = Visitor(application, path)
            assert await first.status() == 200
            await first.version()
            assert await Visitor(application, path).status() == 503
            await first.leave()
            assert await Visitor(application, path).status() == 200

    run(story)


def test_one_address_has_not_all_the_streams(event, monkeypatch):
    monkeypatch.setattr(stream_server, "MAX_STREAMS_PER_ADDRESS", 1)
    path = path_of(event)

    async def story() -> None:
        async with started() as application:
            first = Visitor(application, path, address="192.0.2.1")
            assert await first.status() == 200
            await first.version()
            assert await Visitor(application, path, address="192.0.2.1").status() == 429
            assert await Visitor(application, path, address="192.0.2.2").status() == 200
            assert [await Visitor(application, path).status() for _place in range(2)] == [200, 200], "this machine"
            await first.leave()
            assert await Visitor(application, path, address="192.0.2.1").status() == 200

    run(story)


def test_a_stream_says_the_version_and_then_every_new_one_and_nothing_else(event, club):
    other = make_event(club)
    path = path_of(event)

    async def story() -> None:
        async with started() as application:
            phone = Visitor(application, path)
            assert await phone.status() == 200
            assert phone.headers[b"content-type"].startswith(b"text/event-stream")
            assert phone.headers[b"x-accel-buffering"] == b"no"
            first = await phone.version()
            await in_thread(record_action, other, EventAction.TOURNAMENT_CHANGED, by=None, name="secret")
            assert await phone.hears_nothing()
            await in_thread(record_action, event, EventAction.TOURNAMENT_CHANGED, by=None, name="secret")
            text = await phone.text()
            assert text == f"id: {first + 1}\ndata: [{first + 1},0.0]\n\n"
            await phone.leave()

    run(story)


def test_drafts_are_told_to_officers_only(event):
    players, officers = path_of(event), path_of(event, PageAudience.OFFICERS)

    async def story() -> None:
        async with started() as application:
            phone, laptop = Visitor(application, players), Visitor(application, officers)
            await phone.status()
            await laptop.status()
            await phone.version()
            before = await laptop.version()
            await in_thread(draft_of, event, 1)
            assert await laptop.version() > before
            assert await phone.hears_nothing()

    run(story)


def test_a_list_of_events_is_told_of_what_it_shows_alone(event):
    path = f"/live/{sign_topic(LiveTopic(event.club_id, PageAudience.PLAYERS, TopicKind.EVENT_LIST))}/"

    async def story() -> None:
        async with started() as application:
            phone = Visitor(application, path)
            await phone.status()
            before = await phone.version()
            await in_thread(record_action, event, EventAction.RESULT_ENTERED, by=None)
            assert await phone.hears_nothing()
            await in_thread(published, event, 1)
            assert await phone.version() != before

    run(story)


def test_a_beat_repeats_the_version(event, monkeypatch):
    monkeypatch.setattr(stream_server, "HEARTBEAT_SECONDS", 0.05)
    path = path_of(event)

    async def story() -> None:
        async with started() as application:
            phone = Visitor(application, path)
            await phone.status()
            first = await phone.version()
            assert await phone.version() == first

    run(story)


def test_whoever_comes_back_later_is_told_what_happened_meanwhile(event):
    path = path_of(event)

    async def story() -> None:
        async with started() as application:
            phone = Visitor(application, path)
            await phone.status()
            first = await phone.version()
            await phone.leave()
            await asyncio.sleep(0.1)
            await in_thread(record_action, event, EventAction.TOURNAMENT_CHANGED, by=None)
            again = Visitor(application, path)
            await again.status()
            assert await again.version() == first + 1
            await again.leave()
        async with started() as another_process:
            after_restart = Visitor(another_process, path)
            await after_restart.status()
            assert await after_restart.version() == first + 1

    run(story)


def test_a_database_that_does_not_answer_is_asked_again(event, monkeypatch):
    monkeypatch.setattr(stream_server, "RETRY_SECONDS", 0.02)
    path = path_of(event)
    asked = log_reader.LogReader.read_changed_events
    failures = iter([None, OperationalError("gone"), OperationalError("gone")])

    def changed_events(reader: log_reader.LogReader) -> set[int] | None:
        failure = next(failures, None)
        if failure is not None:
            raise failure
        return asked(reader)

    monkeypatch.setattr(log_reader.LogReader, "read_changed_events", changed_events)

    async def story() -> None:
        async with started() as application:
            phone = Visitor(application, path)
            await phone.status()
            first = await phone.version()
            await in_thread(record_action, event, EventAction.TOURNAMENT_CHANGED, by=None)
            assert await phone.version() == first + 1

    run(story)


def test_however_many_listen_the_database_is_asked_no_more(event, monkeypatch):
    path = path_of(event)
    asked: list[object] = []
    versions_of_topics = stream_server.topic_versions

    def counted(topics: Any) -> Any:
        asked.append(topics)
        return versions_of_topics(topics)

    monkeypatch.setattr(stream_server, "topic_versions", counted)

    async def story() -> None:
        async with started(most_streams=100) as application:
            phones = [Visitor(application, path)]
            await phones[0].status()
            await phones[0].version()
            await asyncio.sleep(0.1)
            asked.clear()
            phones += [Visitor(application, path) for _ in range(60)]
            for phone in phones[1:]:
                await phone.status()
                await phone.version()
            await in_thread(record_action, event, EventAction.TOURNAMENT_CHANGED, by=None)
            for phone in phones:
                await phone.version()
            assert len(asked) == 1

    run(story)


# -- What streams carry ----------------------------------------------------------------------------------------------

PART = {"HX-Request": "true", "HX-Target": "live"}


def page_of(event: Tournament, language: str = "en", query: str = "") -> tuple[str, LiveTopic]:
    path = reverse("round", args=[event.club.slug, event.slug, 1])
    return path, LiveTopic(
        event.pk, PageAudience.PLAYERS, page=DisplayedPage("http", "testserver", path + query, language)
    )


def draw(event: Tournament, board: int) -> None:
    game = event.rounds.get(number=1).games.get(board=board)
    enter_result(game, Game.Result.DRAW, revision=game.revision, by=None)


async def sent(path: str, language: str = "en") -> tuple[str, str]:
    """The part of a page and its mark, as a visitor of the web server gets it."""
    found: list[tuple[str, str]] = []

    def ask() -> None:
        answer = Client(headers={"Accept-Language": language}).get(path, headers=PART)
        found.append((answer.headers["ETag"], answer.content.decode()))

    await in_thread(ask)
    return found[0]


def test_the_changes_of_a_page_that_some_have_open_come_with_the_news(event):
    published(event, 1)
    path, topic = page_of(event)
    in_polish = page_of(event, "pl")[1]

    async def story() -> None:
        async with started(most_streams=20) as application:
            phones = [
                Visitor(application, f"/live/{sign_topic(each)}/") for each in (topic, topic, in_polish, in_polish)
            ]
            alone = Visitor(application, f"/live/{sign_topic(page_of(event, query='?page=1')[1])}/")
            of_a_member = Visitor(application, path_of(event))
            for each in (*phones, alone, of_a_member):
                assert len(await each.news()) == 2
            while len(application._parts) < 2:
                await asyncio.sleep(0.01)
            marks = {"en": await sent(path), "pl": await sent(path, "pl")}
            for board in (1, 2):
                await in_thread(draw, event, board)
                for each, language in zip(phones, ("en", "en", "pl", "pl"), strict=True):
                    before, text = marks[language]
                    version, _within, since, mark, steps = await each.news()
                    now = await sent(path, language)
                    assert (since, mark) == (before, now[0])
                    assert put_together(text, json.dumps(steps)) == now[1]
                    assert f'data-version="{version}"' in now[1]
                    assert len(json.dumps(steps)) < len(now[1]) / 4
                marks = {"en": await sent(path), "pl": await sent(path, "pl")}
                assert len(await alone.news()) == 2
                assert len(await of_a_member.news()) == 2

    run(story)


def test_nothing_of_an_event_that_is_closed_or_of_a_draft_is_carried(event):
    published(event, 1)
    _path, topic = page_of(event)

    async def story() -> None:
        async with started(most_streams=20) as application:
            phones = [Visitor(application, f"/live/{sign_topic(topic)}/") for _phone in range(2)]
            for each in phones:
                await each.news()
            while not application._parts:
                await asyncio.sleep(0.01)
            await in_thread(Tournament.objects.update, is_public=False)
            await in_thread(draw, event, 1)
            for each in phones:
                assert len(await each.news()) == 2
            assert not application._parts

    run(story)


def test_of_a_page_that_has_become_another_one_only_the_news_is_told(event):
    _path, topic = page_of(event)

    async def story() -> None:
        async with started(most_streams=20) as application:
            phones = [Visitor(application, f"/live/{sign_topic(topic)}/") for _phone in range(2)]
            for each in phones:
                await each.news()
            while not application._parts:
                await asyncio.sleep(0.01)
            await in_thread(published, event, 1)
            for each in phones:
                assert len(await each.news()) == 2

    run(story)
