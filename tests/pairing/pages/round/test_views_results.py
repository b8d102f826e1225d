"""Result entry: with HTMX, with plain forms, and by two people at once."""

from __future__ import annotations

import re

import pytest

from pairing.rounds.lifecycle.transitions import publish_round, unpublish_round
from pairing.rounds.manual.arrangement import swap_colours, swap_players
from pairing.rounds.manual.changes import change_draft_manually
from tests.factories import seen
from tests.pairing.seven_players import make_seven_player_fixtures
from tests.scenario import SIGN_IN_FIRST
from tournaments.models import Game, LogEntry, Round
from tournaments.problems import GameReplaced
from tournaments.results.recording import enter_result

made_once, event, club, secretary = make_seven_player_fixtures()

PUBLISHED, FINISHED = Round.State.PUBLISHED, Round.State.FINISHED
HTMX = {"HX-Request": "true", "HX-Target": "board-1"}


def result_of(this_round: Round, board: int) -> str:
    return this_round.games.get(board=board).result


# -- Refused ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("who", "status"), [(None, SIGN_IN_FIRST), ("outsider", 404), ("member", 403)])
def test_others_enter_nothing(who, status, round_in, signed_in, address, request):
    this_round = round_in(1, PUBLISHED)
    browser = signed_in(request.getfixturevalue(who) if who else None)
    sent = {"result-1": "1-0", "seen-1": seen(this_round, 1)}
    assert browser.post(address("board_result", 1, 1), sent).status_code == status
    assert browser.post(address("round_results", 1), sent).status_code == status
    assert result_of(this_round, 1) == ""


def test_results_are_sent_by_forms_alone(round_in, secretary, signed_in, address):
    round_in(1, PUBLISHED)
    browser = signed_in(secretary)
    assert browser.get(address("board_result", 1, 1)).status_code == 405
    assert browser.get(address("round_results", 1)).status_code == 405
    assert browser.post(address("board", 1, 1)).status_code == 405
    assert browser.post(address("board_result", 1, 99), {"result-99": "1-0"}).status_code == 404


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"result-1": "2-0", "seen-1": "1.0 "},
        {"result-1": "1-0"},
        {"result-1": "1-0", "seen-1": "x"},
        {"result-1": "1-0", "seen-1": "0 "},
        {"result-1": "1-0", "seen-1": "1." + 5000 * "9" + " "},
    ],
)
def test_what_is_no_result_is_refused(sent, round_in, secretary, signed_in, address):
    this_round = round_in(1, PUBLISHED)
    for headers in ({}, HTMX):
        answer = signed_in(secretary).post(address("board_result", 1, 1), sent, headers=headers)
        assert answer.status_code == 422
        assert "Choose a result for board" in answer.content.decode()
    assert result_of(this_round, 1) == ""


def test_a_draft_takes_no_results(round_in, secretary, signed_in, address):
    this_round = round_in(1, Round.State.DRAFT)
    answer = signed_in(secretary).post(
        address("board_result", 1, 1), {"result-1": "1-0", "seen-1": seen(this_round, 1)}
    )
    assert answer.status_code == 422
    assert result_of(this_round, 1) == ""


# -- One board -------------------------------------------------------------------------------------------------------


def test_htmx_gets_the_row_and_the_progress(round_in, secretary, signed_in, address):
    this_round = round_in(1, PUBLISHED)
    answer = signed_in(secretary).post(
        address("board_result", 1, 1), {"result-1": "1/2", "seen-1": seen(this_round, 1)}, headers=HTMX
    )
    text = answer.content.decode()
    assert answer.status_code == 200
    assert text.strip().startswith("<tr")
    assert f'name="seen-1" value="{seen(this_round, 1)}"' in text
    assert "1 of 3 results are in" in text
    assert "<html" not in text
    assert result_of(this_round, 1) == "1/2"


def test_without_htmx_the_page_comes_back_to_the_board(round_in, secretary, signed_in, address):
    this_round = round_in(1, PUBLISHED)
    sent = {"result-1": "0-1", "seen-1": seen(this_round, 1), "result-2": "1-0", "seen-2": seen(this_round, 2)}
    answer = signed_in(secretary).post(address("board_result", 1, 1), sent)
    assert answer.headers["Location"] == address("round", 1) + "#board-1"
    assert result_of(this_round, 1) == "0-1"
    assert result_of(this_round, 2) == "", "only the board whose button was pressed is saved"
    sent = {"result-1": "1/2", "seen-1": seen(this_round, 1), "reason": "Slip misread"}
    signed_in(secretary).post(address("board_result", 1, 1), sent)
    lines = LogEntry.objects.filter(action__startswith="result").order_by("pk")
    assert [(line.details["after"], line.details.get("reason", "")) for line in lines] == [
        ("0-1", ""),
        ("1/2", "Slip misread"),
    ]


