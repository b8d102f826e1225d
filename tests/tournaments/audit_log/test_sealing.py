"""The seals of logs and ledgers: changes outside the program are found, and the program's own changes break nothing."""

from __future__ import annotations

import json

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, models
from django.utils import timezone

from clubs.finance.accounting.year_closing import close_year
from clubs.finance.dues.ledger import charge_member, record_payment
from clubs.models import AccountingYearStatusChange, Club, LedgerEntry, Role, User
from common.models import SealedChain, SealedRow
from operations.integrity.log_checks import check_results_by_log
from operations.integrity.seal_checks import check_seals, sealed_models
from tests.factories import make_club, make_event, make_member, make_user, played
from tests.module_fixtures import make_club_and_secretary_fixtures, make_module_fixtures
from tournaments.audit_log.actions import EventAction
from tournaments.audit_log.recorder import record_action
from tournaments.entries.enrolment import change_entry, enter_members
from tournaments.models import LogEntry, Round, Tournament
from tournaments.models.integrity_triggers import create_integrity_triggers, drop_integrity_triggers
from tournaments.privacy.personal_data import erase_person
from tournaments.results.recording import correct_result

pytestmark = pytest.mark.every_database


def written_event() -> Tournament:
    """A finished event, and a ledger with a charge and two payments."""
    club = make_club()
    secretary = make_user("secretary", club, Role.SECRETARY)
    event = make_event(club, rounds=1)
    members = [make_member(club, f"Pionek, Nr{number}") for number in range(4)]
    enter_members(event, members, by=secretary)
    played(event, 1)
    today = timezone.localdate()
    charge_member(members[0], 12000, text="x", due_on=today, by=secretary)
    for amount in (5000, 7000):
        record_payment(members[0], amount, method="cash", paid_on=today, by=secretary)
    # PostgreSQL cannot alter a table or its triggers while deferred checks of its rows are pending.
    connection.check_constraints()
    return event


made_once, event = make_module_fixtures(written_event)
club, secretary = make_club_and_secretary_fixtures()


def past_the_guards(statement: str, *values: object) -> None:
    """Run SQL like somebody with write access to the database: without the triggers."""
    connection.check_constraints()
    drop_integrity_triggers()
    with connection.cursor() as cursor:
        for name in ("ledger_is_final", "books_are_final", "year_steps_are_final"):
            table = {"l": "ledgerentry", "b": "bookentry", "y": "accountingyearstatuschange"}[name[0]]
            if connection.vendor == "sqlite":
                cursor.execute(f"DROP TRIGGER IF EXISTS {name}_UPDATE")
                cursor.execute(f"DROP TRIGGER IF EXISTS {name}_DELETE")
            else:
                cursor.execute(f"DROP TRIGGER IF EXISTS {name} ON clubs_{table}")
        cursor.execute(statement, values)
    create_integrity_triggers()


def found() -> list[tuple[str, str]]:
    """The doctor's findings in all logs and ledgers."""
    said = check_seals(Club.objects.all(), Tournament.objects.all())
    return [(finding.code, finding.what) for finding in said]


def codes() -> list[str]:
    return [code for code, _what in found()]


def line(event: Tournament, number: int) -> LogEntry:
    return event.log.get(seal_number=number)


def payment(amount: int = 5000) -> LedgerEntry:
    return LedgerEntry.objects.get(kind="payment", amount=amount)


def copied(row: SealedRow, **changed: object) -> None:
    """Insert a copy of a row, including its seal, with these columns changed."""
    columns = [field.column for field in row._meta.concrete_fields if not field.primary_key]
    values = [
        field.get_db_prep_save(changed.get(field.column, getattr(row, field.attname)), connection)
        for field in row._meta.concrete_fields
        if not field.primary_key
    ]
    places = ", ".join(["%s"] * len(columns))
    names = ", ".join(f'"{column}"' for column in columns)
    past_the_guards(f"INSERT INTO {row._meta.db_table} ({names}) VALUES ({places})", *values)  # noqa: S608


# -- What holds --------------------------------------------------------------------------------------------------------


