"""The chain of a log's lines: what is written past the program is found, what the program may do breaks nothing."""

from __future__ import annotations

import hashlib
import json
from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from clubs.models import Club, Role, User
from common.models import Job, ScheduledTaskRun
from operations.integrity.log_checks import check_event_logs
from tests.factories import make_club, make_event, make_member, make_user, played
from tests.module_fixtures import make_club_and_secretary_fixtures, make_module_fixtures
from tournaments.audit_log.actions import EventAction
from tournaments.audit_log.recorder import record_action
from tournaments.audit_log.seal_chain import ChainContext, _digests, find_chain_breaks, select_chain_columns
from tournaments.audit_log.sealing import seal_all_logs, seal_log
from tournaments.entries.enrolment import enter_members
from tournaments.entries.entry_changes import change_entry
from tournaments.models import LogEntry, Round, SealedLog, Tournament
from tournaments.models.triggers import create_integrity_triggers, drop_integrity_triggers
from tournaments.privacy.personal_data import erase_person

pytestmark = pytest.mark.every_database


def sealed_event() -> Tournament:
    """An event that is over, every line of its log sealed."""
    club = make_club()
    secretary = make_user("secretary", club, Role.SECRETARY)
    event = make_event(club, rounds=1)
    enter_members(event, [make_member(club, f"Pionek, Nr{number}") for number in range(4)], by=secretary)
    played(event, 1)
    assert seal_log(event.pk, before=timezone.now()) == event.log.count()
    # PostgreSQL changes no table, and no guard of it, while keys of its rows wait to be looked at.
    connection.check_constraints()
    return event


made_once, event = make_module_fixtures(sealed_event)
club, secretary = make_club_and_secretary_fixtures()


def broken(event: Tournament) -> list[str]:
    found = find_chain_breaks(select_chain_columns(event.log.order_by()), ChainContext())
    return [each.problem for each in found if each.code == "log-broken"]


def past_the_guards(statement: str, *values: object) -> None:
    drop_integrity_triggers()
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
    create_integrity_triggers()


def hours_ago(hours: int) -> object:
    return timezone.now() - timedelta(hours=hours)


def codes() -> list[str]:
    """What the doctor finds in all logs."""
    return [found.code for found in check_event_logs(Tournament.objects.all())]


def slip_in(event: Tournament, *, key: int, at: object) -> None:
    like = line(event, 2)
    past_the_guards(
        "INSERT INTO tournaments_logentry (id, at, action, details, round_id, tournament_id)"
        " VALUES (%s, %s, %s, '{}', %s, %s)",
        *(key, at, like.action, like.round_id, event.pk),
    )


def line(event: Tournament, place: int) -> LogEntry:
    return event.log.get(sealed__number=place)


def test_a_log_as_it_was_written_holds(event, club):
    assert broken(event) == []
    assert list(check_event_logs(Tournament.objects.all())) == []
    assert seal_log(event.pk, before=timezone.now()) == 0
    played(make_event(club, players=2, rounds=1), 1)
    assert broken(event) == []


def test_the_log_of_a_deleted_event_is_sealed_as_well(club):
    gone = make_event(club, players=2)
    Tournament.objects.filter(pk=gone.pk).update(deleted_at=timezone.now())
    assert seal_log(gone.pk, before=timezone.now()) == gone.log.count() > 0


def test_what_was_changed_is_found(event):
    past_the_guards("UPDATE tournaments_logentry SET details = '{\"boards\": 7}' WHERE id = %s", line(event, 3).pk)
    assert broken(event) == ["line 3 was changed after it was sealed"]
    (finding,) = check_event_logs(Tournament.objects.all())
    assert finding.code == "log-broken"


def test_what_was_taken_out_is_found(event):
    past_the_guards("DELETE FROM tournaments_logentry WHERE id = %s", line(event, 2).pk)
    assert broken(event) == ["sealed line 2 is not there"]


def test_what_was_said_of_another_is_found(event, arbiter):
    past_the_guards("UPDATE tournaments_logentry SET actor_id = %s WHERE id = %s", arbiter.pk, line(event, 2).pk)
    assert broken(event) == ["line 2 names another actor than when it was sealed"]