@pytest.mark.parametrize("result", [value for value in Game.Result.values if value])
def test_every_result_can_be_entered_shown_and_taken_back(result, round_in, secretary, signed_in, address):
    this_round = round_in(1, PUBLISHED)
    browser = signed_in(secretary)
    assert f'value="{result}"' in browser.get(address("board", 1, 1)).content.decode()
    browser.post(address("board_result", 1, 1), {"result-1": result, "seen-1": seen(this_round, 1)})
    assert result_of(this_round, 1) == result
    assert browser.get(address("round", 1)).status_code == 200
    browser.post(address("board_result", 1, 1), {"result-1": "", "seen-1": seen(this_round, 1)})
    assert result_of(this_round, 1) == ""


def test_the_other_results_open_in_the_row(round_in, secretary, signed_in, address):
    round_in(1, PUBLISHED)
    text = signed_in(secretary).get(address("board", 1, 1), headers=HTMX).content.decode()
    assert text.strip().startswith("<tr")
    assert 'value="-/-"' in text


# -- Two at once -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_a_conflicting_result_is_asked_about(headers, round_in, secretary, signed_in, address):
    this_round = round_in(1, PUBLISHED)
    enter_result(this_round.games.get(board=1), Game.Result.BLACK_WINS, revision=0, by=None)
    browser = signed_in(secretary)
    sent = {"result-1": "1-0", "seen-1": seen(this_round, 1, 0)}
    answer = browser.post(address("board_result", 1, 1), sent, headers=headers)
    text = answer.content.decode()
    assert answer.status_code == 422
    assert result_of(this_round, 1) == "0-1", "the first result must stand until somebody decides"
    assert "now has a different result" in text
    assert f'name="seen-1" value="{seen(this_round, 1)}"' in text, "the answer must be able to insist"
    browser.post(address("board_result", 1, 1), {"result-1": "1-0", "seen-1": seen(this_round, 1)}, headers=headers)
    assert result_of(this_round, 1) == "1-0"


def test_the_same_result_twice_is_no_conflict(round_in, secretary, signed_in, address):
    this_round = round_in(1, PUBLISHED)
    browser = signed_in(secretary)
    for _ in range(2):
        answer = browser.post(
            address("board_result", 1, 1), {"result-1": "1-0", "seen-1": seen(this_round, 1, 0)}, headers=HTMX
        )
        assert answer.status_code == 200
    assert this_round.games.get(board=1).revision == 1
    assert LogEntry.objects.filter(action="result entered").count() == 1


def test_one_click_saves_all_changes_and_asks_about_conflicts(round_in, secretary, signed_in, address):
    this_round = round_in(1, PUBLISHED)
    enter_result(this_round.games.get(board=1), Game.Result.BLACK_WINS, revision=0, by=None)
    enter_result(this_round.games.get(board=3), Game.Result.DRAW, revision=0, by=None)
    sent = {
        "result-1": "1-0",
        "seen-1": seen(this_round, 1, 0),
        "result-2": "1/2",
        "seen-2": seen(this_round, 2, 0),
        "seen-3": seen(this_round, 3, 0),
    }
    answer = signed_in(secretary).post(address("round_results", 1), sent)
    text = answer.content.decode()
    assert answer.status_code == 422
    assert "1 result saved." in text
    assert "Someone else has entered different results. Choose which are correct" in text
    assert [result_of(this_round, board) for board in (1, 2, 3)] == ["0-1", "1/2", "1/2"]
    assert text.count("now has a different result") == 1


def test_an_old_page_takes_nothing_back(round_in, secretary, signed_in, address):
    """A board left as the page showed it is not sent as a change, whatever was entered meanwhile."""
    this_round = round_in(1, PUBLISHED)
    enter_result(this_round.games.get(board=1), Game.Result.DRAW, revision=0, by=None)
    enter_result(this_round.games.get(board=1), Game.Result.BLACK_WINS, revision=1, by=None)
    sent = {
        "result-1": "1/2",
        "seen-1": seen(this_round, 1, 1, "1/2"),
        "result-2": "1-0",
        "seen-2": seen(this_round, 2),
    }
    answer = signed_in(secretary).post(address("round_results", 1), sent, follow=True)
    assert answer.status_code == 200
    assert [result_of(this_round, board) for board in (1, 2)] == ["0-1", "1-0"]


# -- Another game at the board ---------------------------------------------------------------------------------------


