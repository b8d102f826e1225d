"""Results: entry, conflicts, corrections, finishing."""

from __future__ import annotations

import pytest

from tests.factories import PLAYED, draft_of, enter_all, make_event, played, published, round_of
from tournaments.models import Game, Round
from tournaments.problems import ArbiterProblem, ResultConflict
from tournaments.results.recording import correct_result, enter_result, finish_round, reopen_round

WHITE, DRAW, BLACK, PENDING = (
    Game.Result.WHITE_WINS,
    Game.Result.DRAW,
    Game.Result.BLACK_WINS,
    Game.Result.PENDING,
)


@pytest.fixture
def event(club):
    return make_event(club, players=6)


@pytest.fixture
def board(event):
    return published(event, 1).games.get(board=1)


def test_an_unknown_result_is_no_result(board):
    with pytest.raises(ValueError, match="not a result"):
        enter_result(board, "2-0", revision=0, by=None)


def test_no_results_in_a_draft(event):
    game = draft_of(event, 1).games.get(board=1)
    with pytest.raises(ArbiterProblem):
        enter_result(game, WHITE, revision=0, by=None)


def test_a_later_other_result_is_refused_and_told(board, secretary, arbiter):
    enter_result(board, WHITE, revision=0, by=secretary)
    with pytest.raises(ResultConflict) as conflict:
        enter_result(board, BLACK, revision=0, by=arbiter)
    assert conflict.value.wanted == BLACK
    assert (conflict.value.game.result, conflict.value.game.entered_by) == (WHITE, secretary)
    insisted = enter_result(board, BLACK, revision=conflict.value.game.revision, by=arbiter)
    assert (insisted.result, insisted.revision) == (BLACK, 2)


def test_the_same_result_twice_is_entered_once(board, event, secretary, arbiter):
    enter_result(board, DRAW, revision=0, by=secretary)
    again = enter_result(board, DRAW, revision=0, by=arbiter)
    assert (again.revision, again.entered_by) == (1, secretary)
    assert event.log.filter(action="result entered").count() == 1


def test_a_result_can_be_taken_back(board):
    enter_result(board, DRAW, revision=0, by=None)
    assert enter_result(board, PENDING, revision=1, by=None).result == PENDING


def test_a_round_with_open_boards_is_not_finished(event, board):
    enter_result(board, DRAW, revision=0, by=None)
    with pytest.raises(ArbiterProblem) as problem:
        finish_round(board.round, by=None)
    assert [game.board for game in problem.value.games] == [2, 3]
    assert "2, 3" in problem.value.message


def test_neither_a_waiting_round_nor_a_draft_is_finished(event):
    with pytest.raises(ArbiterProblem):
        finish_round(round_of(event, 1), by=None)
    draft_of(event, 1)
    with pytest.raises(ArbiterProblem):
        finish_round(round_of(event, 1), by=None)


def test_finishing_twice_is_no_error(event):
    played(event, 1)
    assert finish_round(round_of(event, 1), by=None).state == Round.State.FINISHED
    assert event.log.filter(action="round finished").count() == 1


def test_a_finished_round_is_corrected_not_entered(event):
    game = played(event, 1).games.get(board=1)
    other = DRAW if game.result != DRAW else WHITE
    with pytest.raises(ArbiterProblem):
        enter_result(game, other, revision=game.revision, by=None)
    with pytest.raises(ArbiterProblem):
        correct_result(game, PENDING, revision=game.revision, by=None)
    with pytest.raises(ResultConflict):
        correct_result(game, other, revision=0, by=None)
    corrected = correct_result(game, other, revision=game.revision, by=None, reason="wrong slip")
    entry = event.log.get(action="result corrected")
    assert corrected.result == other
    assert entry.details == {"board": 1, "before": game.result, "after": other, "reason": "wrong slip"}


def test_an_open_round_is_not_corrected(board):
    with pytest.raises(ArbiterProblem):
        correct_result(board, WHITE, revision=0, by=None)


def test_a_correction_leaves_the_next_pairing_alone(event):
    played(event, 1)
    following = published(event, 2)
    before = list(following.games.values_list("white", "black", "board"))
    game = round_of(event, 1).games.get(board=1)
    correct_result(game, BLACK if game.result != BLACK else WHITE, revision=game.revision, by=None)
    assert list(following.games.values_list("white", "black", "board")) == before


def test_a_round_is_reopened_only_before_the_next_is_paired(event):
    played(event, 1)
    assert reopen_round(round_of(event, 1), by=None).state == Round.State.PUBLISHED
    with pytest.raises(ArbiterProblem):
        reopen_round(round_of(event, 1), by=None)
    finish_round(round_of(event, 1), by=None)
    draft_of(event, 2)
    with pytest.raises(ArbiterProblem):
        reopen_round(round_of(event, 1), by=None)


def test_a_result_costs_a_fixed_number_of_queries(board, django_assert_max_num_queries):
    with django_assert_max_num_queries(8):  # one of them looks for webhooks
        enter_result(board, WHITE, revision=0, by=None)


def test_how_an_adjourned_game_ended_touches_no_published_pairing(event, board):
    for game in board.round.games.all():
        enter_result(game, Game.Result.ADJOURNED if game.board == 1 else WHITE, revision=0, by=None)
    finish_round(board.round, by=None)
    following = published(event, 2)
    assert following.scores[str(board.white_id)] == 1, "a draw for pairing"
    boards = list(following.games.values_list("board", "white", "black", "reasons"))
    correct_result(board, WHITE, revision=1, by=None)
    after = round_of(event, 2)
    assert list(after.games.values_list("board", "white", "black", "reasons")) == boards
    assert (after.version, after.scores) == (following.version, following.scores)


def test_what_tests_enter_at_once_is_what_is_entered_board_by_board(club, secretary):
    """Most tests start with `enter_all`, which must leave the same data as an evening."""

    def rows(this_round: Round) -> tuple[list[tuple[object, ...]], list[tuple[object, ...]]]:
        leave_out = {"id", "round", "white", "black", "entered_at"}
        columns = [field.name for field in Game._meta.concrete_fields if field.name not in leave_out]
        games = list(this_round.games.order_by("board").values_list(*columns, "white__name", "black__name"))
        lines = this_round.log.order_by("pk").values_list("action", "actor", "details", "seal_number", "erasure")
        return games, list(lines)

    at_once, by_hand = (published(make_event(club, players=6), 1) for _event in range(2))
    enter_all(at_once, lambda game: PLAYED[game.board - 1], by=secretary)
    for game in by_hand.games.all():
        enter_result(game, PLAYED[game.board - 1], revision=0, by=secretary)
    assert rows(at_once) == rows(by_hand)
    assert not at_once.games.filter(entered_at=None).exists()
