"""The patch that a phone gets after a result: the changes since its state."""

from __future__ import annotations

import json
import random
import re

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse

from tests.factories import make_event, published
from tournaments.live_updates.text_patches import make_text_patch
from tournaments.models import Game
from tournaments.results.recording import enter_result

PART = {"HX-Request": "true", "HX-Target": "live", "Live-Changes": "1"}


def put_together(before: str, told: str) -> str:
    """As in `static/js/live_updates.js`; JavaScript's split returns no empty part."""
    pieces = [piece for piece in re.split(r"(?=<tr |<li |\n)", before) if piece]
    return "".join(step if isinstance(step, str) else "".join(pieces[slice(*step)]) for step in json.loads(told))


PIECES = ("<tr id=a>1", "<tr id=b>ł½", "<li id=c>", "\n", "\n\n", "text 🙂", '"')


def test_what_is_put_together_is_the_later_state():
    chance = random.Random(4)
    rest = "\na long rest that stays as it is " * 20
    shorter = 0
    for _turn in range(300):
        earlier, later = ("".join(chance.choices(PIECES, k=chance.randrange(13))) + rest for _state in range(2))
        told = make_text_patch(earlier, later)
        if told is not None:
            shorter += 1
            assert put_together(earlier, told) == later
    assert shorter > 100


def test_what_is_another_page_is_sent_whole():
    assert make_text_patch("<tr a><tr b>", "something else altogether") is None


@pytest.fixture
def event(club):
    caches["parts"].clear()
    event = make_event(club, players=40)
    published(event, 1)
    return event


def test_after_a_result_the_changed_row_is_sent(event):
    path = reverse("round", args=[event.club.slug, event.slug, 1])
    client = Client()
    first = client.get(path, headers=PART)
    assert first.headers["Content-Type"].startswith("text/html")
    game = event.rounds.get(number=1).games.get(board=7)
    enter_result(game, Game.Result.DRAW, revision=game.revision, by=None)
    seen = {**PART, "If-None-Match": f"W/{first.headers['ETag']}"}
    changed, whole = client.get(path, headers=seen), client.get(path, headers={**PART, "If-None-Match": '"other"'})
    assert changed.headers["Content-Type"] == "application/json"
    assert len(changed.content) < len(whole.content) / 8
    assert put_together(first.content.decode(), changed.content.decode()) == whole.content.decode()
    assert changed.headers["ETag"] == whole.headers["ETag"] != first.headers["ETag"]
    assert client.get(path, headers={**seen, "If-None-Match": changed.headers["ETag"]}).status_code == 304
    assert Client().get(path, headers=seen).content == changed.content


def test_whoever_does_not_ask_for_changes_gets_the_part(event, secretary):
    path = reverse("round", args=[event.club.slug, event.slug, 1])
    first = Client().get(path, headers=PART)
    game = event.rounds.get(number=1).games.get(board=7)
    enter_result(game, Game.Result.DRAW, revision=game.revision, by=None)
    old = {"HX-Request": "true", "HX-Target": "live", "If-None-Match": first.headers["ETag"]}
    assert Client().get(path, headers=old).headers["Content-Type"].startswith("text/html")
    officer = Client()
    officer.force_login(secretary)
    answer = officer.get(path, headers={**PART, "If-None-Match": first.headers["ETag"]})
    assert answer.headers["Content-Type"].startswith("text/html")