def test_what_was_slipped_in_is_found(event):
    forged = dict(line(event, 2).sealed) | {"number": event.log.count() + 1}
    LogEntry.objects.create(tournament=event, action="result entered", sealed=forged)
    assert broken(event)[0].startswith("the seal of line")


def test_a_seal_made_anew_for_one_line_does_not_fit_the_next(event):
    changed = line(event, 2)
    forged = changed.sealed | {"digest": "0" * 64}
    past_the_guards("UPDATE tournaments_logentry SET sealed = %s WHERE id = %s", json.dumps(forged), changed.pk)
    assert broken(event) == ["the seal of line 2 is not that of the lines before it"]


def test_the_database_keeps_a_seal_as_it_is(event):
    with pytest.raises(IntegrityError), transaction.atomic():
        LogEntry.objects.filter(pk=line(event, 1).pk).update(sealed=None)


def test_an_erased_name_and_a_log_in_that_went_break_nothing(event, secretary):
    member = event.entries.first().member
    name = member.name
    erase_person(member, in_results=True, by=None)
    assert name not in json.dumps([each.details for each in event.log.all()])
    User.objects.filter(pk=secretary.pk).delete()
    assert broken(event) == []
    seal_log(event.pk, before=timezone.now())
    assert broken(event) == []


def corrected(event: Tournament) -> LogEntry:
    """The line of a first player whose FIDE ID and year of birth were wrong, and of a second with the same mistakes."""
    for entry in event.entries.order_by("pk")[:2]:
        change_entry(entry, by=None, fide_id="2030410", birth="1931")
        change_entry(entry, by=None, fide_id="2030411", birth="1932")
    seal_log(event.pk, before=timezone.now())
    return event.log.filter(action="entry changed").earliest("pk")


def test_an_erased_birth_and_fide_id_break_nothing_and_stay_where_they_are_anothers(event):
    corrected(event)
    first, second = event.entries.order_by("pk")[:2]
    erase_person(first.member, in_results=True, by=None)
    said = {
        key: json.dumps([each.details for each in event.log.filter(details__entry=key)])
        for key in (first.pk, second.pk)
    }
    assert [figures in said[first.pk] for figures in ("2030410", "2030411", "1931", "1932")] == [False] * 4
    assert [figures in said[second.pk] for figures in ("2030410", "2030411", "1931", "1932")] == [True] * 4
    assert codes() == []
    seal_log(event.pk, before=timezone.now())
    assert codes() == []


def test_a_birth_changed_without_an_erasure_is_found(event):
    changed = corrected(event)
    wanted = json.dumps(changed.details).replace("1931", "1941")
    past_the_guards("UPDATE tournaments_logentry SET details = %s WHERE id = %s", wanted, changed.pk)
    assert codes() == ["log-broken"]


def test_figures_that_an_older_seal_holds_stay(event):
    """Sealed before figures of birth and FIDE ID were left out of what an erasure must leave."""
    corrected(event)
    seal = ""
    drop_integrity_triggers()
    for each in event.log.order_by("pk"):
        told, what = each.sealed, (each.pk, each.at, each.action, each.details, each.actor_id, each.round_id)
        told["kept"] = _digests(*what, taken_out=())[1]
        seal = told["seal"] = hashlib.sha256(f"{seal}{told['digest']}{told['kept']}".encode()).hexdigest()
        each.save()
    SealedLog.objects.filter(tournament=event).update(seal=seal)
    create_integrity_triggers()
    assert codes() == []
    first = event.entries.order_by("pk")[0]
    name = first.name
    erase_person(first.member, in_results=True, by=None)
    said = json.dumps([each.details for each in event.log.filter(details__entry=first.pk)])
    assert (name in said, "2030410" in said, "1931" in said) == (False, True, True)
    seal_log(event.pk, before=timezone.now())
    assert codes() == []


