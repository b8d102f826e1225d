"""Check-in of a round: by officers and players, closing, and no-shows."""

from __future__ import annotations

import threading

import pytest
from django.db import connection

from tests.factories import draft_of, entries_to_pair, make_event, played, player, published, round_of
from tournaments.check_in.byes import grant_requested_bye, mark_absent
from tournaments.check_in.presence import (
    CheckInStatus,
    SelfCheckInResult,
    absent_without_notice,
    check_in_by_player,
    check_in_rows,
    close_check_in,
    entries_changed_since,
    latest_log_id,
    reopen_check_in,
    set_check_in_state,
    undo_check_in_by_player,
    withdraw_absent_players,
)
from tournaments.models import Bye, CheckIn, Game
from tournaments.problems import ArbiterProblem
from tournaments.results.recording import enter_result, finish_round


@pytest.fixture
def event(club):
    return make_event(club, players=6, players_check_in=True)


def seen(event, number, *, in_round=1) -> CheckInStatus:
    return next(line.status for line in check_in_rows(round_of(event, in_round)) if line.entry == player(event, number))


def test_nobody_is_checked_in_once_the_round_is_paired(event):
    draft_of(event, 1)
    with pytest.raises(ArbiterProblem):
        set_check_in_state(player(event, 1), round_of(event, 1), "absent", by=None)
    with pytest.raises(ArbiterProblem):
        check_in_by_player(player(event, 1), round_of(event, 1))
    with pytest.raises(ArbiterProblem):
        close_check_in(round_of(event, 1), not_seen=[], by=None)
    with pytest.raises(ArbiterProblem):
        reopen_check_in(round_of(event, 1), by=None)
    assert not CheckIn.objects.exists()


def test_players_do_not_check_in_where_the_event_does_not_let_them(event):
    event.players_check_in = False
    event.save()
    with pytest.raises(ArbiterProblem, match="In this event the arbiter checks players in"):
        check_in_by_player(player(event, 1), round_of(event, 1))
    set_check_in_state(player(event, 1), round_of(event, 1), "here", by=None)
    assert seen(event, 1) is CheckInStatus.HERE


def test_whoever_does_not_take_part_is_not_checked_in(event, club):
    stranger = player(make_event(club, players=1), 1)
    with pytest.raises(ArbiterProblem):
        set_check_in_state(stranger, round_of(event, 1), "here", by=None)


def test_a_players_tap_does_not_undo_the_arbiters_absent(event, secretary):
    set_check_in_state(player(event, 1), round_of(event, 1), "absent", by=secretary)
    assert check_in_by_player(player(event, 1), round_of(event, 1)) is SelfCheckInResult.ARBITER_TOLD
    line = next(line for line in check_in_rows(round_of(event, 1)) if line.has_claimed_presence)
    assert (line.entry, line.status, line.check_in.by) == (player(event, 1), CheckInStatus.ABSENT, secretary)
    assert event.log.first().action == "says he is here"
    set_check_in_state(player(event, 1), round_of(event, 1), "here", by=secretary)
    assert not any(line.has_claimed_presence for line in check_in_rows(round_of(event, 1)))
    assert seen(event, 1) is CheckInStatus.HERE


def test_a_tap_on_the_wall_takes_no_bye_back(event):
    grant_requested_bye(player(event, 1), round_of(event, 1), "H", by=None)
    assert check_in_by_player(player(event, 1), round_of(event, 1)) is SelfCheckInResult.ARBITER_TOLD
    assert seen(event, 1) is CheckInStatus.BYE
    undo_check_in_by_player(player(event, 1), round_of(event, 1))
    assert not CheckIn.objects.exists()
    assert seen(event, 1) is CheckInStatus.BYE


