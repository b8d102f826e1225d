"""Results entered a second time from the slips."""

from __future__ import annotations

import pytest

from tests.factories import make_event, published
from tournaments.models import Game, ResultCheck
from tournaments.problems import ArbiterProblem
from tournaments.results.recording import correct_result, enter_result, finish_round
from tournaments.results.results_check import record_result_check, result_checks_by_board, results_check_progress

WHITE, DRAW = Game.Result.WHITE_WINS, Game.Result.DRAW


@pytest.fixture
def this_round(club):
    return published(make_event(club, players=6), 1)


def test_an_open_board_cannot_be_read_again(this_round):
    with pytest.raises(ArbiterProblem, match="no result yet"):
        record_result_check(this_round.games.get(board=1), DRAW, by=None)


@pytest.mark.parametrize("result", ["", "2-0"])
def test_what_is_no_result_is_not_read(result, this_round):
    with pytest.raises(ValueError, match="not a result"):
        record_result_check(this_round.games.get(board=1), result, by=None)


def test_another_second_reading_changes_no_result_and_is_listed(this_round, secretary):
    for board, result in ((1, WHITE), (2, DRAW)):
        enter_result(this_round.games.get(board=board), result, revision=0, by=None)
    reading = record_result_check(this_round.games.get(board=1), DRAW, by=secretary)
    assert not reading.has_same_result
    assert record_result_check(this_round.games.get(board=2), DRAW, by=secretary).has_same_result
    assert this_round.games.get(board=1).result == WHITE
    progress = results_check_progress(this_round, result_checks_by_board(this_round))
    assert (progress.boards, progress.agreeing, progress.is_complete) == (2, 1, False)
    assert [each.game.board for each in progress.different] == [1]
    assert (reading.by, ResultCheck.objects.count()) == (secretary, 2)


def test_entering_what_was_read_settles_it(this_round):
    enter_result(this_round.games.get(board=1), WHITE, revision=0, by=None)
    record_result_check(this_round.games.get(board=1), DRAW, by=None)
    enter_result(this_round.games.get(board=1), DRAW, revision=1, by=None)
    assert results_check_progress(this_round, result_checks_by_board(this_round)).is_complete


def test_a_later_correction_is_to_be_read_again(this_round):
    for game in this_round.games.all():
        enter_result(game, DRAW, revision=0, by=None)
        record_result_check(game, DRAW, by=None)
    finish_round(this_round, by=None)
    correct_result(this_round.games.get(board=1), WHITE, revision=1, by=None)
    this_round.refresh_from_db()
    assert [
        each.game.board for each in results_check_progress(this_round, result_checks_by_board(this_round)).different
    ] == [1]
    assert record_result_check(this_round.games.get(board=1), WHITE, by=None).has_same_result
