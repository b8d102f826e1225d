"""Live pages: the version of a page, and the parts that its script requests."""

from __future__ import annotations

import re

import pytest
from django.core.cache import caches
from django.test import Client

from pairing.rounds.lifecycle.transitions import pair_round, publish_round
from tests.pairing.seven_players import make_seven_player_fixtures
from tournaments.live_updates.topics import DisplayedPage, LiveTopic, PageAudience, topic_from_token
from tournaments.models import Game, Round
from tournaments.results.recording import enter_result

made_once, event, club, secretary = make_seven_player_fixtures()

WAITING, DRAFT = Round.State.WAITING, Round.State.DRAFT
PUBLISHED, FINISHED = Round.State.PUBLISHED, Round.State.FINISHED

PART = {"HX-Request": "true", "HX-Target": "live"}
PAGES: list[tuple[str, list[int]]] = [
    ("round", [1]),
    ("standings", []),
    ("crosstable", [1]),
    ("tie_break_working", [1, 1]),
    ("player", [1]),
    ("pairing_version_status", [1, 1]),
    ("hall_screen", []),
]


@pytest.fixture(autouse=True)
def nothing_kept() -> None:
    caches["parts"].clear()


def regions(text: str) -> list[str]:
    return re.findall(r'id="([\w-]+)"[^>]*data-live', text)


def version(text: str) -> int:
    found = re.search(r'data-version="(\d+)"', text)
    assert found
    return int(found[1])


def topic(text: str) -> LiveTopic:
    found = re.search(r'data-stream="http://live\.test/live/([^"/]+)/"', text)
    assert found
    return topic_from_token(found[1])


def enter(this_round: Round, board: int = 1) -> None:
    game = this_round.games.get(board=board)
    enter_result(game, Game.Result.DRAW, revision=game.revision, by=None)


# -- What must not be ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "args"), PAGES)
def test_parts_of_a_closed_event_are_not_for_strangers(name, args, event, round_in, signed_in, address):
    """Not even those that were assigned while it was open."""
    round_in(1, PUBLISHED)
    assert signed_in().get(address(name, *args), headers=PART).status_code == 200
    event.is_public = False
    event.save()
    assert signed_in().get(address(name, *args), headers=PART).status_code == 404


def test_officers_parts_are_never_given_to_others(round_in, secretary, member, signed_in, address):
    round_in(1, PUBLISHED)
    for_officer = signed_in(secretary).get(address("round", 1), headers=PART).content.decode()
    assert 'id="controls"' in for_officer
    for who in (None, member):
        text = signed_in(who).get(address("round", 1), headers=PART).content.decode()
        assert 'id="controls"' not in text
        assert "csrfmiddlewaretoken" not in text
    assert 'id="controls"' in signed_in(secretary).get(address("round", 1), headers=PART).content.decode()


def test_a_draft_changes_nothing_on_players_pages(round_in, signed_in, address):
    round_in(1, FINISHED)
    pages = [address("round", 1), address("standings"), address("player", 1), address("round", 2)]
    before = [version(signed_in().get(page).content.decode()) for page in pages]
    draft = round_in(2, DRAFT)
    after = [signed_in().get(page, headers=PART).content.decode() for page in pages]
    assert [version(text) for text in after] == before
    names = {entry.name for game in draft.games.all() for entry in (game.white, game.black)}
    assert not any(name in after[-1] for name in names)


def test_a_draft_changes_the_officers_version(event, round_in, secretary, signed_in, address):
    browser = signed_in(secretary)
    before = version(browser.get(address("round", 1)).content.decode())
    pair_round(event.rounds.get(number=1).pk, by=secretary)
    assert version(browser.get(address("round", 1)).content.decode()) > before


@pytest.mark.parametrize(("who", "audience"), [(None, "p"), ("member", "p"), ("arbiter", "o"), ("secretary", "o")])
def test_a_page_listens_as_whoever_it_belongs_to(who, audience, event, settings, round_in, signed_in, address, request):
    settings.LIVE_ADDRESS = "http://live.test"
    round_in(1, PUBLISHED)
    user = request.getfixturevalue(who) if who else None
    text = signed_in(user).get(address("round", 1)).content.decode()
    shown = DisplayedPage("http", "testserver", address("round", 1), "en") if who is None else None
    assert topic(text) == LiveTopic(event.pk, PageAudience(audience), page=shown)


def test_pages_that_do_not_keep_up_do_not_listen(settings, secretary, signed_in, address):
    settings.LIVE_ADDRESS = "http://live.test"
    for name in ("entries", "tournament_log"):
        text = signed_in(secretary).get(address(name)).content.decode()
        assert "live_updates.js" not in text
        assert "data-stream" not in text


# -- What is ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("who", [None, "member", "secretary"])
@pytest.mark.parametrize(("name", "args"), PAGES)
def test_a_part_is_the_page_without_its_frame(name, args, who, round_in, signed_in, address, request):
    round_in(1, PUBLISHED)
    browser = signed_in(request.getfixturevalue(who) if who else None)
    page = browser.get(address(name, *args)).content.decode()
    part = browser.get(address(name, *args), headers=PART).content.decode()
    assert "live_updates.js" in page
    assert "<html" not in part
    assert "<script" not in part
    assert regions(part) == regions(page) != []
    assert version(part) == version(page)


def test_a_page_for_one_who_waits_becomes_the_round(round_in, signed_in, address):
    round_in(1, DRAFT)
    phone = signed_in()
    waiting = phone.get(address("round", 1), headers=PART)
    assert waiting.status_code == 404
    assert "not-yet" in regions(waiting.content.decode())
    this_round = Round.objects.get(number=1)
    publish_round(this_round, by=None, version=this_round.version)
    known = {"If-None-Match": waiting.headers["ETag"]}
    there = phone.get(address("round", 1), headers=PART | known)
    assert there.status_code == 200
    assert "boards" in regions(there.content.decode())


@pytest.mark.parametrize(("name", "args"), PAGES)
def test_a_part_is_sent_again_only_after_a_change(name, args, round_in, signed_in, address):
    this_round = round_in(1, PUBLISHED)
    phone = signed_in()
    first = phone.get(address(name, *args), headers=PART)
    known = {"If-None-Match": first.headers["ETag"]}
    assert phone.get(address(name, *args), headers=PART | known).status_code == 304
    enter(this_round)
    changed = phone.get(address(name, *args), headers=PART | known)
    assert changed.status_code == 200
    assert version(changed.content.decode()) == version(first.content.decode()) + 1


def test_a_part_is_made_once_for_all_phones(round_in, address, django_assert_num_queries):
    this_round = round_in(1, PUBLISHED)
    first = Client().get(address("round", 1), headers=PART)
    with django_assert_num_queries(1):
        second = Client().get(address("round", 1), headers=PART)
    assert second.content == first.content
    enter(this_round)
    assert Client().get(address("round", 1), headers=PART).content != first.content


def test_everyone_gets_a_part_in_their_language(round_in, address):
    round_in(1, PUBLISHED)
    texts = {
        Client(headers={"Accept-Language": language}).get(address("standings"), headers=PART).content.decode()
        for language in ("en", "pl", "de")
    }
    assert len(texts) == 3


def test_a_page_of_an_older_round_leads_to_the_newest(round_in, signed_in, address):
    round_in(1, FINISHED)
    assert "is published</a>" not in signed_in().get(address("round", 1)).content.decode()
    round_in(2, PUBLISHED)
    assert "Round 2 is published</a>" in signed_in().get(address("round", 1)).content.decode()
    assert "is published</a>" not in signed_in().get(address("round", 2)).content.decode()
