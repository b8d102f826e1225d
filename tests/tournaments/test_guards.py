"""The database protects what has been played: tested with plain SQL."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, connection, transaction

from clubs.models import Club, Member
from tests.factories import draft_of, make_club, make_event, make_member, played, player, published, round_of
from tests.module_fixtures import make_module_fixtures
from tournaments.entries.enrolment import enter_members
from tournaments.events.event_setup import change_tournament
from tournaments.models import Bye, CheckIn, Game, LogEntry, Round, Tournament
from tournaments.models.integrity_triggers import INTEGRITY_TRIGGERS, installed_integrity_triggers
from tournaments.privacy.personal_data import erase_person
from tournaments.results.recording import correct_result

pytestmark = pytest.mark.every_database


def event_in_its_second_round() -> Tournament:
    """Round 1 finished, round 2 published, round 3 an empty draft: five players, so one has the bye."""
    event = make_event(make_club(), players=5)
    played(event, 1)
    published(event, 2)
    return event


made_once, event = make_module_fixtures(event_in_its_second_round)


@pytest.fixture
def club(event) -> Club:
    return event.club


@pytest.fixture
def elsewhere(event):
    """A player of another event."""
    return player(make_event(make_club("elsewhere"), players=2), 1)


def sql(statement: str, *values: object) -> int:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement, values)
        return cursor.rowcount


def refused(guard: str, statement: str, *values: object) -> None:
    with pytest.raises(IntegrityError, match=guard):
        sql(statement, *values)


SEAT = (
    "INSERT INTO tournaments_game (round_id, board, white_id, black_id, result, revision, colours_drawn, reasons)"
    " VALUES (%s, %s, %s, %s, '', 0, true, '[]')"
)
AWAY = (
    "INSERT INTO tournaments_bye (round_id, entry_id, kind, reasons, beside_another) VALUES (%s, %s, 'Z', '[]', false)"
)


# -- Nobody twice ----------------------------------------------------------------------------------------------------


def test_nobody_is_white_at_one_board_and_black_at_another(event):
    this_round = round_of(event, 2)
    one, two = this_round.games.order_by("board")
    bye = this_round.byes.get(kind=Bye.Kind.PAIRING_ALLOCATED)
    newcomer = enter_members(event, [make_member(event.club, "Nowa, Ewa")], by=None)[0].pk
    sql("DELETE FROM tournaments_bye WHERE round_id = %s", this_round.pk)
    refused("seated_once", SEAT, this_round.pk, 3, bye.entry_id, one.white_id)
    refused("seated_once", SEAT, this_round.pk, 3, one.black_id, bye.entry_id)
    refused("seated_once", "UPDATE tournaments_game SET white_id = %s WHERE id = %s", two.black_id, one.pk)
    refused("seated_once", "UPDATE tournaments_game SET black_id = %s WHERE id = %s", two.white_id, one.pk)
    assert sql(SEAT, this_round.pk, 3, bye.entry_id, newcomer) == 1


def test_nobody_has_a_board_and_a_bye(event):
    this_round = round_of(event, 2)
    game = this_round.games.get(board=1)
    bye = this_round.byes.get(kind=Bye.Kind.PAIRING_ALLOCATED)
    newcomer = enter_members(event, [make_member(event.club, "Nowa, Ewa")], by=None)[0].pk
    for seated in (game.white_id, game.black_id):
        refused("away_once", AWAY, this_round.pk, seated)
        refused("away_once", "UPDATE tournaments_bye SET entry_id = %s WHERE id = %s", seated, bye.pk)
    refused("seated_once", SEAT, this_round.pk, 3, bye.entry_id, newcomer)
    refused("seated_once", "UPDATE tournaments_game SET white_id = %s WHERE id = %s", bye.entry_id, game.pk)
    third = round_of(event, 3).pk
    assert sql(AWAY, third, bye.entry_id) == 1


# -- Players of the event --------------------------------------------------------------------------------------------


def test_players_of_another_event(event, elsewhere):
    this_round, third = round_of(event, 2), round_of(event, 3)
    game = this_round.games.get(board=1)
    free = player(event, 1).pk
    refused("seated_players_of_the_event", SEAT, third.pk, 1, elsewhere.pk, free)
    refused("seated_players_of_the_event", SEAT, third.pk, 1, free, elsewhere.pk)
    refused("of_the_event", "UPDATE tournaments_game SET white_id = %s WHERE id = %s", elsewhere.pk, game.pk)
    refused("away_players_of_the_event", AWAY, third.pk, elsewhere.pk)
    with pytest.raises(IntegrityError, match="checked_in_players"), transaction.atomic():
        CheckIn.objects.create(round=third, entry=elsewhere, state="here", at=event.log.first().at)
    refused(
        "players_stay_in_their_event",
        "UPDATE tournaments_entry SET tournament_id = %s, tpn = 99 WHERE id = %s",
        elsewhere.tournament_id,
        free,
    )
    refused(
        "rounds_stay_in_their_event",
        "UPDATE tournaments_round SET tournament_id = %s, number = 99 WHERE id = %s",
        elsewhere.tournament_id,
        third.pk,
    )
    refused("rounds_stay", "UPDATE tournaments_round SET number = 99 WHERE id = %s", this_round.pk)


# -- Results of finished rounds --------------------------------------------------------------------------------------


def line_of(event, action: str, this_round: Round) -> int:
    return LogEntry.objects.create(tournament=event, round=this_round, action=action).pk


@pytest.mark.parametrize(
    "change",
    [
        "result = '1/2'",
        "result = ''",
        "result = '1/2', revision = revision + 1",
        "result = '1/2', revision = revision + 1, correction_id = {other}",
        "result = '1/2', revision = revision + 1, correction_id = {of_another_round}",
        "result = '1/2', correction_id = {right}",
        "result = '', revision = revision + 1, correction_id = {right}",
        "result = '+/-', colours_drawn = false",
        "board = 9",
        "round_id = {second}, board = 9",
        "white_id = black_id, black_id = white_id",
        "white_id = black_id, black_id = white_id, result = '1/2', revision = revision + 1, correction_id = {right}",
    ],
)
def test_results_of_finished_rounds(change, event):
    first, second = round_of(event, 1), round_of(event, 2)
    game = first.games.get(board=1)
    lines = {
        "right": line_of(event, "result corrected", first),
        "other": line_of(event, "result entered", first),
        "of_another_round": line_of(event, "result corrected", second),
        "second": second.pk,
    }
    set_to = change.format(**lines)
    if game.result == "1/2":
        set_to = set_to.replace("'1/2'", "'1-0'")
    refused("finished_results_stay|seated", f"UPDATE tournaments_game SET {set_to} WHERE id = %s", game.pk)  # noqa: S608


def test_a_line_of_the_log_permits_one_correction(event):
    game = round_of(event, 1).games.get(board=1)
    for result in ("0-1", "1-0", "+/-", "1/2"):
        revision = Game.objects.get(pk=game.pk).revision
        game = correct_result(game, result, revision=revision, by=None)
    assert game.correction.details["after"] == "1/2"
    again = "UPDATE tournaments_game SET result = '0-1', revision = revision + 1 WHERE id = %s"
    refused("finished_results_stay", again, game.pk)
    other = round_of(event, 1).games.get(board=2)
    refused(
        "correction_id|unique|finished",
        "UPDATE tournaments_game SET result = '0-0', revision = revision + 1, correction_id = %s WHERE id = %s",
        game.correction_id,
        other.pk,
    )


def test_a_finished_round_is_left_only_by_its_line(event):
    """Published, changed, finished again: the trigger for results only checks the state."""
    first = round_of(event, 1)
    leave = "UPDATE tournaments_round SET state = %s WHERE id = %s"
    for state in ("published", "draft", "waiting"):
        refused("finished_rounds_are_reopened", leave, state, first.pk)
    line_of(event, "round reopened", round_of(event, 2))
    refused("finished_rounds_are_reopened", leave, "published", first.pk)
    line_of(event, "round reopened", first)
    assert sql(leave, "published", first.pk) == 1
    line_of(event, "round finished", first)
    sql(leave, "finished", first.pk)
    refused("finished_rounds_are_reopened", leave, "published", first.pk)


def test_boards_and_byes_of_finished_rounds(event, club):
    first = round_of(event, 1)
    game, bye = first.games.get(board=1), first.byes.get()
    refused("finished_boards_stay", "DELETE FROM tournaments_game WHERE id = %s", game.pk)
    refused("finished_byes_are_kept", "DELETE FROM tournaments_bye WHERE id = %s", bye.pk)
    refused("finished_byes_stay", "UPDATE tournaments_bye SET kind = 'F' WHERE id = %s", bye.pk)
    refused("finished_rounds_stay|violates|FOREIGN", "DELETE FROM tournaments_round WHERE id = %s", first.pk)
    late = enter_members(event, [make_member(club, "Nowa, Ewa"), make_member(club, "Nowy, Jan")], by=None)
    assert first.byes.count() == 3, "who comes late has a bye of the rounds missed, also of finished ones"
    Bye.objects.filter(round__number=2).exclude(kind="U").delete()
    sql("UPDATE tournaments_round SET state = 'finished' WHERE id = %s", round_of(event, 3).pk)
    refused("finished_boards_are_all", SEAT, round_of(event, 3).pk, 1, late[0].pk, late[1].pk)


# -- The log ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        "details = '{}'",
        "details = '{}', erasure_id = {other}",
        "details = '{}', erasure_id = {before}",
        "details = '{}', erasure_id = {elsewhere}",
        "action = 'name erased'",
        "at = '2020-01-01'",
        "tournament_id = {another_event}",
        "round_id = {second}",
        "actor_id = {somebody}",
    ],
)
def test_lines_of_the_log(change, event, elsewhere, secretary):
    before = line_of(event, "name erased", round_of(event, 1))
    line = LogEntry.objects.create(tournament=event, action="result entered", details={"board": 1}).pk
    values = {
        "other": line_of(event, "result entered", round_of(event, 1)),
        "before": before,
        "elsewhere": LogEntry.objects.create(tournament=elsewhere.tournament, action="name erased").pk,
        "another_event": elsewhere.tournament_id,
        "second": round_of(event, 2).pk,
        "somebody": secretary.pk,
    }
    for name, value in values.items():
        change = change.replace(f"{{{name}}}", str(value))
    refused("log_lines_stay", f"UPDATE tournaments_logentry SET {change} WHERE id = %s", line)  # noqa: S608


def test_lines_of_the_log_are_not_deleted(event, elsewhere):
    refused("log_lines_are_kept", "DELETE FROM tournaments_logentry WHERE tournament_id = %s", event.pk)
    refused("log_lines_are_kept", "DELETE FROM tournaments_logentry")
    assert event.log.count() > 3


# -- What must go on working -----------------------------------------------------------------------------------------


def test_a_name_is_erased_from_the_log_and_the_guard_stays_up(club, secretary):
    event = make_event(club, rounds=1)
    member = make_member(club, "Nikt, Jan", 1800)
    enter_members(event, [member, make_member(club, "Nikt, Ewa", 1700)], by=secretary)
    played(event, 1)
    erase_person(Member.objects.get(pk=member.pk), in_results=True, by=secretary)
    assert "Nikt, Jan" not in str(list(event.log.values_list("details", flat=True)))
    line = event.log.filter(action="players entered").get()
    assert line.erasure.action == "name erased"
    refused("log_lines_stay", "UPDATE tournaments_logentry SET details = '{}' WHERE id = %s", line.pk)


def test_rounds_not_paired_go_and_their_lines_stay(club):
    event = make_event(club, players=4, rounds=5)
    LogEntry.objects.create(tournament=event, round=round_of(event, 5), action="evenings set")
    change_tournament(event, by=None, rounds_announced=4)
    assert event.log.get(action="evenings set").round is None


def test_somebody_who_left_is_no_longer_an_actor(event, secretary):
    line = LogEntry.objects.create(tournament=event, actor=secretary, action="result entered")
    secretary.delete()
    line.refresh_from_db()
    assert line.actor is None


def test_an_event_in_which_nobody_was_paired_can_be_deleted(club):
    event = make_event(club, players=4)
    draft_of(make_event(club, players=4), 1)
    event.delete()
    assert not LogEntry.objects.filter(tournament=event.pk).exists()


# -- Guards and migrations -------------------------------------------------------------------------------------------


def test_all_guards_are_up(db):
    assert installed_integrity_triggers() == {guard.name for guard in INTEGRITY_TRIGGERS}
