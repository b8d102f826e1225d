"""The chain of a log's lines: what is written past the program is found, what the program may do breaks nothing."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from clubs.models import Club, Job, User
from pairing.doctor.logs import broken_logs
from tests.factories import make_event, make_member, played
from tournaments.entries.entering import enter_members
from tournaments.log.sealing import breaks_in, columns_of, seal_every_log, seal_log
from tournaments.models import LogEntry, Tournament
from tournaments.models.guards import put_guards_up, take_guards_down
from tournaments.people.personal_data import erase


@pytest.fixture
def event(club, secretary) -> Tournament:
    """An event that is over, every line of its log sealed."""
    event = make_event(club, rounds=1)
    enter_members(event, [make_member(club, f"Pionek, Nr{number}") for number in range(4)], by=secretary)
    played(event, 1)
    assert seal_log(event.pk, before=timezone.now()) == event.log.count()
    return event


def broken(event: Tournament) -> list[str]:
    return [found.what for found in breaks_in(columns_of(event.log.order_by()))]


def past_the_guards(statement: str, *values: object) -> None:
    take_guards_down()
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
    put_guards_up()


def line(event: Tournament, place: int) -> LogEntry:
    return event.log.get(sealed__number=place)


def test_a_log_as_it_was_written_holds(event, club):
    assert broken(event) == []
    assert list(broken_logs(Tournament.objects.all())) == []
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
    (finding,) = broken_logs(Tournament.objects.all())
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
    erase(member, in_results=True, by=None)
    assert name not in json.dumps([each.details for each in event.log.all()])
    User.objects.filter(pk=secretary.pk).delete()
    assert broken(event) == []
    seal_log(event.pk, before=timezone.now())
    assert broken(event) == []


def test_what_may_still_be_in_the_middle_of_something_is_not_sealed(event, club):
    younger = make_event(club, players=2)
    seal_every_log(Job())
    assert not younger.log.filter(sealed__isnull=False).exists()
    LogEntry._meta.get_field("at").auto_now_add = False
    try:
        LogEntry.objects.create(tournament=younger, action="old", at=timezone.now() - timedelta(hours=1))
    finally:
        LogEntry._meta.get_field("at").auto_now_add = True
    assert seal_every_log(Job()) == {"lines": 1}


def test_the_file_has_every_line_with_its_seal(event, client, secretary):
    client.force_login(secretary)
    club = Club.objects.get()
    told = client.get(f"/{club.slug}/{event.slug}/log/lines.jsonl").text
    lines = [json.loads(each) for each in told.splitlines()]
    assert [each["sealed"]["number"] for each in lines] == list(range(1, event.log.count() + 1))
    assert lines[1]["by"] == "secretary"