def test_what_may_still_be_in_the_middle_of_something_is_not_sealed(event, club):
    younger = make_event(club, players=2)
    seal_all_logs(Job())
    assert not younger.log.filter(sealed__isnull=False).exists()
    first, *rest = younger.log.order_by("pk").values_list("pk", flat=True)
    past_the_guards("UPDATE tournaments_logentry SET at = %s WHERE id = %s", hours_ago(1), first)
    assert rest
    assert seal_all_logs(Job()) == {"lines": 1}
    past_the_guards("UPDATE tournaments_logentry SET at = %s WHERE id = %s", hours_ago(1), rest[-1])
    # Keys ascend along the chain: one behind a line that may not be over waits with it.
    assert seal_all_logs(Job()) == {"lines": 1 if len(rest) == 1 else 0}


# -- What an erased name does not excuse -----------------------------------------------------------------------------


def result_line(event: Tournament) -> LogEntry:
    return event.log.filter(action="result entered").order_by("pk").first()  # type: ignore[return-value]


def rewrite(line: LogEntry, details: object, erasure: int) -> None:
    past_the_guards(
        "UPDATE tournaments_logentry SET details = %s, erasure_id = %s WHERE id = %s",
        *(json.dumps(details), erasure, line.pk),
    )


def test_a_line_that_erases_nothing_excuses_nothing(event):
    changed = result_line(event)
    said = changed.details
    rewrite(changed, said | {"reason": "Former member"}, event.log.latest("pk").pk)
    assert codes() == ["log-broken"]
    later = make_event(event.club, players=2)
    rewrite(changed, said | {"reason": "Former member"}, record_action(later, EventAction.NAME_ERASED, by=None).pk)
    assert codes() == ["log-broken"]


@pytest.mark.parametrize(
    "change", [{"after": "1/2"}, {"after": "W/L"}, {"after": "Former member"}, {"board": 2}, {"more": "Former member"}]
)
def test_a_line_that_says_so_excuses_no_change_of_a_result(event, change):
    """All guards would let it pass."""
    changed = result_line(event)
    erasure = record_action(event, EventAction.NAME_ERASED, by=None)
    wanted = changed.details | change
    if wanted == changed.details:
        wanted["after"] = "0-0"
    LogEntry.objects.filter(pk=changed.pk).update(details=wanted, erasure=erasure)
    assert seal_log(event.pk, before=timezone.now()) == 1
    assert "log-broken" in codes()


def test_a_line_with_another_text_and_no_name_erased_in_it(event):
    changed = event.log.get(action="players entered")
    erasure = record_action(event, EventAction.NAME_ERASED, by=None)
    wanted = json.loads(json.dumps(changed.details).replace("Pionek, Nr", "Gawron, Nr"))
    assert wanted != changed.details
    LogEntry.objects.filter(pk=changed.pk).update(details=wanted, erasure=erasure)
    place = changed.sealed["number"]
    assert broken(event) == [f"line {place} was changed after it was sealed, and no name is erased in it"]


def test_a_line_sealed_before_there_were_two_digests_holds(event):
    """And so does an erasure in it; that the rest was left alone cannot be told of it."""
    seal = ""
    drop_integrity_triggers()
    for each in event.log.order_by("pk"):
        del each.sealed["kept"]
        seal = each.sealed["seal"] = hashlib.sha256(f"{seal}{each.sealed['digest']}".encode()).hexdigest()
        each.save()
    SealedLog.objects.filter(tournament=event).update(seal=seal)
    create_integrity_triggers()
    assert codes() == []
    played_by = event.entries.first().member
    erase_person(played_by, in_results=True, by=None)
    assert seal_log(event.pk, before=timezone.now()) == 1
    assert codes() == []
    assert "kept" in event.log.latest("pk").sealed


# -- What was slipped in, taken off, turned ---------------------------------------------------------------------------


def test_a_line_slipped_in_is_found_before_and_after_the_night(event):
    slip_in(event, key=-5, at=line(event, 2).at)
    assert codes() == ["log-not-sealed"]
    seal_log(event.pk, before=timezone.now())
    assert codes() == ["log-broken"]


def test_a_line_dated_back_is_told(event):
    slip_in(event, key=event.log.latest("pk").pk + 1, at=hours_ago(3))
    assert codes() == ["log-out-of-time"]
    seal_log(event.pk, before=timezone.now())
    assert codes() == ["log-out-of-time"]


