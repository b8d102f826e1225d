"""An event's front page follows what happens by itself."""

from __future__ import annotations

from django.core.cache import caches
from django.test import Client
from django.urls import reverse

from tests.factories import make_event, published


def test_the_front_page_of_an_event_keeps_up(club):
    caches["parts"].clear()
    event = make_event(club, players=4)
    address = reverse("tournament", args=[club.slug, event.slug])
    before = Client().get(address)
    assert "live.js" in before.content.decode()
    again = Client().get(address, headers={"If-None-Match": before.headers["ETag"]})
    assert again.status_code == 304
    published(event, 1)
    part = Client().get(address, headers={"HX-Request": "true", "HX-Target": "live"}).content.decode()
    assert "<html" not in part
    assert 'id="event" class="stack" data-live' in part
    assert "find your board" in part
    assert Client().get(address, headers={"If-None-Match": before.headers["ETag"]}).status_code == 200
