"""The round page: who sees what, and what its buttons do."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from pairing.rounds.lifecycle.transitions import pair_round
from tests.pairing.seven_players import make_seven_player_fixtures
from tests.scenario import SIGN_IN_FIRST
from tournaments.entries.enrolment import enter_pasted_list
from tournaments.models import Game, LogEntry, Round
from tournaments.results.recording import enter_result

made_once, event, club, secretary = make_seven_player_fixtures()

WAITING, DRAFT = Round.State.WAITING, Round.State.DRAFT
PUBLISHED, FINISHED = Round.State.PUBLISHED, Round.State.FINISHED

BUTTONS = ("round_pair", "round_publish", "round_discard", "round_unpublish", "round_finish", "round_reopen")
"""What only those who run the event may press."""


def state_of(this_round: Round) -> str:
    return Round.objects.values_list("state", flat=True).get(pk=this_round.pk)


# -- Who may not -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("state", [WAITING, DRAFT])
@pytest.mark.parametrize("who", [None, "member", "outsider"])
def test_no_draft_is_seen_by_others(who, state, round_in, signed_in, address, request):
    this_round = round_in(2, state)
    user = request.getfixturevalue(who) if who else None
    page = signed_in(user).get(address("round", 2))
    assert page.status_code == 404
    text = page.content.decode()
    assert "Not published yet" in text
    assert address("round", 1) in text, "the way to the latest published round is missing"
    for game in this_round.games.select_related("white", "black"):
        assert game.white.name not in text
        assert game.black.name not in text
    for name in ("board",):
        assert signed_in(user).get(address(name, 2, 1)).status_code == 404


@pytest.mark.parametrize("name", BUTTONS)
@pytest.mark.parametrize(("who", "status"), [(None, SIGN_IN_FIRST), ("outsider", 404), ("member", 403)])
def test_others_may_not_use_the_buttons(name, who, status, round_in, signed_in, address, request):
    this_round = round_in(1, DRAFT)
    user = request.getfixturevalue(who) if who else None
    answer = signed_in(user).post(address(name, 1), {"version": this_round.version, "reason": "because"})
    assert answer.status_code == status
    assert state_of(this_round) == DRAFT


@pytest.mark.parametrize("name", BUTTONS)
def test_buttons_are_no_links(name, round_in, secretary, signed_in, address):
    round_in(1, DRAFT)
    assert signed_in(secretary).get(address(name, 1)).status_code == 405


@pytest.mark.parametrize("name", ["round", "latest_round", "round_qr_code"])
def test_pages_take_no_form(name, round_in, secretary, signed_in, address):
    round_in(1, PUBLISHED)
    args = [1] if name == "round" else []
    assert signed_in(secretary).post(address(name, *args)).status_code == 405


def test_a_closed_event_is_closed_to_strangers(event, round_in, member, signed_in, address):
    round_in(1, PUBLISHED)
    event.is_public = False
    event.save()
    for name, args in [("round", [1]), ("latest_round", []), ("round_qr_code", []), ("board", [1, 1])]:
        assert signed_in().get(address(name, *args)).status_code == 404
        assert signed_in(member).get(address(name, *args)).status_code in (200, 302)


def test_strangers_get_no_buttons(round_in, member, signed_in, address):
    round_in(1, PUBLISHED)
    for user in (None, member):
        text = signed_in(user).get(address("round", 1)).content.decode()
        for name in (*BUTTONS, "round_results"):
            assert address(name, 1) not in text


@pytest.mark.parametrize("number", [0, 9, 10**30])
@pytest.mark.every_database
def test_a_round_that_is_not_announced_is_not_found(number, round_in, secretary, signed_in, address):
    round_in(1, PUBLISHED)
    for browser in (signed_in(), signed_in(secretary)):
        for page in (address("round", number), address("board", number, 1), address("board", 1, number)):
            assert browser.get(page).status_code == 404


# -- The published page ----------------------------------------------------------------------------------------------


def test_everyone_finds_their_board(round_in, signed_in, address):
    this_round = round_in(2, PUBLISHED)
    text = signed_in().get(address("round", 2)).content.decode()
    for game in this_round.games.select_related("white", "black"):
        assert game.white.name in text
        assert game.black.name in text
    assert "Not playing" in text
    assert text.index("Not playing") > text.index('id="board-3"'), "byes stand last"


@pytest.mark.every_database
def test_the_name_search_knows_no_accents(round_in, signed_in, address):
    round_in(1, PUBLISHED)
    text = signed_in().get(address("round", 1), {"name": "lecka zdz"}).content.decode()
    assert "Łęcka, Zdzisława" in text
    assert text.count('<tr id="board-') == 1
    text = signed_in().get(address("round", 1), {"name": "ВЕСЕЛА"}).content.decode()
    assert "Бързакова, Весела" in text


def test_who_is_not_found_is_told_so(round_in, signed_in, address):
    round_in(1, PUBLISHED)
    text = signed_in().get(address("round", 1), {"name": "Nobody <b>"}).content.decode()
    assert "Nobody &lt;b&gt;" in text
    assert '<tr id="board-' not in text


def test_a_search_by_htmx_gets_the_boards_alone(round_in, signed_in, address):
    round_in(1, PUBLISHED)
    headers = {"HX-Request": "true", "HX-Target": "boards"}
    part = signed_in().get(address("round", 1), {"name": "kowal"}, headers=headers).content.decode()
    assert part.strip().startswith("<section")
    assert "<html" not in part
    assert "Kowal, Adam" in part


def test_the_latest_round_keeps_the_name_searched_for(round_in, signed_in, address):
    answer = signed_in().get(address("latest_round"))
    assert answer.status_code == 404
    assert "<h1>Round 1</h1>" in answer.text
    round_in(2, PUBLISHED)
    round_in(2, PUBLISHED)
    answer = signed_in().get(address("latest_round"), {"name": "kowal"})
    assert answer.headers["Location"] == address("round", 2) + "?name=kowal"


def test_the_code_is_a_picture(round_in, signed_in, address):
    answer = signed_in().get(address("round_qr_code"))
    assert answer.headers["Content-Type"] == "image/svg+xml"
    assert answer.content.startswith(b"<svg xmlns=")


def test_an_unchanged_page_is_not_sent_again(round_in, secretary, signed_in, address):
    this_round = round_in(1, PUBLISHED)
    phone = signed_in()
    first = phone.get(address("round", 1))
    known = {"If-None-Match": first.headers["ETag"]}
    assert phone.get(address("round", 1), headers=known).status_code == 304
    assert phone.get(address("round", 1), headers=known | {"Accept-Language": "pl"}).status_code == 200
    game = this_round.games.first()
    enter_result(game, Game.Result.DRAW, revision=0, by=secretary)
    again = phone.get(address("round", 1), headers=known)
    assert again.status_code == 200
    assert "½–½" in again.content.decode()


def test_a_page_known_before_is_not_shown_once_it_is_taken_back(round_in, secretary, signed_in, address):
    this_round = round_in(1, PUBLISHED)
    phone = signed_in()
    tag = phone.get(address("round", 1)).headers["ETag"]
    sent = {"reason": "A player came late.", "version": this_round.version}
    signed_in(secretary).post(address("round_unpublish", 1), sent)
    assert state_of(this_round) == DRAFT
    assert phone.get(address("round", 1), headers={"If-None-Match": tag}).status_code == 404


def test_the_number_of_queries_does_not_grow(event, round_in, secretary, signed_in, address):
    def queries() -> tuple[int, int]:
        with CaptureQueriesContext(
            connection,
        ) as of_stranger:
            assert signed_in().get(address("round", 1)).status_code == 200
        browser = signed_in(secretary)
        with CaptureQueriesContext(connection) as of_secretary:
            assert browser.get(address("round", 1)).status_code == 200
        return len(of_stranger), len(of_secretary)

    round_in(1, PUBLISHED)
    few = queries()
    Game.objects.all().delete()
    Round.objects.filter(tournament=event, number=1).update(state=WAITING)
    event.rounds.get(number=1).byes.all().delete()
    enter_pasted_list(event, "\n".join(f"Player {place:03d}; {1700 - place}" for place in range(60)), by=secretary)
    round_in(1, PUBLISHED)
    assert Game.objects.count() == 33
    assert queries() == few


# -- Pair, publish, take back ----------------------------------------------------------------------------------------


def test_pair_shows_the_draft_with_its_reasons(round_in, secretary, signed_in, address):
    this_round = round_in(2, WAITING)
    browser = signed_in(secretary)
    assert "Pair 7 players" in browser.get(address("round", 2)).content.decode()
    page = browser.post(address("round_pair", 2), follow=True)
    assert state_of(this_round) == DRAFT
    text = page.content.decode()
    assert "Only officers can see this draft." in text
    assert "Why this bye?" in text
    marks = re.findall(r'class="why-mark" href="([^"]+)"', text)
    assert len(marks) == 3
    for mark in marks:
        why = browser.get(mark).content.decode()
        assert "Why this pairing?" in why
        assert "fide-1989 art." in why


def test_a_double_click_gives_one_draft(round_in, secretary, signed_in, address):
    this_round = round_in(1, WAITING)
    browser = signed_in(secretary)
    browser.post(address("round_pair", 1))
    version = Round.objects.get(pk=this_round.pk).version
    page = browser.post(address("round_pair", 1), follow=True)
    assert "already paired" in page.content.decode()
    assert Round.objects.get(pk=this_round.pk).version == version
    assert LogEntry.objects.filter(action="round paired", round=this_round).count() == 1


def test_a_round_waits_for_the_one_before(round_in, secretary, signed_in, address):
    round_in(1, PUBLISHED)
    browser = signed_in(secretary)
    text = browser.get(address("round", 2)).content.decode()
    assert "Finish round 1 first" in text
    assert address("round_pair", 2) not in text
    page = browser.post(address("round_pair", 2), follow=True)
    assert "t finished" in page.content.decode()
    assert page.context["round"].state == WAITING


def test_publish_takes_the_draft_that_was_seen(round_in, secretary, signed_in, address):
    this_round = round_in(1, DRAFT)
    browser = signed_in(secretary)
    for version in ["", "x", this_round.version - 1, this_round.version + 1]:
        page = browser.post(address("round_publish", 1), {"version": version}, follow=True)
        assert "have changed" in page.content.decode()
        assert state_of(this_round) == DRAFT
    browser.post(address("round_publish", 1), {"version": this_round.version})
    assert state_of(this_round) == PUBLISHED
    browser.post(address("round_publish", 1), {"version": this_round.version})
    assert LogEntry.objects.filter(action="round published", round=this_round).count() == 1


def test_a_draft_can_be_discarded_and_is_told_when_it_is_out_of_date(event, round_in, secretary, signed_in, address):
    this_round = round_in(1, DRAFT)
    browser = signed_in(secretary)
    assert "have changed since" not in browser.get(address("round", 1)).content.decode()
    enter_pasted_list(event, "Late, Comer; 1500", by=secretary)
    assert "have changed since" in browser.get(address("round", 1)).content.decode()
    browser.post(address("round_discard", 1), {"version": this_round.version})
    assert state_of(this_round) == WAITING
    assert not this_round.games.exists()


def test_taking_back_needs_a_reason_and_no_results(round_in, secretary, signed_in, address):
    this_round = round_in(1, PUBLISHED)
    browser = signed_in(secretary)
    page = browser.post(address("round_unpublish", 1), {"reason": "  ", "version": this_round.version}, follow=True)
    assert "reason" in page.content.decode()
    assert state_of(this_round) == PUBLISHED
    enter_result(this_round.games.first(), Game.Result.DRAW, revision=0, by=secretary)
    browser.post(address("round_unpublish", 1), {"reason": "A player came late.", "version": this_round.version})
    assert state_of(this_round) == PUBLISHED
    assert address("round_unpublish", 1) not in browser.get(address("round", 1)).content.decode()


def test_finish_and_go_on(round_in, secretary, signed_in, address):
    this_round = round_in(1, PUBLISHED)
    browser = signed_in(secretary)
    page = browser.post(address("round_finish", 1), follow=True)
    assert "boards without a result" in page.content.decode()
    assert state_of(this_round) == PUBLISHED
    for game in this_round.games.all():
        enter_result(game, Game.Result.WHITE_WINS, revision=0, by=secretary)
    assert "Finish round 1" in browser.get(address("round", 1)).content.decode()
    page = browser.post(address("round_finish", 1), follow=True)
    assert state_of(this_round) == FINISHED
    assert "Go to check-in" in page.content.decode()
    browser.post(address("round_reopen", 1))
    assert state_of(this_round) == PUBLISHED


def test_the_last_round_leads_to_the_final_standings(round_in, secretary, signed_in, address):
    round_in(3, FINISHED)
    text = signed_in(secretary).get(address("round", 3)).content.decode()
    assert "Final standings" in text
    assert "Go to check-in" not in text


def test_an_event_without_players_says_what_to_do(event, secretary, signed_in, address):
    event.entries.all().delete()
    text = signed_in(secretary).get(address("round", 1)).content.decode()
    assert "Not enough players to pair" in text
    page = signed_in(secretary).post(address("round_pair", 1), follow=True)
    assert page.context["round"].state == WAITING
    assert "No players to pair" in page.content.decode()


def test_no_legal_round_is_told_with_names(event, round_in, secretary, signed_in, address):
    event.entries.filter(rating__lt=2050).delete()
    round_in(1, FINISHED)
    page = signed_in(secretary).post(address("round_pair", 2), follow=True)
    assert "Round 2: no legal pairing" in page.content.decode()
    assert event.rounds.get(number=2).state == WAITING
    assert pair_round(event.rounds.get(number=1).pk, by=secretary).is_new is False