def test_a_line_that_no_night_sealed(event, club):
    other = make_event(club, players=2)
    past_the_guards("UPDATE tournaments_logentry SET at = %s WHERE tournament_id = %s", hours_ago(72), other.pk)
    assert codes() == []
    ScheduledTaskRun.objects.create(name="seals", due_at=hours_ago(5))
    assert set(codes()) == {"log-not-sealed"}
    # One brought in from another server came with the line that says so.
    LogEntry.objects.create(tournament=other, action="event brought in")
    assert codes() == []


@pytest.mark.parametrize("left", [0, 1, 5])
def test_an_end_cut_off_is_found_for_ever(event, left):
    past_the_guards("DELETE FROM tournaments_logentry WHERE id > %s", line(event, left).pk if left else 0)
    assert codes().count("log-cut-off") == 1
    record_action(event, EventAction.NUMBERS_DRAWN, by=None)
    assert seal_log(event.pk, before=timezone.now()) == 1
    assert {"log-broken", "log-cut-off"} <= set(codes())


def test_seals_taken_away_are_not_made_anew(event):
    from_here = line(event, 3).pk
    past_the_guards("UPDATE tournaments_logentry SET sealed = NULL, details = '{}' WHERE id >= %s", from_here)
    assert "log-cut-off" in codes()
    seal_log(event.pk, before=timezone.now())
    assert {"log-broken", "log-cut-off"} <= set(codes())


def test_the_database_keeps_the_end_as_it_is(event):
    for statement in ("DELETE FROM", "UPDATE"):
        with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"{statement} tournaments_sealedlog {'SET lines = lines' if statement == 'UPDATE' else ''}")
    SealedLog.objects.update(seal="0" * 64, lines=event.log.count() + 1)
    assert codes() == ["log-cut-off"]


def test_two_keys_exchanged(event):
    one, two = line(event, 2).pk, line(event, 3).pk
    for old, new in ((one, -1), (two, one), (-1, two)):
        past_the_guards("UPDATE tournaments_logentry SET id = %s WHERE id = %s", new, old)
    assert "log-broken" in codes()


def test_who_did_it_goes_only_with_the_person(event, secretary):
    past_the_guards("UPDATE tournaments_logentry SET actor_id = NULL WHERE id = %s", line(event, 2).pk)
    (found,) = check_event_logs(Tournament.objects.all())
    assert (found.code, "lost its actor" in found.what) == ("log-broken", True)
    User.objects.filter(pk=secretary.pk).delete()
    assert codes() == []


# -- Boards and rounds by the log -------------------------------------------------------------------------------------


def test_a_result_of_a_finished_round_past_the_guards(event):
    game = event.rounds.get(number=1).games.get(board=1)
    other = "1-0" if game.result != "1-0" else "0-1"
    past_the_guards("UPDATE tournaments_game SET result = %s WHERE id = %s", other, game.pk)
    (found,) = check_event_logs(Tournament.objects.all())
    assert (found.code, found.what) == (
        "result-not-in-the-log",
        f"board 1 has {other}, and by the log {game.result}",
    )


def test_a_round_finished_without_its_line(event, club):
    other = make_event(club, players=2)
    Round.objects.filter(tournament=other, number=1).update(state=Round.State.FINISHED)
    assert codes() == ["round-finished-without-a-line"]


def test_what_came_with_a_report_file_has_no_lines(event):
    past_the_guards("DELETE FROM tournaments_logentry WHERE tournament_id = %s", event.pk)
    past_the_guards("DELETE FROM tournaments_sealedlog WHERE tournament_id = %s", event.pk)
    assert set(codes()) == {"result-not-in-the-log", "round-finished-without-a-line"}
    Tournament.objects.filter(pk=event.pk).update(report_lines=["012 Z pliku"])
    assert codes() == []


def test_the_file_has_every_line_with_its_seal(event, client, secretary):
    client.force_login(secretary)
    club = Club.objects.get()
    told = client.get(f"/{club.slug}/{event.slug}/log/lines.jsonl").text
    lines = [json.loads(each) for each in told.splitlines()]
    assert [each["sealed"]["number"] for each in lines] == list(range(1, event.log.count() + 1))
    assert lines[1]["by"] == "secretary"
