"""Players report results: two equal reports become the result, different ones block the round."""

from __future__ import annotations

import threading

import pytest
from django.db import connection

from tests.factories import draft_of, make_event, published, round_of
from tournaments.models import Game, LogEntry, ResultClaim
from tournaments.problems import ArbiterProblem
from tournaments.results.player_reporting import ReportOutcome, report_result
from tournaments.results.recording import enter_result, finish_round
from tournaments.results.result_claims import BoardClaims, ClaimAgreement, disputed_boards, open_claims_by_board

WHITE, DRAW, BLACK, PENDING = (
    Game.Result.WHITE_WINS,
    Game.Result.DRAW,
    Game.Result.BLACK_WINS,
    Game.Result.PENDING,
)


@pytest.fixture
def event(club):
    return make_event(club, players=6, players_report_results=True)


@pytest.fixture
def board(event):
    return published(event, 1).games.get(board=1)


@pytest.mark.parametrize("result", ["", "+/-", "*", "0-0", "W/L", "2-0"])
def test_only_games_that_were_played_out_are_reported(result, board):
    with pytest.raises(ValueError, match="do not report"):
        report_result(board.white, board, result, revision=0)


def test_nobody_reports_anothers_board(board):
    stranger = board.round.games.get(board=2).white
    with pytest.raises(ArbiterProblem):
        report_result(stranger, board, WHITE, revision=0)
    assert not ResultClaim.objects.exists()


def test_nobody_reports_where_the_arbiter_enters_the_results(event, board):
    event.players_report_results = False
    event.save()
    with pytest.raises(ArbiterProblem, match="arbiter enters"):
        report_result(board.white, board, WHITE, revision=0)


def test_a_draft_and_a_finished_round_take_no_reports(event, board):
    for game in board.round.games.all():
        enter_result(game, DRAW, revision=0, by=None)
    finish_round(board.round, by=None)
    with pytest.raises(ArbiterProblem, match="is not in progress"):
        report_result(board.white, board, DRAW, revision=0)
    second = draft_of(event, 2).games.first()
    with pytest.raises(ArbiterProblem, match="is not in progress"):
        report_result(second.white, second, DRAW, revision=0)


def test_one_report_is_no_result(event, board):
    assert report_result(board.white, board, WHITE, revision=0) is ReportOutcome.WAITING
    board.refresh_from_db()
    assert board.result == PENDING
    claims = open_claims_by_board(board.round)[1]
    assert (claims.white, claims.black, claims.agreement) == (WHITE, "", ClaimAgreement.ONE)
    assert disputed_boards(board.round) == []


def test_two_different_reports_are_no_result_and_hold_the_round(event, board):
    for game in board.round.games.exclude(board=1):
        enter_result(game, DRAW, revision=0, by=None)
    report_result(board.white, board, WHITE, revision=0)
    assert report_result(board.black, board, BLACK, revision=0) is ReportOutcome.DIFFERENT
    board.refresh_from_db()
    assert board.result == PENDING
    assert open_claims_by_board(board.round)[1].agreement is ClaimAgreement.DIFFERENT
    with pytest.raises(ArbiterProblem, match="different results: 1") as problem:
        finish_round(board.round, by=None)
    assert [game.board for game in problem.value.games] == [1]
    enter_result(board, DRAW, revision=0, by=None)
    assert open_claims_by_board(board.round) == {}
    finish_round(board.round, by=None)


def test_equal_reports_are_the_result(event, board):
    report_result(board.white, board, BLACK, revision=0)
    assert report_result(board.black, board, BLACK, revision=0) is ReportOutcome.CONFIRMED
    board.refresh_from_db()
    assert (board.result, board.revision, board.entered_by) == (BLACK, 1, None)
    line = event.log.first()
    assert (line.action, line.actor, line.details["after"]) == ("result confirmed", None, BLACK)


def test_a_report_can_be_changed_until_both_agree(event, board):
    report_result(board.white, board, WHITE, revision=0)
    report_result(board.black, board, DRAW, revision=0)
    assert report_result(board.white, board, DRAW, revision=0) is ReportOutcome.CONFIRMED
    board.refresh_from_db()
    assert board.result == DRAW
    with pytest.raises(ArbiterProblem, match="The result of your game is already entered"):
        report_result(board.white, board, WHITE, revision=0)


def test_the_arbiters_entry_stands_above_reports(event, board, secretary):
    report_result(board.white, board, WHITE, revision=0)
    enter_result(board, BLACK, revision=0, by=secretary)
    with pytest.raises(ArbiterProblem, match="The result of your game is already entered"):
        report_result(board.black, board, WHITE, revision=0)
    assert report_result(board.black, board, BLACK, revision=0) is ReportOutcome.CONFIRMED
    board.refresh_from_db()
    assert (board.result, board.entered_by, board.revision) == (BLACK, secretary, 1)


def test_a_result_taken_back_is_reported_anew_by_both(event, board, secretary):
    report_result(board.white, board, WHITE, revision=0)
    report_result(board.black, board, WHITE, revision=0)
    enter_result(board, PENDING, revision=1, by=secretary)
    assert report_result(board.white, board, WHITE, revision=2) is ReportOutcome.WAITING


def test_what_was_reported_is_known_while_another_result_stands_and_gone_with_it(event, board, secretary):
    report_result(board.white, board, WHITE, revision=0)
    enter_result(board, BLACK, revision=0, by=secretary)
    assert board.claims.get().result == WHITE
    enter_result(board, PENDING, revision=1, by=secretary)
    assert not board.claims.exists()


def test_the_same_tap_twice_is_noted_once(event, board):
    report_result(board.white, board, WHITE, revision=0)
    assert event.log.filter(action="result reported").count() == 1
    report_result(board.white, board, WHITE, revision=0)
    assert ResultClaim.objects.count() == 1
    assert event.log.filter(action="result reported").count() == 1


def test_reports_are_read_in_one_query(event, board, django_assert_num_queries):
    for game in board.round.games.all():
        report_result(game.white, game, WHITE, revision=0)
    with django_assert_num_queries(1):
        assert set(open_claims_by_board(board.round)) == {1, 2, 3}
    with django_assert_num_queries(1):
        disputed_boards(board.round)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("of_white", "of_black"), [(DRAW, DRAW), (WHITE, BLACK)])
def test_both_report_at_one_instant(club, of_white, of_black):
    event = make_event(club, players=2, players_report_results=True)
    board = published(event, 1).games.get()
    start, outcomes = threading.Barrier(2), []

    def report(entry, result):
        start.wait()
        try:
            outcomes.append(report_result(entry, board, result, revision=0))
        finally:
            connection.close()

    threads = [
        threading.Thread(target=report, args=pair) for pair in ((board.white, of_white), (board.black, of_black))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    second = ReportOutcome.CONFIRMED if of_white == of_black else ReportOutcome.DIFFERENT
    assert sorted(outcomes) == sorted([ReportOutcome.WAITING, second])
    board.refresh_from_db()
    assert board.revision == (1 if of_white == of_black else 0)
    assert LogEntry.objects.filter(action="result confirmed").count() == board.revision
    assert round_of(event, 1).games.get().result == (DRAW if of_white == of_black else PENDING)


@pytest.mark.parametrize(
    ("white", "black", "agreement"),
    [(WHITE, "", ClaimAgreement.ONE), ("", BLACK, ClaimAgreement.ONE), (WHITE, BLACK, ClaimAgreement.DIFFERENT)],
)
def test_one_report_is_no_dispute_whoever_made_it(white, black, agreement):
    assert BoardClaims(white=white, black=black).agreement is agreement