def test_a_log_and_a_ledger_as_they_were_written_hold(event, club):
    assert found() == []
    assert list(check_results_by_log(Tournament.objects.all())) == []
    assert [each.seal_number for each in event.log.order_by("pk")] == list(range(1, event.log.count() + 1))
    assert [each.seal_number for each in club.ledger.order_by("pk")] == [1, 2, 3]
    played(make_event(club, players=2, rounds=1), 1)
    assert found() == []


def test_every_sealed_table_has_rows_here_or_is_closed_in_a_test_below(event):
    assert {model.__name__ for model in sealed_models()} == {
        "LogEntry",
        "LedgerEntry",
        "BookEntry",
        "AccountingYearStatusChange",
    }


def test_an_erased_name_and_a_log_in_that_went_break_nothing(event, secretary):
    member = event.entries.first().member
    name = member.name
    erase_person(member, in_results=True, by=None)
    assert name not in json.dumps([each.details for each in event.log.all()])
    # A user who has booked in the ledger cannot be deleted.
    guest = make_user("guest", event.club, Role.ARBITER)
    gone = record_action(event, EventAction.NUMBERS_DRAWN, by=guest)
    User.objects.filter(pk=guest.pk).delete()
    gone.refresh_from_db()
    assert gone.actor is None
    assert found() == []


def test_an_erased_birth_and_fide_id_break_nothing_and_stay_where_they_are_anothers(event):
    for entry in event.entries.order_by("pk")[:2]:
        change_entry(entry, by=None, fide_id="2030410", birth="1931")
        change_entry(entry, by=None, fide_id="2030411", birth="1932")
    first, second = event.entries.order_by("pk")[:2]
    erase_person(first.member, in_results=True, by=None)
    said = {
        key: json.dumps([each.details for each in event.log.filter(details__entry=key)])
        for key in (first.pk, second.pk)
    }
    assert [figures in said[first.pk] for figures in ("2030410", "2030411", "1931", "1932")] == [False] * 4
    assert [figures in said[second.pk] for figures in ("2030410", "2030411", "1931", "1932")] == [True] * 4
    assert found() == []


def test_a_column_that_a_later_version_adds_leaves_the_seals_as_they_are(event, monkeypatch):
    """A column without a value is not sealed, and one with a value is."""
    without = payment()
    later = models.CharField(max_length=10, blank=True)
    later.set_attributes_from_name("later")
    monkeypatch.setattr(without._meta, "concrete_fields", (*without._meta.concrete_fields, later))
    without.later = ""
    assert without.is_intact
    without.later = "x"
    assert not without.is_intact


# -- Rows changed ------------------------------------------------------------------------------------------------------

WAS_CHANGED = "was changed or added outside Clubnight"


@pytest.mark.parametrize(
    "change",
    [
        "details = '{\"boards\": 7}'",
        "at = '2026-01-01 12:00:00+00:00'",
        "action = 'players entered'",
        "actor_id = NULL",
        "round_id = NULL",
        "seal = ''",
        "seal_number = 77",
        "erasure_id = NULL, details = '{}'",
    ],
)
def test_a_changed_line_of_the_log_is_found(event, change):
    changed = event.log.filter(action="players entered" if "actor" in change else "result entered").earliest("pk")
    past_the_guards(f"UPDATE tournaments_logentry SET {change} WHERE id = %s", changed.pk)  # noqa: S608
    assert ("log-broken", WAS_CHANGED) in found()


@pytest.mark.parametrize(
    "change",
    ["amount = amount + 1", "booked_on = '2020-01-01'", "method = 'transfer'", "receipt_number = 99", "text = 'x'"],
)
def test_a_changed_line_of_the_ledger_is_found(event, change):
    """For example, an amount raised with SQL."""
    past_the_guards(f"UPDATE clubs_ledgerentry SET {change} WHERE id = %s", payment().pk)  # noqa: S608
    assert found() == [("ledger-broken", WAS_CHANGED)]


def test_a_changed_closing_of_a_year_is_found(event, club):
    year = timezone.localdate().year - 1
    close_year(club, year, figures={"income": 100}, by=None)
    assert found() == []
    past_the_guards("UPDATE clubs_accountingyearstatuschange SET figures = '{\"income\": 200}'")
    assert found() == [("ledger-broken", WAS_CHANGED)]
    assert AccountingYearStatusChange.objects.count() == 1