def test_a_player_undoes_their_own_tap_and_no_other(event, secretary):
    check_in_by_player(player(event, 1), round_of(event, 1))
    undo_check_in_by_player(player(event, 1), round_of(event, 1))
    assert seen(event, 1) is CheckInStatus.NOT_YET
    set_check_in_state(player(event, 2), round_of(event, 1), "here", by=secretary)
    undo_check_in_by_player(player(event, 2), round_of(event, 1))
    assert seen(event, 2) is CheckInStatus.HERE
    set_check_in_state(player(event, 3), round_of(event, 1), "absent", by=secretary)
    check_in_by_player(player(event, 3), round_of(event, 1))
    undo_check_in_by_player(player(event, 3), round_of(event, 1))
    assert seen(event, 3) is CheckInStatus.ABSENT
    set_check_in_state(player(event, 4), round_of(event, 1), "late", by=secretary)
    check_in_by_player(player(event, 4), round_of(event, 1), to_be_confirmed=True)
    undo_check_in_by_player(player(event, 4), round_of(event, 1))
    assert seen(event, 4) is CheckInStatus.LATE
    assert not any(line.has_claimed_presence for line in check_in_rows(round_of(event, 1)))


def test_absent_are_not_paired_late_are(event, secretary):
    this_round = round_of(event, 1)
    set_check_in_state(player(event, 1), this_round, "absent", by=secretary)
    set_check_in_state(player(event, 2), this_round, "late", by=secretary)
    set_check_in_state(player(event, 3), this_round, "here", by=secretary)
    assert [entry.name[-1] for entry in entries_to_pair(this_round)] == ["2", "3", "4", "5", "6"]
    set_check_in_state(player(event, 1), this_round, "late", by=secretary)
    assert len(entries_to_pair(this_round)) == 6
    set_check_in_state(player(event, 1), this_round, "", by=secretary)
    assert seen(event, 1) is CheckInStatus.NOT_YET


def test_absent_stands_in_place_of_a_bye_and_a_bye_in_place_of_a_tap(event):
    grant_requested_bye(player(event, 1), round_of(event, 1), "H", by=None)
    set_check_in_state(player(event, 1), round_of(event, 1), "absent", by=None)
    assert Bye.objects.get().kind == Bye.Kind.ABSENT
    set_check_in_state(player(event, 2), round_of(event, 1), "here", by=None)
    grant_requested_bye(player(event, 2), round_of(event, 1), "H", by=None)
    assert seen(event, 2) is CheckInStatus.BYE
    assert not CheckIn.objects.filter(entry=player(event, 2)).exists()


def test_the_same_tap_twice_is_one_line_in_the_log(event):
    for state in ("here", "here", "absent", "absent", "late", "late"):
        set_check_in_state(player(event, 1), round_of(event, 1), state, by=None)
    assert event.log.filter(action="checked in").count() == 3
    for _ in range(2):
        assert check_in_by_player(player(event, 2), round_of(event, 1)) is SelfCheckInResult.HERE
        assert check_in_by_player(player(event, 2), round_of(event, 1), late=True) is SelfCheckInResult.LATE
    assert seen(event, 2) is CheckInStatus.HERE
    assert event.log.filter(action="player checked in").count() == 1


def test_a_page_learns_whose_rows_have_changed(event, django_assert_num_queries):
    this_round = round_of(event, 1)
    since = latest_log_id(this_round)
    assert entries_changed_since(this_round, since) == set()
    set_check_in_state(player(event, 1), this_round, "here", by=None)
    mark_absent(player(event, 2), this_round, by=None)
    grant_requested_bye(player(event, 3), this_round, "H", by=None)
    expected = {player(event, n).pk for n in (1, 2, 3)}
    with django_assert_num_queries(1):
        assert entries_changed_since(this_round, since) == expected
    after = latest_log_id(this_round)
    close_check_in(this_round, not_seen=[player(event, n).pk for n in (4, 5, 6)], by=None)
    assert entries_changed_since(this_round, after) == {player(event, n).pk for n in (4, 5, 6)}


def test_closing_refuses_whom_the_arbiter_was_not_shown(event):
    shown = [player(event, n).pk for n in (1, 2, 3)]
    with pytest.raises(ArbiterProblem, match="Nr004; Pionek, Nr005; Pionek, Nr006"):
        close_check_in(round_of(event, 1), not_seen=shown, by=None)
    assert not Bye.objects.exists()
    assert round_of(event, 1).check_in_closed_at is None


