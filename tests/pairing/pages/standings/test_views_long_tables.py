"""Tables of more than a page: an event of 120 players after its first round."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.factories import make_club, make_event, played, player
from tests.module_fixtures import make_module_fixtures
from tests.pairing.pages.standings.test_views_tables import lines
from tournaments.entries.enrolment import change_entry
from tournaments.live_updates.shared_page_middleware import clear_page_caches
from tournaments.models import Tournament


def make_long() -> Tournament:
    """Its table has two pages; one player's name is hard to type."""
    event = make_event(make_club(), players=120)
    change_entry(player(event, 110), by=None, name="Śliwa-Długonazwiskowa, Żaneta")
    played(event, 1)
    return event


made_once, long_event = make_module_fixtures(make_long)


def standings_of(event: Tournament, **query: object) -> Any:
    return Client().get(f"/{event.club.slug}/{event.slug}/standings/", query)


@pytest.fixture
def long_table(long_event: Tournament) -> Callable[..., Any]:
    return lambda **query: standings_of(long_event, **query)


def test_a_long_table_has_pages(long_table):
    first, last = long_table(), long_table(page=2)
    assert [len(lines(page)) for page in (first, last)] == [100, 20]
    assert len({name for page in (first, last) for _place, name, _values in lines(page)}) == 120
    assert long_table(page="x").status_code == 200
    assert lines(long_table(page="99")) == lines(last)


@pytest.mark.parametrize("typed", ["sliwa", "ŻANETA", "długo  zaneta", " Śliwa "])
def test_a_player_is_found_with_the_place_among_all(typed, long_table):
    found = lines(long_table(name=typed))
    assert [name for _place, name, _values in found] == ["Śliwa-Długonazwiskowa, Żaneta"]
    assert found[0] in lines(long_table()) + lines(long_table(page=2))


@pytest.mark.parametrize("typed", ["sliwka", "śliwa pionek", "<script>", "\x01"])
def test_nobody_by_a_name(typed, long_table):
    page = long_table(name=typed)
    assert page.status_code == 200
    assert lines(page) == []
    text = page.content.decode()
    assert "No one found" in text
    assert "No players entered yet" not in text
    assert "<script>”" not in text


@pytest.mark.every_database
def test_a_search_keeps_to_the_category(long_table):
    below = {name for _place, name, _values in lines(long_table(name="Pionek Nr02", category="below-1800"))}
    assert below == {f"Pionek, Nr{number:03}" for number in range(22, 30)}


def test_a_page_of_a_long_table_costs_as_many_queries_as_a_short_one(long_event, long_table):
    short_event = make_event(long_event.club, players=7)
    played(short_event, 1)
    standings_of(short_event)
    clear_page_caches()
    with CaptureQueriesContext(connection) as short:
        standings_of(short_event)
    with CaptureQueriesContext(connection) as long:
        long_table()
    assert len(long) == len(short)
