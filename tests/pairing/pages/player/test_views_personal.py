"""A player's page, opened by the personal link."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.core.cache import caches
from django.test import Client
from django.utils import timezone

from pairing.rounds.lifecycle.transitions import publish_round, unpublish_round
from pairing.rounds.manual.arrangement import swap_colours
from pairing.rounds.manual.changes import change_draft_manually
from tests.factories import draft_of, make_event, played, player, published, round_of, seen
from tests.scenario import make_cast
from tournaments.audit_log.actions import officer_only_actions
from tournaments.check_in.byes import grant_requested_bye
from tournaments.check_in.personal_links import event_link_token, event_link_url, renew_personal_link
from tournaments.check_in.presence import set_check_in_state
from tournaments.models import Bye, CheckIn, Game, ResultClaim
from tournaments.results.recording import enter_result

HTMX = {"HX-Request": "true", "HX-Target": "mine"}


@pytest.fixture(autouse=True)
def nothing_kept() -> None:
    """Clear the cache: an event of another test may have had the same key."""
    caches["parts"].clear()


@pytest.fixture
def event(club):
    return make_event(club, players=6, players_check_in=True, players_report_results=True)


def address(entry, part: str = "") -> str:
    return f"{event_link_url(entry)}{part}"


def send(entry, part: str, *, htmx: bool = False, **sent: object):
    return Client().post(address(entry, part), sent, headers=HTMX if htmx else {})


# -- Who gets in ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("part", ["", "check-in/", "bye/", "leave/", "result/"])
def test_a_wrong_and_a_renewed_link_open_nothing(part, event, secretary):
    entry = player(event, 1)
    before = address(entry, part)
    renew_personal_link(entry, by=secretary)
    client = Client()
    ask = client.post if part else client.get
    for path in (before, f"/p/{entry.pk}.AAAAAAAAAAAAAAAA/{part}", f"/p/{entry.pk}/{part}", f"/p/x/{part}"):
        assert ask(path).status_code == 404
    signed_in = Client()
    signed_in.force_login(secretary)
    assert (signed_in.post if part else signed_in.get)(before).status_code == 404


def test_wrong_methods_are_refused(event):
    entry = player(event, 1)
    assert Client().post(address(entry)).status_code == 405
    for part in ("check-in/", "bye/", "result/"):
        assert Client().get(address(entry, part)).status_code == 405


def test_a_forged_form_is_refused(event):
    client = Client(enforce_csrf_checks=True)
    assert client.post(address(player(event, 1), "check-in/"), {"round": 1, "tap": "here"}).status_code == 403


def test_the_address_stays_a_secret(event):
    published(event, 1)
    answer = Client().get(address(player(event, 1)))
    assert answer.headers["Referrer-Policy"] == "strict-origin"
    assert "noindex" in answer.headers["X-Robots-Tag"]
    assert {"private", "no-store"} <= set(answer.headers["Cache-Control"].split(", "))
    html = answer.content.decode()
    assert "/sign-in/" not in html
    assert event_link_token(player(event, 2)) not in html
    assert not re.findall(r'(?:href|src)="https?://', html)


# -- What it shows -------------------------------------------------------------------------------------------------


def test_before_the_first_round_there_is_no_board(event):
    html = Client().get(address(player(event, 1))).content.decode()
    assert "I'm here" in html
    assert "board" not in html.partition('id="mine"')[2].partition("</section>")[0].replace("Your board", "")


def test_a_draft_is_not_shown(event):
    game = draft_of(event, 1).games.get(board=1)
    html = Client().get(address(game.white)).content.decode()
    assert game.black.name not in html
    assert "I'm here" not in html


def test_board_opponent_colour_and_why(event):
    played(event, 1)
    game = published(event, 2).games.get(board=2)
    for entry, other, colour in ((game.white, game.black, "White"), (game.black, game.white, "Black")):
        html = Client().get(address(entry)).content.decode()
        assert "Round 2, board 2" in html
        assert f"You have {colour}" in html
        assert other.name in html
        assert "Why this pairing?" in html
        assert "My place" in html


def test_a_player_without_a_game_reads_why(club):
    event = make_event(club, players=3)
    published(event, 1)
    bye = Bye.objects.get()
    html = Client().get(address(bye.entry)).content.decode()
    assert "not playing this round" in html
    assert "Why this pairing?" in html


def test_an_event_that_is_not_public_shows_players_their_own_page(club):
    event = make_event(club, players=4, is_public=False)
    game = published(event, 1).games.get(board=1)
    html = Client().get(address(game.white)).content.decode()
    assert game.black.name in html
    assert f'href="/{club.slug}/{event.slug}/' not in html


def test_long_and_cyrillic_names(db):
    cast = make_cast()
    entry = cast.entry(1)
    assert "Измислен, Петър" in Client().get(address(entry)).content.decode()


def test_the_page_keeps_up_with_the_event_by_itself(event):
    game = published(event, 1).games.get(board=1)
    page = Client().get(address(game.white)).content.decode()
    part = Client().get(address(game.white), headers={"HX-Request": "true", "HX-Target": "live"}).content.decode()
    version = page.partition('data-version="')[2].partition('"')[0]
    assert version == str(event.log.exclude(action__in=officer_only_actions()).count())
    set_check_in_state(player(event, 1), round_of(event, 2), "here", by=None)
    again = Client().get(address(game.white)).content.decode()
    assert again.partition('data-version="')[2].partition('"')[0] == version, "the door is no news for players"
    assert "<html" in page
    assert "<html" not in part
    assert 'id="mine" data-live' in part


def test_the_place_is_of_now(event):
    game = published(event, 1).games.get(board=1)
    assert "<dt>Points</dt><dd><strong>0</strong>" in Client().get(address(game.white)).content.decode()
    enter_result(game, "1-0", revision=0, by=None)
    assert "<dt>Points</dt><dd><strong>1</strong>" in Client().get(address(game.white)).content.decode()


@pytest.mark.parametrize("players", [20, 60])
def test_the_number_of_queries_does_not_grow(players, club, django_assert_num_queries):
    event = make_event(club, players=players, rounds=9, system="fide-1989", players_report_results=True)
    played(event, 1)
    entry = published(event, 2).games.get(board=1).white
    path = address(entry)
    with django_assert_num_queries(21):
        assert Client().get(path).status_code == 200


# -- Checking in ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("htmx", [False, True])
def test_i_am_here(htmx, event):
    entry = player(event, 1)
    for _ in range(2):
        answer = send(entry, "check-in/", htmx=htmx, round=1, tap="here")
        assert (answer.status_code, answer.url) == (302, address(entry))
    assert CheckIn.objects.get().by_player
    assert "You're checked in" in Client().get(address(entry)).content.decode()
    send(entry, "check-in/", htmx=htmx, round=1, tap="undo")
    assert not CheckIn.objects.exists()


def test_i_am_on_the_way(event):
    send(player(event, 1), "check-in/", round=1, tap="late")
    assert CheckIn.objects.get().state == "late"
    assert "late" in Client().get(address(player(event, 1))).content.decode()


@pytest.mark.parametrize("number", ["", "x", "99", "٣", "1" * 50])
def test_no_such_round(number, event):
    for part in ("check-in/", "bye/", "result/"):
        assert send(player(event, 1), part, round=number, tap="here", seen="1.0 ", result="1-0").status_code == 404


def test_nobody_checks_in_for_next_week(event):
    played(event, 1)
    following = round_of(event, 2)
    entry = player(event, 1)
    for hours, offered in ((200, False), (4, False), (2, True)):
        following.starts_at = timezone.now() + timedelta(hours=hours)
        following.save()
        text = Client().get(address(entry)).content.decode()
        assert ("I'm here" in text) == offered
        assert ("are you coming?" in text) != offered, "one pair of buttons at a time"
        assert "I can't" in text
    published(event, 2)
    assert "I'm here" not in Client().get(address(entry)).content.decode()


def test_who_is_not_signed_up_can_still_say_they_are_coming_at_check_in(event):
    entry, this_round = player(event, 1), round_of(event, 1)
    this_round.starts_at = timezone.now() + timedelta(hours=2)
    this_round.save()
    for only_sign_ups in (False, True):
        event.only_sign_ups = only_sign_ups
        event.save()
        assert ("I'm coming" in Client().get(address(entry)).text) == only_sign_ups
    send(entry, "bye/", round=1, answer="coming")
    assert "You said you're coming." in Client().get(address(entry)).text


def test_the_arbiter_sees_the_player_as_absent(event, secretary):
    set_check_in_state(player(event, 1), round_of(event, 1), "absent", by=secretary)
    send(player(event, 1), "check-in/", round=1, tap="here")
    html = Client().get(address(player(event, 1))).content.decode()
    assert "told the arbiter" in html


@pytest.mark.parametrize("htmx", [False, True])
def test_check_in_is_closed(htmx, event):
    this_round = round_of(event, 1)
    this_round.check_in_closed_at = timezone.now()
    this_round.save()
    assert "I'm here" not in Client().get(address(player(event, 1))).content.decode()
    answer = send(player(event, 1), "check-in/", htmx=htmx, round=1, tap="here")
    assert answer.status_code == 422
    assert "Check-in is closed" in answer.content.decode()


# -- Byes ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("htmx", [False, True])
def test_asking_for_a_bye_and_taking_it_back(htmx, event):
    entry = player(event, 1)
    for _ in range(2):
        assert send(entry, "bye/", htmx=htmx, round=2).status_code == 302
    assert Bye.objects.get().kind == Bye.Kind.HALF_POINT
    assert event.log.filter(action="bye asked for", actor=None).exists()
    assert "1 of 2 left" in Client().get(address(entry)).content.decode()
    send(entry, "bye/", htmx=htmx, round=2, answer="coming")
    assert not Bye.objects.exists()
    assert event.log.first().action == "bye taken back"


def test_beyond_the_quota_a_bye_brings_nothing(event):
    entry = player(event, 1)
    for number in (1, 2, 3):
        send(entry, "bye/", round=number)
    send(entry, "bye/", round=event.rounds_announced)
    assert [bye.kind for bye in Bye.objects.order_by("round")] == ["H", "H", "Z", "Z"]


def test_after_the_deadline_the_arbiter_decides(event, secretary):
    event.bye_deadline_hours = 4
    event.save()
    this_round = round_of(event, 1)
    this_round.starts_at = timezone.now() + timedelta(hours=3)
    this_round.save()
    entry = player(event, 1)
    answer = send(entry, "bye/", round=1)
    assert answer.status_code == 422
    assert "Ask the arbiter" in answer.content.decode()
    assert "ask the arbiter" in Client().get(address(entry)).content.decode()
    grant_requested_bye(entry, this_round, "H", by=secretary, beyond_quota=True)
    assert send(entry, "bye/", round=1, answer="coming").status_code == 422
    assert Bye.objects.exists()
    this_round.starts_at = timezone.now() + timedelta(hours=5)
    this_round.save()
    assert send(entry, "bye/", round=1, answer="coming").status_code == 302


def test_no_bye_of_a_round_that_is_paired(event):
    draft_of(event, 1)
    assert send(player(event, 1), "bye/", round=1).status_code == 422
    assert not Bye.objects.exists()


# -- Results -------------------------------------------------------------------------------------------------------


@pytest.fixture
def board(event) -> Game:
    return published(event, 1).games.get(board=1)


@pytest.mark.parametrize("htmx", [False, True])
def test_both_report_the_same(htmx, board):
    sent = {"round": 1, "seen": seen(board.round, 1), "result": "0-1", "htmx": htmx}
    assert send(board.white, "result/", **sent).status_code == 302
    assert "Waiting for your opponent" in Client().get(address(board.white)).content.decode()
    html = Client().get(address(board.black)).content.decode()
    assert "Your opponent reported: you won" in html
    send(board.black, "result/", **sent)
    board.refresh_from_db()
    assert board.result == "0-1"
    for entry in (board.white, board.black):
        html = Client().get(address(entry)).content.decode()
        assert "has been entered" in html
        assert 'name="result"' not in html


def test_they_report_different_results(board):
    send(board.white, "result/", round=1, seen=seen(board.round, 1), result="1-0")
    send(board.black, "result/", round=1, seen=seen(board.round, 1), result="1/2")
    html = Client().get(address(board.black)).content.decode()
    assert "You reported a draw, but your opponent reported a win." in html
    assert "Change your report if you made a mistake" in html
    board.refresh_from_db()
    assert board.result == ""


@pytest.mark.parametrize("result", ["", "+/-", "0-0", "*", "2-0", "1–0"])
def test_what_is_not_the_players_to_report(result, board):
    assert send(board.white, "result/", round=1, seen=seen(board.round, 1), result=result).status_code == 404


def test_nobody_reports_anothers_board(board):
    other = board.round.games.get(board=2)
    answer = send(other.white, "result/", round=1, seen=seen(board.round, 1), result="1-0")
    assert answer.status_code == 422
    assert "not your board" in answer.content.decode()
    assert not ResultClaim.objects.exists()


def test_the_arbiter_was_quicker(board, secretary):
    enter_result(board, "1/2", revision=0, by=secretary)
    answer = send(board.white, "result/", round=1, seen=seen(board.round, 1), result="1-0")
    assert answer.status_code == 422
    assert "The result of your game is already entered" in answer.content.decode()


def test_where_the_arbiter_enters_results_nothing_is_asked(event, board):
    event.players_report_results = False
    event.save()
    assert "How did your game end?" not in Client().get(address(board.white)).content.decode()
    assert send(board.white, "result/", round=1, seen=seen(board.round, 1), result="1-0").status_code == 422


def test_old_pages_report_nothing_once_the_colours_are_turned(board, secretary):
    """Both press "1-0" on their old pages: the earlier White has Black now."""
    sent = {"round": 1, "seen": seen(board.round, 1), "result": "1-0"}
    draft = unpublish_round(board.round, by=secretary, reason="The colours were wrong.")
    change_draft_manually(draft, swap_colours(1), by=secretary, version=draft.version)
    draft.refresh_from_db()
    now = publish_round(draft, by=secretary, version=draft.version)
    for entry in (board.white, board.black):
        answer = send(entry, "result/", **sent)
        assert answer.status_code == 422
        assert "The pairings have changed, and this game is no longer in them" in answer.content.decode()
    assert now.games.get(board=1).result == ""
    assert not ResultClaim.objects.exists()


def test_a_result_taken_back_is_reported_anew(board, secretary):
    sent = {"round": 1, "seen": seen(board.round, 1), "result": "1-0"}
    enter_result(board, "1-0", revision=0, by=secretary)
    enter_result(board, "", revision=1, by=secretary)
    answer = send(board.white, "result/", **sent)
    assert answer.status_code == 422
    assert "The result of your game was entered and then cleared. Report it again" in answer.content.decode()
    assert send(board.white, "result/", **sent | {"seen": seen(board.round, 1)}).status_code == 302


@pytest.mark.parametrize("wrong", ["", "1", "x.0 ", "1.x ", "1." + 5000 * "9" + " ", "1.0 2-0"])
def test_what_names_no_game(wrong, board):
    assert send(board.white, "result/", round=1, seen=wrong, result="1-0").status_code == 404
