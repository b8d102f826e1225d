"""The page for checking results, and the club's result keys."""

from __future__ import annotations

import pytest
from django.urls import reverse

from tests.factories import draft_of, published, seen
from tests.module_fixtures import make_module_fixtures
from tests.scenario import SIGN_IN_FIRST, Cast, make_cast
from tournaments.models import Game, ResultCheck, Round
from tournaments.results.displayed_game import DisplayedGame
from tournaments.results.recording import enter_result

HTMX = {"HX-Request": "true"}
ORDINARY = {"", "1-0", "1/2", "0-1"}
"""Results that have keys of their own."""

made_once, cast = make_module_fixtures(make_cast)


@pytest.fixture
def this_round(cast) -> Round:
    """Three boards: 1-0, a draw, and one still open."""
    shown = published(cast.event, 1)
    for board, result in ((1, "1-0"), (2, "1/2")):
        enter_result(shown.games.get(board=board), result, revision=0, by=None)
    return shown


def address(cast: Cast, name: str, *more: int) -> str:
    return reverse(name, args=[cast.club.slug, cast.event.slug, 1, *more])


def read(cast: Cast, board: int, result: str, *, htmx: bool = True, who: str = "arbiter"):
    this_round = cast.round(1)
    sent = {f"result-{board}": result, f"seen-{board}": seen(this_round, board) if board < 4 else ""}
    return cast.browser(who).post(address(cast, "board_result_check", board), sent, headers=HTMX if htmx else {})


@pytest.mark.parametrize(("who", "status"), [("visitor", SIGN_IN_FIRST), ("neighbour", 404), ("member", 403)])
def test_reading_is_for_those_who_run_the_event(cast, this_round, who, status):
    browser = cast.browser(who)
    assert browser.get(address(cast, "round_results_check")).status_code == status
    assert browser.post(address(cast, "round_results_check_all"), {"result-1": "1-0"}).status_code == status
    assert browser.post(address(cast, "result_keys_edit"), {"keys": "order"}).status_code == status
    assert read(cast, 1, "1-0", who=who).status_code == status
    assert not ResultCheck.objects.exists()


def test_wrong_methods(cast, this_round):
    browser = cast.browser("arbiter")
    assert browser.post(address(cast, "round_results_check")).status_code == 405
    for name, more in (("round_results_check_all", []), ("result_keys_edit", []), ("board_result_check", [1])):
        assert browser.get(address(cast, name, *more)).status_code == 405


def test_a_draft_and_a_missing_board_are_not_read(cast):
    draft_of(cast.event, 1)
    assert cast.browser("arbiter").get(address(cast, "round_results_check")).status_code == 404
    assert read(cast, 1, "1-0").status_code == 422
    assert read(cast, 9, "1-0").status_code == 404


def test_the_page_does_not_give_the_first_reading_away(cast, this_round):
    page = cast.browser("arbiter").get(address(cast, "round_results_check"))
    html = page.text
    assert page.context["may_run"]
    assert {value for value, _words in page.context["other_results"]} == set(Game.Result.values) - ORDINARY
    assert "checked" not in html
    assert "Entered:" not in html
    assert html.count('class="open"') == 2
    assert "no result yet" in html
    assert "0 of 2 boards match" in html


@pytest.mark.parametrize("result", ["", "2-0"])
@pytest.mark.parametrize("htmx", [False, True])
def test_what_is_no_result_is_refused(cast, this_round, result, htmx):
    answer = read(cast, 1, result, htmx=htmx)
    assert answer.status_code == (422 if htmx else 302)
    assert not ResultCheck.objects.exists()


def test_the_same_result_verifies_the_board(cast, this_round):
    html = read(cast, 1, "1-0").text
    assert html.count("<tr") == 1
    assert "checked by arbiter" in html
    assert "1 of 2 boards match" in html
    reading = ResultCheck.objects.get()
    assert (reading.by.username, reading.has_same_result) == ("arbiter", True)
    assert cast.event.log.first().action == "result read again"


def test_another_result_is_pointed_out_and_changes_nothing(cast, this_round):
    html = read(cast, 1, "0-1").text
    assert "First entry: 1–0. Second entry: 0–1." in html
    assert this_round.games.get(board=1).result == Game.Result.WHITE_WINS
    listed = cast.browser("arbiter").get(address(cast, "round_results_check")).text
    assert 'href="#board-1"' in listed
    read(cast, 1, "1-0")
    assert 'href="#board-1"' not in cast.browser("arbiter").get(address(cast, "round_results_check")).text


def test_an_old_page_reads_nothing_for_another_game(cast, this_round):
    game = this_round.games.get(board=1)
    old = str(DisplayedGame(game=game.pk + 1000, revision=game.revision, result=game.result))
    for name, more in (("board_result_check", [1]), ("round_results_check_all", [])):
        sent = {"result-1": "1-0", "seen-1": old}
        answer = cast.browser("arbiter").post(address(cast, name, *more), sent, follow=True)
        assert "The players on board 1 have changed" in answer.text
    assert not ResultCheck.objects.exists()


def test_without_scripts_one_click_compares_all(cast, this_round):
    sent = {"result-1": "1-0", "result-2": "1-0", "result-3": "1-0"}
    sent |= {f"seen-{board}": seen(this_round, board) for board in (1, 2, 3)}
    html = cast.browser("arbiter").post(address(cast, "round_results_check_all"), sent, follow=True).text
    assert "2 boards checked" in html
    assert "Board 3 has no result yet" in html
    assert "First entry: ½–½. Second entry: 1–0." in html


@pytest.mark.parametrize(
    ("keys", "keycap"), [("order", "<kbd>3</kbd>"), ("letters", "<kbd>B</kbd>"), ("score", "<kbd>5</kbd>")]
)
def test_the_clubs_keys(cast, this_round, keys, keycap):
    browser = cast.browser("arbiter")
    for page, leads_to in (("", "round"), ("again", "round_results_check")):
        answer = browser.post(address(cast, "result_keys_edit"), {"keys": keys, "page": page}, follow=True)
        assert answer.redirect_chain[-1][0] == address(cast, leads_to)
        html = answer.text
        assert keycap in html
        assert f'data-keys="{keys}"' in html
    cast.club.refresh_from_db()
    assert cast.club.result_keys == keys


def test_keys_nobody_knows(cast, this_round):
    assert cast.browser("arbiter").post(address(cast, "result_keys_edit"), {"keys": "qwerty"}).status_code == 404
    cast.club.refresh_from_db()
    assert cast.club.result_keys == "score"