def test_closing_makes_absent_who_was_not_seen(event, secretary):
    this_round = round_of(event, 1)
    shown = [entry.pk for entry in event.entries.all()]
    set_check_in_state(player(event, 1), this_round, "here", by=secretary)
    set_check_in_state(player(event, 2), this_round, "late", by=secretary)
    set_check_in_state(player(event, 3), this_round, "late", by=secretary)
    grant_requested_bye(player(event, 4), this_round, "H", by=secretary)
    absent = close_check_in(this_round, not_seen=shown, left_out=[player(event, 3).pk], by=secretary)
    assert {entry.name[-1] for entry in absent} == {"3", "5", "6"}
    assert [seen(event, n).value for n in range(1, 7)] == ["here", "late", "absent", "bye", "absent", "absent"]
    assert [entry.name[-1] for entry in entries_to_pair(this_round)] == ["1", "2"]
    with pytest.raises(ArbiterProblem, match="closed"):
        check_in_by_player(player(event, 5), round_of(event, 1))
    set_check_in_state(player(event, 5), round_of(event, 1), "here", by=secretary)
    reopen_check_in(round_of(event, 1), by=secretary)
    assert check_in_by_player(player(event, 6), round_of(event, 1)) is SelfCheckInResult.ARBITER_TOLD


def test_who_asked_or_has_left_is_not_absent_without_notice(event):
    this_round = round_of(event, 1)
    grant_requested_bye(player(event, 1), this_round, "Z", by=None)
    set_check_in_state(player(event, 2), this_round, "absent", by=None)
    assert absent_without_notice(this_round) == []
    played(event, 1)
    assert absent_without_notice(round_of(event, 1)) == [player(event, 2)]
    draft_of(event, 2)
    assert absent_without_notice(round_of(event, 1)) == []


def test_who_lost_by_forfeit_did_not_come_either(event):
    this_round = published(event, 1)
    boards = list(this_round.games.order_by("board"))
    results = (Game.Result.WHITE_WINS_FORFEIT, Game.Result.BLACK_WINS_FORFEIT, Game.Result.DOUBLE_FORFEIT)
    for game, result in zip(boards, results, strict=True):
        enter_result(game, result, revision=0, by=None)
    assert absent_without_notice(round_of(event, 1)) == []
    finish_round(this_round, by=None)
    missing = {boards[0].black, boards[1].white, boards[2].white, boards[2].black}
    assert set(absent_without_notice(round_of(event, 1))) == missing
    chosen = [boards[0].black, boards[0].white]
    assert withdraw_absent_players(round_of(event, 1), [entry.pk for entry in chosen], by=None) == [boards[0].black]
    assert set(absent_without_notice(round_of(event, 1))) == missing - {boards[0].black}
    boards[0].black.refresh_from_db()
    assert boards[0].black.withdrawn_from_round == 2
    assert withdraw_absent_players(round_of(event, 1), [boards[0].black.pk], by=None) == []


def test_check_in_takes_three_queries(club, django_assert_num_queries):
    event = make_event(club, players=60)
    this_round = round_of(event, 1)
    for number in range(1, 61, 2):
        set_check_in_state(player(event, number), this_round, "here" if number % 4 else "absent", by=None)
    with django_assert_num_queries(3):
        assert len(check_in_rows(this_round)) == 60


@pytest.mark.django_db(transaction=True)
def test_two_devices_tap_one_player_at_one_instant(club):
    event = make_event(club, players=2, players_check_in=True)
    this_round, entry = round_of(event, 1), player(event, 1)
    start = threading.Barrier(2)

    def tap(act):
        start.wait()
        try:
            act()
        finally:
            connection.close()

    acts = (
        lambda: set_check_in_state(entry, this_round, "here", by=None),
        lambda: check_in_by_player(entry, this_round),
    )
    threads = [threading.Thread(target=tap, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert CheckIn.objects.get().state == CheckIn.State.HERE