def swapped(this_round: Round, secretary) -> Round:
    """The published round unpublished, White of boards 1 and 2 swapped, and published again."""
    draft = unpublish_round(this_round, by=secretary, reason="Two boards were set up wrongly.")
    one, other = (draft.games.get(board=board).white_id for board in (1, 2))
    change_draft_manually(draft, swap_players(one, other), by=secretary, version=draft.version)
    draft.refresh_from_db()
    return publish_round(draft, by=secretary, version=draft.version)


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_an_old_page_enters_nothing_for_another_game(headers, round_in, secretary, signed_in, address):
    this_round = round_in(1, PUBLISHED)
    sent = {"result-1": "1-0", "seen-1": seen(this_round, 1)}
    now = swapped(this_round, secretary)
    answer = signed_in(secretary).post(address("board_result", 1, 1), sent, headers=headers)
    assert answer.status_code == 422
    assert "The players on board 1 have changed" in answer.content.decode()
    assert f'name="seen-1" value="{seen(now, 1)}"' in answer.content.decode(), "the page is made anew"
    assert result_of(now, 1) == ""
    assert not LogEntry.objects.filter(action="result entered").exists()


def test_an_old_page_enters_results_of_unchanged_games_and_marks_the_others(round_in, secretary, signed_in, address):
    this_round = round_in(1, PUBLISHED)
    sent = {f"seen-{board}": seen(this_round, board) for board in (1, 2, 3)}
    sent |= {f"result-{board}": "1-0" for board in (1, 2, 3)}
    now = swapped(this_round, secretary)
    answer = signed_in(secretary).post(address("round_results", 1), sent)
    text = answer.content.decode()
    assert answer.status_code == 422
    assert "The pairings have changed since you opened this page" in text
    assert text.count("have changed. They are now") == 2
    assert [result_of(now, board) for board in (1, 2, 3)] == ["", "", "1-0"]


def test_a_game_that_goes_while_its_result_comes_in_is_no_crash(round_in, secretary):
    this_round = round_in(1, PUBLISHED)
    game = this_round.games.get(board=1)
    swapped(this_round, secretary)
    with pytest.raises(GameReplaced, match="The pairings have changed, and this game is no longer in them"):
        enter_result(game, Game.Result.WHITE_WINS, revision=0, by=secretary)


@pytest.mark.parametrize("button", ["round_discard", "round_unpublish"])
def test_an_old_page_takes_no_other_pairing_back(button, round_in, secretary, signed_in, address):
    state = Round.State.DRAFT if button == "round_discard" else PUBLISHED
    this_round = round_in(1, state)
    old = this_round.version
    draft = this_round if state == Round.State.DRAFT else unpublish_round(this_round, by=secretary, reason="wrong list")
    change_draft_manually(draft, swap_colours(1), by=secretary, version=old)
    if state == PUBLISHED:
        publish_round(draft, by=secretary, version=old + 1)
    for version in ({}, {"version": old}, {"version": 5000 * "9"}):
        page = signed_in(secretary).post(address(button, 1), {"reason": "late", **version}, follow=True)
        assert "have changed" in page.content.decode()
        this_round.refresh_from_db()
        assert this_round.state == state


# -- After the round -------------------------------------------------------------------------------------------------


def test_a_finished_rounds_result_is_corrected_with_a_notice(round_in, secretary, signed_in, address):
    this_round = round_in(1, FINISHED)
    browser = signed_in(secretary)
    text = browser.get(address("board", 1, 1)).content.decode()
    assert "Correct result" in text
    assert "paired yet, so it will use the corrected result" in text
    browser.post(
        address("board_result", 1, 1), {"result-1": "0-1", "seen-1": seen(this_round, 1), "reason": "Slip misread"}
    )
    assert result_of(this_round, 1) == "0-1"
    line = LogEntry.objects.filter(action="result corrected").get()
    assert (line.details["before"], line.details["after"], line.details["reason"]) == ("1-0", "0-1", "Slip misread")


def test_a_finished_rounds_result_is_not_taken_back(round_in, secretary, signed_in, address):
    this_round = round_in(1, FINISHED)
    answer = signed_in(secretary).post(address("board_result", 1, 1), {"result-1": "", "seen-1": seen(this_round, 1)})
    assert answer.status_code == 422
    assert result_of(this_round, 1) == "1-0"


def test_a_board_shows_everyone_its_reason(round_in, signed_in, address):
    round_in(2, PUBLISHED)
    text = signed_in().get(address("board", 2, 1)).content.decode()
    assert "Why this pairing?" in text
    assert "fide-1989 art." in text
    assert address("board_result", 2, 1) not in text
    assert signed_in().get(address("board", 2, 99)).status_code == 404


@pytest.mark.parametrize(("only", "words"), [("disputed", "0 disputed"), ("late", "0 late"), ("open", "0 to come")])
def test_the_link_that_ends_a_filter_stays_when_nothing_matches(only, words, round_in, secretary, signed_in, address):
    this_round = round_in(1, PUBLISHED)
    for game in this_round.games.all():
        enter_result(game, "1-0", revision=game.revision, by=secretary)
    page = signed_in(secretary).get(address("round", 1), {"only": only}).content.decode()
    assert re.search(rf'href="{address("round", 1)}"[^>]* aria-current="true">{words}</a>', page)