def test_what_was_said_of_another_is_found(event, arbiter):
    past_the_guards("UPDATE tournaments_logentry SET actor_id = %s WHERE id = %s", arbiter.pk, line(event, 2).pk)
    assert found() == [("log-broken", WAS_CHANGED)]


def test_a_line_that_erases_a_name_excuses_no_change(event):
    """All triggers would accept it."""
    changed = event.log.filter(action="result entered").earliest("pk")
    erasure = record_action(event, EventAction.NAME_ERASED, by=None)
    LogEntry.objects.filter(pk=changed.pk).update(details=changed.details | {"after": "W/L"}, erasure=erasure)
    assert codes() == ["log-broken"]


def test_a_broken_seal_stays_broken_when_the_program_seals_the_line_anew(event, secretary):
    changed = event.log.get(action="players entered")
    past_the_guards("UPDATE tournaments_logentry SET at = '2026-01-01 12:00:00+00:00' WHERE id = %s", changed.pk)
    erase_person(event.entries.first().member, in_results=True, by=None)
    changed.refresh_from_db()
    assert changed.erasure is not None
    assert ("log-broken", WAS_CHANGED) in found()


def test_a_seal_of_another_key_is_none(event, settings):
    settings.SECRET_KEY = "that of whoever has only the database"
    assert codes().count("log-cut-off") == 1
    assert codes().count("log-broken") + codes().count("ledger-broken") > 5


# -- Rows added --------------------------------------------------------------------------------------------------------


def test_a_line_without_a_seal_is_found(event):
    copied(line(event, 2), seal="", seal_number=event.log.count() + 1)
    assert codes() == ["log-broken"]


def test_a_copy_of_a_line_is_found(event):
    copied(line(event, 2))
    assert ("log-broken", "appears twice") in found()


def test_a_line_of_another_event_is_found(event, club):
    other = make_event(club, players=2)
    copied(other.log.get(seal_number=1), tournament_id=event.pk, seal_number=event.log.count() + 1)
    assert found() == [("log-broken", WAS_CHANGED)]


def test_two_keys_exchanged_in_the_ledger(event):
    one, two = payment(5000).pk, payment(7000).pk
    for old, new in ((one, -1), (two, one), (-1, two)):
        past_the_guards("UPDATE clubs_ledgerentry SET id = %s WHERE id = %s", new, old)
    assert found() == [("ledger-broken", "has a different key")]


def test_two_keys_exchanged_in_the_log_change_no_result(event):
    """Lines are read in order of their numbers."""
    game = event.rounds.get(number=1).games.get(board=1)
    first = event.log.filter(action="result entered", details__board=1).get()
    later = record_action(
        event, EventAction.RESULT_ENTERED, by=None, round=game.round, board=1, before=game.result, after="0-0"
    )
    for old, new in ((first.pk, -1), (later.pk, first.pk), (-1, later.pk)):
        past_the_guards("UPDATE tournaments_logentry SET id = %s WHERE id = %s", new, old)
    (wrong,) = check_results_by_log(Tournament.objects.all())
    assert wrong.what == f"board 1 has {game.result}, but in the log 0-0"


# -- Rows removed ------------------------------------------------------------------------------------------------------


def test_a_line_taken_out_is_found(event):
    past_the_guards("DELETE FROM tournaments_logentry WHERE id = %s", line(event, 2).pk)
    assert ("log-broken", "line 2 is missing") in found()


@pytest.mark.parametrize("left", [0, 1, 5])
def test_an_end_cut_off_is_found_for_ever(event, left):
    lines = event.log.count()
    past_the_guards("DELETE FROM tournaments_logentry WHERE tournament_id = %s AND seal_number > %s", event.pk, left)
    assert found() == [("log-cut-off", f"{lines} lines were written, but the last one is line {left}")]
    for _more in range(lines):
        record_action(event, EventAction.NUMBERS_DRAWN, by=None)
    assert found() == [("log-broken", f"line {left + 1} is missing")]


