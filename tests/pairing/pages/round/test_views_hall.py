"""The hall screen: what it shows, when and to whom, and never a draft."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.core import signing
from django.core.signing import TimestampSigner

from pairing.access import HALL_KEY_LIFETIME, hall_screen_key
from pairing.page_context import event_page_context
from tests.factories import make_event
from tests.pairing.seven_players import make_seven_player_fixtures
from tournaments.models import Game, Round
from tournaments.results.recording import enter_result

made_once, event, club, secretary = make_seven_player_fixtures()

WAITING, DRAFT = Round.State.WAITING, Round.State.DRAFT
PUBLISHED, FINISHED = Round.State.PUBLISHED, Round.State.FINISHED


def heading(text: str) -> str:
    return " ".join(re.search(r"<h1>(.*?)</h1>", text, re.DOTALL)[1].split())


@pytest.fixture
def closed(event):
    event.is_public = False
    event.save()
    return event


# -- What must not be ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("may_run", "is_public"), [(False, False), (False, True), (True, True)])
def test_only_who_runs_a_closed_event_is_given_the_halls_key(may_run, is_public, event):
    event.is_public = is_public
    assert event_page_context(event, may_run=may_run)["hall_key"] == ""


@pytest.mark.parametrize("who", [None, "member", "secretary"])
def test_a_draft_is_never_shown(who, round_in, signed_in, address, request):
    round_in(1, DRAFT)
    user = request.getfixturevalue(who) if who else None
    text = signed_in(user).get(address("hall_screen")).content.decode()
    assert heading(text) == "Starting list"
    assert "hall-board" not in text


@pytest.mark.parametrize("who", [None, "secretary"])
def test_a_later_draft_is_never_shown(who, round_in, signed_in, address, request):
    round_in(2, DRAFT)
    user = request.getfixturevalue(who) if who else None
    text = signed_in(user).get(address("hall_screen")).content.decode()
    assert heading(text) == "Standings after round 1"
    assert "hall-board" not in text


def test_nobody_changes_anything_here(round_in, secretary, signed_in, address):
    round_in(1, PUBLISHED)
    assert signed_in(secretary).post(address("hall_screen")).status_code == 405
    assert address("round_finish", 1) not in signed_in(secretary).get(address("hall_screen")).content.decode()


@pytest.mark.parametrize("change", [lambda key: "", lambda key: key[:-1], lambda key: f"9{key}"])
def test_a_closed_event_is_not_opened_by_a_wrong_key(change, closed, signed_in, address):
    assert signed_in().get(address("hall_screen"), {"key": change(hall_screen_key(closed))}).status_code == 404


def test_a_closed_event_is_not_opened_by_another_events_key(club, closed, signed_in, address):
    other = hall_screen_key(make_event(club))
    assert signed_in().get(address("hall_screen"), {"key": other}).status_code == 404
    signed_for_something_else = TimestampSigner(salt="tournaments.live_updates").sign(str(closed.pk))
    assert signed_in().get(address("hall_screen"), {"key": signed_for_something_else}).status_code == 404


def test_a_key_gets_old(closed, signed_in, address, monkeypatch):
    key = hall_screen_key(closed)
    now = signing.time.time()
    monkeypatch.setattr(signing.time, "time", lambda: now + HALL_KEY_LIFETIME.total_seconds() + 2)
    assert signed_in().get(address("hall_screen"), {"key": key}).status_code == 404


def test_only_officers_are_given_the_key(closed, round_in, member, secretary, signed_in, address):
    round_in(1, PUBLISHED)
    assert "?key=" not in signed_in(member).get(address("round", 1)).content.decode()
    assert f"{address('hall_screen')}?key=" in signed_in(secretary).get(address("round", 1)).content.decode()


# -- What is ---------------------------------------------------------------------------------------------------------


def test_the_key_opens_a_closed_event_and_nothing_else_of_it(closed, round_in, signed_in, address):
    round_in(1, PUBLISHED)
    key = {"key": event_page_context(closed, may_run=True)["hall_key"]}
    page = signed_in().get(address("hall_screen"), key)
    assert page.status_code == 200
    assert "ETag" not in page.headers
    assert signed_in().get(address("round", 1), key).status_code == 404


def test_an_event_without_players(club, signed_in):
    event = make_event(club)
    assert "No players entered yet." in signed_in().get(f"/{club.slug}/{event.slug}/hall/").content.decode()


def test_pairings_then_results_then_the_table(round_in, signed_in, address):
    this_round = round_in(1, PUBLISHED)
    text = signed_in().get(address("hall_screen")).content.decode()
    assert heading(text) == "Round 1 of 3"
    assert text.count('class="hall-board"') == 3
    assert "hall-bye" in text
    assert "of 3 results" not in text
    for done, game in enumerate(this_round.games.all(), start=1):
        enter_result(game, Game.Result.DRAW, revision=game.revision, by=None)
        text = signed_in().get(address("hall_screen")).content.decode()
        assert f"{done} of 3 results" in text
        assert text.count('class="hall-board done"') == done
    round_in(2, DRAFT)  # finishes round 1
    assert heading(signed_in().get(address("hall_screen")).content.decode()) == "Standings after round 1"


def test_the_last_table_is_final(round_in, signed_in, address):
    round_in(3, FINISHED)
    assert heading(signed_in().get(address("hall_screen")).content.decode()) == "Final standings"


def test_a_screen_without_scripts_is_loaded_again_by_itself(round_in, signed_in, address):
    round_in(1, PUBLISHED)
    text = signed_in().get(address("hall_screen")).content.decode()
    assert '<noscript><meta http-equiv="refresh" content="20"></noscript>' in text


def test_a_public_events_screen_leads_phones_to_the_round(event, round_in, signed_in, address):
    round_in(1, PUBLISHED)
    assert address("round_qr_code") in signed_in().get(address("hall_screen")).content.decode()
    event.is_public = False
    event.save()
    text = signed_in().get(address("hall_screen"), {"key": hall_screen_key(event)}).content.decode()
    assert address("round_qr_code") not in text


# -- Long lists ------------------------------------------------------------------------------------------------------


def test_a_long_round_is_sent_in_parts_with_the_byes_behind_the_boards(round_in, signed_in, address, monkeypatch):
    monkeypatch.setattr("pairing.pages.round.views.hall_screen.LINES_PER_PAGE", 2)
    round_in(1, PUBLISHED)
    first = signed_in().get(address("hall_screen")).content.decode()
    assert re.findall(r'id="hall-(\w+-?\d*)" class="hall-board', first) == ["1", "2"]
    assert '<noscript><meta http-equiv="refresh" content="20;url=?page=2"></noscript>' in first
    last = signed_in().get(address("hall_screen"), {"page": 2}).content.decode()
    assert re.findall(r'id="hall-(\w+-?\d*)" class="hall-board', last) == ["3", "bye-1"]
    assert '<noscript><meta http-equiv="refresh" content="20;url=?page=1"></noscript>' in last
    assert "of 3 results" not in last
    for forged in ("0", "99", "x", "9" * 400, ""):
        assert signed_in().get(address("hall_screen"), {"page": forged}).status_code == 200


def test_a_long_table_is_sent_in_parts_with_lines_of_their_own(round_in, signed_in, address, monkeypatch):
    monkeypatch.setattr("pairing.pages.round.views.hall_screen.LINES_PER_PAGE", 3)
    round_in(1, FINISHED)
    sent = [signed_in().get(address("hall_screen"), {"page": page}).content.decode() for page in (1, 2, 3)]
    assert [re.findall(r'id="hall-line-(\d+)"', text) for text in sent] == [["1", "2", "3"], ["4", "5", "6"], ["7"]]
    assert all('class="hall-list few"' in text for text in sent), "a part is as large as the list it is of"


def test_the_next_part_of_a_closed_event_keeps_the_key(closed, round_in, signed_in, address, monkeypatch):
    monkeypatch.setattr("pairing.pages.round.views.hall_screen.LINES_PER_PAGE", 2)
    round_in(1, PUBLISHED)
    text = signed_in().get(address("hall_screen"), {"key": hall_screen_key(closed)}).content.decode()
    follow = unescape(re.search(r'content="20;url=([^"]*)"', text)[1])
    assert "hall-board" in signed_in().get(address("hall_screen") + follow).content.decode()
