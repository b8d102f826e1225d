"""Log lines since the last read."""

from __future__ import annotations

import re
import threading

import pytest
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse

from tests.factories import make_club, make_event, published
from tournaments.audit_log.actions import EventAction
from tournaments.audit_log.recorder import record_action
from tournaments.live_updates.log_reader import GAP_WATCH_SECONDS, MAX_WATCHED_GAPS, LogReader
from tournaments.models import Game, LogEntry, Tournament
from tournaments.results.recording import enter_result

pytestmark = pytest.mark.every_database


class Clock:
    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def events(club) -> list[Tournament]:
    return [make_event(club), make_event(club)]


def note(event: Tournament, key: int) -> None:
    LogEntry.objects.create(pk=key, tournament=event, action="tournament changed")


def begun(clock: Clock) -> LogReader:
    reader = LogReader(clock)
    assert reader.read_changed_events() is None, "when it begins, anything may have changed"
    return reader


def test_nothing_new_is_nothing(events, clock):
    reader = begun(clock)
    assert reader.read_changed_events() == set()
    record_action(events[0], EventAction.TOURNAMENT_CHANGED, by=None)
    reader.read_changed_events()
    assert reader.read_changed_events() == set()


def test_an_empty_log(db, clock):
    assert begun(clock).read_changed_events() == set()


def test_the_events_of_new_lines(events, clock):
    reader = begun(clock)
    record_action(events[1], EventAction.TOURNAMENT_CHANGED, by=None)
    assert reader.read_changed_events() == {events[1].pk}
    for event in events:
        record_action(event, EventAction.TOURNAMENT_CHANGED, by=None)
    assert reader.read_changed_events() == {event.pk for event in events}


def test_however_much_happened_it_is_one_query(events, clock, django_assert_num_queries):
    reader = begun(clock)
    note(events[0], 10_000)
    note(events[0], 10_005)
    reader.read_changed_events()
    for _ in range(30):
        record_action(events[1], EventAction.TOURNAMENT_CHANGED, by=None)
    with django_assert_num_queries(1):
        reader.read_changed_events()


def test_a_line_that_appears_after_a_later_one_is_found(events, clock):
    """As on PostgreSQL, where a transaction that started first may commit last."""
    reader = begun(clock)
    note(events[0], 10_000)
    assert reader.read_changed_events() == {events[0].pk}
    note(events[0], 10_003)
    assert reader.read_changed_events() == {events[0].pk}
    note(events[1], 10_002)
    assert reader.read_changed_events() == {events[1].pk}
    assert reader.read_changed_events() == set()
    note(events[1], 10_001)
    assert reader.read_changed_events() == {events[1].pk}


def test_a_line_left_out_when_it_began_is_found(events, clock):
    note(events[0], 10_000)
    note(events[0], 10_002)
    reader = begun(clock)
    assert reader.read_changed_events() == set()
    note(events[1], 10_001)
    assert reader.read_changed_events() == {events[1].pk}


def test_keys_that_never_appear_are_given_up_and_then_anything_may_have_changed(events, clock):
    reader = begun(clock)
    note(events[0], 10_000)
    note(events[0], 10_000 + 2 * MAX_WATCHED_GAPS)
    assert reader.read_changed_events() == {events[0].pk}
    assert len(reader._left_out) <= MAX_WATCHED_GAPS
    clock.now += GAP_WATCH_SECONDS
    assert reader.read_changed_events() is None
    assert reader.read_changed_events() == set()
    assert reader._left_out == {}


@pytest.mark.postgresql_alone
@pytest.mark.django_db(transaction=True)
def test_a_transaction_that_is_committed_last_is_found(events, clock):
    """Of two simultaneous transactions, the earlier one gets the lower key; SQLite has one writer."""
    reader = begun(clock)
    has_written, may_commit = threading.Event(), threading.Event()

    def slow() -> None:
        try:
            with transaction.atomic():
                record_action(events[0], EventAction.TOURNAMENT_CHANGED, by=None)
                has_written.set()
                may_commit.wait(10)
        finally:
            connection.close()

    writer = threading.Thread(target=slow)
    writer.start()
    has_written.wait(10)
    record_action(events[1], EventAction.TOURNAMENT_CHANGED, by=None)
    assert reader.read_changed_events() == {events[1].pk}
    may_commit.set()
    writer.join(10)
    assert reader.read_changed_events() == {events[0].pk}


@pytest.mark.django_db(transaction=True)
def test_what_another_process_has_committed_is_on_a_kept_page_at_once():
    event = make_event(make_club(), players=6)
    this_round = published(event, 1)

    def elsewhere() -> None:
        try:
            game = this_round.games.get(board=1)
            enter_result(game, Game.Result.DRAW, revision=game.revision, by=None)
        finally:
            connection.close()

    def page() -> str:
        html = Client().get(reverse("round", args=[event.club.slug, event.slug, 1])).content.decode()
        return re.sub(r'data-stream="[^"]*"', "", html)

    before = page()
    for _result in range(2):
        assert page() == before
    assert "½–½" not in before
    writer = threading.Thread(target=elsewhere)
    writer.start()
    writer.join(20)
    assert "½–½" in page()