def test_a_correction_cut_off_with_its_result_is_found(event):
    """Log and board agree: only the length of the log shows the change."""
    game = event.rounds.get(number=1).games.get(board=1)
    before = game.result
    correct_result(game, "0-0", revision=game.revision, by=None, reason="x")
    past_the_guards("UPDATE tournaments_game SET result = %s, correction_id = NULL WHERE id = %s", before, game.pk)
    past_the_guards("DELETE FROM tournaments_logentry WHERE id = %s", event.log.latest("pk").pk)
    assert by_the_log() == []
    assert codes() == ["log-cut-off"]


def test_the_end_of_the_ledger_cut_off_is_found(event):
    past_the_guards("DELETE FROM clubs_ledgerentry WHERE id = %s", payment(7000).pk)
    assert found() == [("ledger-cut-off", "3 lines were written, but the last one is line 2")]


def test_all_seals_removed_with_their_row_deleted(event):
    """Nothing seals them again, and new lines do not hide it."""
    past_the_guards("UPDATE tournaments_logentry SET seal = '', details = '{}' WHERE tournament_id = %s", event.pk)
    past_the_guards("DELETE FROM common_sealedchain")
    record_action(event, EventAction.NUMBERS_DRAWN, by=None)
    assert {"log-broken", "log-cut-off", "ledger-cut-off"} == set(codes())
    assert not SealedChain.objects.exists()


@pytest.mark.parametrize("change", ["length = 0", "length = length - 1", "seal = ''", "owner_id = 77"])
def test_a_changed_length_is_found(event, change):
    chosen = SealedChain.objects.get(label="tournaments.logentry")
    past_the_guards(f"UPDATE common_sealedchain SET {change} WHERE id = %s", chosen.pk)  # noqa: S608
    record_action(event, EventAction.NUMBERS_DRAWN, by=None)
    assert codes() == ["log-cut-off"]


# -- Sealing anew ------------------------------------------------------------------------------------------------------


def test_everything_is_sealed_anew_under_another_key(event, settings, capsys):
    with pytest.raises(CommandError):
        call_command("reseal")
    lines = sum(model.objects.count() for model in sealed_models())
    settings.SECRET_KEY = "the key of another server, where a backup was restored"
    assert found() != []
    call_command("reseal", "--yes")
    assert capsys.readouterr().out == f"{lines} lines resealed.\n"
    assert found() == []
    call_command("reseal", "--yes")
    past_the_guards("UPDATE clubs_ledgerentry SET amount = 9 WHERE id = %s", payment().pk)
    assert found() == [("ledger-broken", WAS_CHANGED)]


# -- Boards and rounds by the log --------------------------------------------------------------------------------------


def by_the_log() -> list[tuple[str, str]]:
    return [(finding.code, finding.what) for finding in check_results_by_log(Tournament.objects.all())]


def test_a_result_of_a_finished_round_past_the_guards(event):
    game = event.rounds.get(number=1).games.get(board=1)
    other = "1-0" if game.result != "1-0" else "0-1"
    past_the_guards("UPDATE tournaments_game SET result = %s WHERE id = %s", other, game.pk)
    assert by_the_log() == [("result-not-in-the-log", f"board 1 has {other}, but in the log {game.result}")]


def test_a_round_finished_without_its_line(event, club):
    other = make_event(club, players=2)
    Round.objects.filter(tournament=other, number=1).update(state=Round.State.FINISHED)
    assert [code for code, _what in by_the_log()] == ["round-finished-without-a-line"]


def test_what_came_with_a_report_file_has_no_lines(event):
    past_the_guards("DELETE FROM tournaments_logentry WHERE tournament_id = %s", event.pk)
    assert {code for code, _what in by_the_log()} == {"result-not-in-the-log", "round-finished-without-a-line"}
    Tournament.objects.filter(pk=event.pk).update(report_lines=["012 Z pliku"])
    assert by_the_log() == []


def test_the_file_has_every_line_with_its_seal(event, client, secretary):
    client.force_login(secretary)
    club = Club.objects.get()
    told = client.get(f"/{club.slug}/{event.slug}/log/lines.jsonl").text
    lines = [json.loads(each) for each in told.splitlines()]
    assert [(each["number"], len(each["seal"])) for each in lines] == [(n, 64) for n in range(1, event.log.count() + 1)]
    assert lines[1]["by"] == "secretary"
