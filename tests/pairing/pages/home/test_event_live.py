"""The start pages of event, club and server update themselves."""

from __future__ import annotations

import re

import pytest
from django.contrib import messages
from django.contrib.messages.storage.base import Message
from django.contrib.messages.storage.cookie import CookieStorage
from django.core.cache import caches
from django.http import HttpRequest
from django.test import Client
from django.urls import reverse

from clubs.models import Role
from tests.factories import draft_of, make_event, make_user, published
from tournaments.results.recording import enter_result


def test_the_front_page_of_an_event_keeps_up(club):
    caches["parts"].clear()
    event = make_event(club, players=4)
    address = reverse("tournament", args=[club.slug, event.slug])
    before = Client().get(address)
    assert "live_updates.js" in before.content.decode()
    again = Client().get(address, headers={"If-None-Match": before.headers["ETag"]})
    assert again.status_code == 304
    published(event, 1)
    part = Client().get(address, headers={"HX-Request": "true", "HX-Target": "live"}).content.decode()
    assert "<html" not in part
    assert 'id="event" class="stack" data-live' in part
    assert "Find your board" in part
    assert Client().get(address, headers={"If-None-Match": before.headers["ETag"]}).status_code == 200


def listened(client: Client, address: str) -> tuple[str, str]:
    """The state marks of a page that lists events: whose list it is, and its version."""
    html = client.get(address).content.decode()
    found = re.search(r'data-version="(\d+)" data-stream="[^"]*" data-of="([^"]*)"', html)
    assert found
    return found[2], found[1]


@pytest.mark.parametrize("name", ["home", "club"])
def test_pages_that_list_events_keep_up(club, name):
    caches["parts"].clear()
    event = make_event(club, players=4)
    address = reverse(name, args=[club.slug] if name == "club" else [])
    visitor, secretary = Client(), Client()
    secretary.force_login(make_user("secretary", club, Role.SECRETARY))
    before, theirs = visitor.get(address), listened(secretary, address)
    tag = {"If-None-Match": before.headers["ETag"]}
    assert listened(visitor, address) != theirs
    draft_of(event, 1)
    assert visitor.get(address, headers=tag).status_code == 304, "nobody learns of a draft"
    this_round = published(event, 1)
    assert visitor.get(address, headers=tag).status_code == 200
    part = visitor.get(address, headers={"HX-Request": "true", "HX-Target": "live"}).content.decode()
    assert "<html" not in part
    assert "0 of 5 played" in part
    shown, told = listened(visitor, address), listened(secretary, address)
    assert told != theirs
    game = this_round.games.get(board=1)
    enter_result(game, "1-0", revision=game.revision, by=None)
    assert listened(visitor, address) == shown
    assert listened(secretary, address) != told, "the evening's state is theirs"


def test_a_message_reaches_its_visitor_past_the_cache(club):
    tag = Client().get(reverse("home")).headers["ETag"]
    client = Client()
    client.cookies["messages"] = CookieStorage(HttpRequest())._encode([Message(messages.INFO, "For you alone")])
    said = client.get(reverse("home"), headers={"If-None-Match": tag})
    assert "For you alone" in said.text
    assert client.get(reverse("home"), headers={"If-None-Match": tag}).status_code == 304
