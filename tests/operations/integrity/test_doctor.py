"""The doctor: its findings in a healthy club, and in one damaged despite all guards."""

from __future__ import annotations

import json
from collections import namedtuple
from datetime import timedelta
from uuid import uuid4

import pytest
from django.core.checks.async_checks import check_async_unsafe
from django.core.checks.registry import registry
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from clubs.finance.dues.ledger import record_payment, reverse_ledger_entry
from clubs.models import Club, LedgerEntry, MemberRating, PendingRatingUpdate
from common.models import Job, ScheduledTaskRun
from operations.integrity import environment_checks
from operations.integrity.examination import run_integrity_checks
from operations.integrity.findings import FindingSeverity
from pairing.rounds.lifecycle.transitions import publish_round
from pairing.rounds.manual.arrangement import swap_colours
from pairing.rounds.manual.changes import change_draft_manually
from tests.factories import draft_of, make_club, make_event, make_member, make_user, played, player, published, round_of
from tests.module_fixtures import make_module_fixtures
from tournaments.entries.enrolment import enter_members
from tournaments.models import Bye, CheckIn, ForbiddenPair, Game, LogEntry, Round, Tournament
from tournaments.models.integrity_triggers import create_integrity_triggers, drop_integrity_triggers


@pytest.fixture(autouse=True)
def _as_a_server(monkeypatch):
    """Browser tests use a setting that the doctor rightly reports."""
    without = registry.deployment_checks - {check_async_unsafe}
    monkeypatch.setattr(registry, "deployment_checks", without)


@pytest.fixture(autouse=True)
def _backups(settings, tmp_path):
    """A backup was made just now, and the static files are collected."""
    settings.BACKUP_DIR = settings.STATIC_ROOT = tmp_path
    (tmp_path / "staticfiles.json").touch()
    (tmp_path / f"clubnight-{timezone.now():%Y-%m-%dT%H%M%SZ}.zip").touch()


def make_rows() -> Tournament:
    """Two rounds played by members, the third published; a payment and a reversed one."""
    club = make_club()
    event = make_event(club, starts_on=timezone.localdate())
    members = [make_member(club, f"Pionek, Nr{number}", 1500 + 10 * number) for number in range(7)]
    enter_members(event, members, by=None)
    for number in (1, 2):
        played(event, number)
    published(event, 3)
    today = timezone.localdate()
    record_payment(members[0], 1000, method="cash", paid_on=today, by=None)
    reverse_ledger_entry(record_payment(members[1], 2000, method="cash", paid_on=today, by=None), reason="x", by=None)
    return event


made_once, event = make_module_fixtures(make_rows)


@pytest.fixture
def club(event) -> Club:
    return event.club


def codes(*, quick: bool = False) -> set[str]:
    """The findings, without those about this machine's settings."""
    found = run_integrity_checks(Club.objects.all(), quick=quick)
    return {finding.code for finding in found if not finding.code.startswith("setting-")}


def told(code: str) -> set[tuple[str, str]]:
    """Where such findings are, and what they say."""
    return {
        (found.where, found.what)
        for found in run_integrity_checks(Club.objects.all(), quick=True)
        if found.code == code
    }


@pytest.fixture
def unguarded(event):
    """Remove the triggers that protect the tables."""
    drop_integrity_triggers()
    yield event
    create_integrity_triggers()


def test_a_healthy_club(event):
    assert codes() == set()


# -- What must hold in an event --------------------------------------------------------------------------------------


def test_a_player_twice_in_a_round(unguarded):
    game = round_of(unguarded, 3).games.get(board=1)
    Bye.objects.create(round=game.round, entry=game.white, kind="Z")
    assert codes(quick=True) == {"player-twice", "guard-missing"}


def test_a_player_of_another_event(unguarded, club):
    elsewhere = make_event(club, players=2)
    stranger, other = player(elsewhere, 1), player(elsewhere, 2)
    third = round_of(unguarded, 3)
    Game.objects.filter(round=third, board=1).update(white=stranger)
    CheckIn.objects.create(round=third, entry=other, state=CheckIn.State.HERE, at=timezone.now())
    pair = ForbiddenPair.objects.create(tournament=unguarded, first=stranger, second=other)
    event = f"{club.slug}/{unguarded.slug}"
    assert told("player-of-another-event") == {
        (f"{event} round 3 (row {third.pk})", "board 1"),
        (f"{event} round 3 (row {third.pk})", f"check-in of entry {other.pk}"),
        (event, f"forbidden pair {pair.pk}"),
    }


@pytest.mark.parametrize(
    ("state", "code"),
    [
        (Round.State.WAITING, "waiting-with-boards"),
        (Round.State.DRAFT, "draft-with-results"),
        (Round.State.FINISHED, "finished-with-open-boards"),
    ],
)
def test_a_round_that_holds_what_does_not_fit_its_state(state, code, event):
    third = round_of(event, 3)
    if state == Round.State.DRAFT:
        third.games.filter(board=1).update(result="1-0")
    Round.objects.filter(pk=third.pk).update(state=state)
    assert code in codes(quick=True)


def test_a_round_on_an_open_one_and_a_gap(unguarded):
    Round.objects.filter(tournament=unguarded, number=1).update(state=Round.State.PUBLISHED)
    Round.objects.filter(tournament=unguarded, number=5).delete()
    Round.objects.filter(tournament=unguarded, number=4).update(number=5)
    assert {"paired-on-open-round", "rounds-with-a-gap"} <= codes(quick=True)


def test_a_player_without_a_number_and_one_who_had_withdrawn(event):
    one = round_of(event, 3).games.get(board=1).white
    one.tpn, one.withdrawn_from_round = None, 2
    one.save()
    found = {finding.code: finding.where for finding in run_integrity_checks(Club.objects.all(), quick=True)}
    assert set(found) >= {"no-number", "player-not-in-the-round"}
    assert "round 3" in found["player-not-in-the-round"]
    assert codes(quick=True) == {"no-number", "player-not-in-the-round"}


# -- Books -----------------------------------------------------------------------------------------------------------


def test_books(event, club):
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("DROP TRIGGER ledger_is_final_UPDATE")
    else:
        with connection.cursor() as cursor:
            cursor.execute("DROP TRIGGER ledger_is_final ON clubs_ledgerentry")
    LedgerEntry.objects.filter(receipt_number=1).update(receipt_number=9)
    LedgerEntry.objects.exclude(corrects=None).update(amount=-1)
    assert codes(quick=True) == {"receipts-with-a-gap", "taken-back-wrongly"}
    wrong = LedgerEntry.objects.exclude(corrects=None).get()
    assert told("taken-back-wrongly") == {(f"{club.slug} line {wrong.pk}", "does not reverse the entry it names")}


# -- What is derived once more ---------------------------------------------------------------------------------------


def test_ratings_that_the_games_do_not_give(event):
    assert MemberRating.objects.exists()
    MemberRating.objects.filter(pk=MemberRating.objects.first().pk).update(after=2222)
    assert codes(quick=True) == set()
    assert codes() == {"ratings-stale"}
    noted = {"mark": uuid4(), "sent_at": timezone.now()}
    PendingRatingUpdate.objects.create(club=event.club, **noted)
    assert codes() == {"ratings-being-counted"}


def test_a_manually_changed_round_is_reported_with_its_reason(club):
    event = make_event(club, players=6)
    secretary = make_user("secretary")
    draft = draft_of(event, 1)
    change_draft_manually(draft, swap_colours(1), by=secretary, version=draft.version)
    draft.refresh_from_db()
    publish_round(draft, by=secretary, version=draft.version)
    (finding,) = [each for each in run_integrity_checks(Club.objects.all()) if not each.code.startswith("setting-")]
    assert (finding.code, finding.weight) == ("round-paired-otherwise", FindingSeverity.WARNING)
    assert "manual changes" in finding.what


# -- What it stands on -----------------------------------------------------------------------------------------------


def test_a_guard_that_is_missing(unguarded):
    assert codes(quick=True) == {"guard-missing"}


def test_a_full_disk_a_slow_clock_and_jobs_without_a_worker(event, monkeypatch):
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(environment_checks.shutil, "disk_usage", lambda _path: usage(1, 1, 50 * 1024**2))
    line = LogEntry.objects.create(tournament=make_event(event.club), action="x")
    drop_integrity_triggers()
    LogEntry.objects.filter(pk=line.pk).update(at=timezone.now() + timedelta(hours=1))
    create_integrity_triggers()
    assert [finding.what for finding in environment_checks.check_disk_space()] == ["only 50 MB free"]
    Job.objects.create(task="asked for just now", state=Job.State.WAITING)
    assert "job-waiting" not in codes(quick=True)
    for state in (Job.State.WAITING, Job.State.RUNNING):
        job = Job.objects.create(task="x", state=state, heartbeat_at=timezone.now() - timedelta(hours=1))
        Job.objects.filter(pk=job.pk).update(created_at=timezone.now() - timedelta(hours=1))
    assert codes(quick=True) == {"disk-full", "clock-behind", "job-waiting", "job-silent"}


@pytest.mark.one_database
@pytest.mark.parametrize(("version", "found"), [((3, 10), 1), ((3, 11), 0), ((3, 13), 0), ((3, 14), 1)])
def test_a_python_that_was_not_tried(event, monkeypatch, version, found):
    monkeypatch.setattr(environment_checks.sys, "version_info", version)
    assert [finding.where for finding in environment_checks.check_software_versions()] == ["Python"] * found


@pytest.mark.one_database
def test_the_disk_of_the_backups_is_looked_at(event, settings, monkeypatch):
    disks = {settings.BACKUP_DIR: (2, 60_000)}
    monkeypatch.setattr(environment_checks, "_room_on", lambda place: disks.get(place, (1, 10**12)))
    (finding,) = environment_checks.check_disk_space()
    assert (finding.where, finding.weight) == (str(settings.BACKUP_DIR), FindingSeverity.ERROR)
    assert "backups" in finding.do


@pytest.mark.one_database
def test_a_server_without_its_style(event, settings, tmp_path):
    settings.DEBUG, settings.STATIC_ROOT = False, tmp_path / "static"
    found = {finding.code: finding.weight for finding in environment_checks.check_settings()}
    assert found["setting-style"] == FindingSeverity.ERROR
    settings.STATIC_ROOT.mkdir()
    (settings.STATIC_ROOT / "staticfiles.json").write_text("{}")
    assert "setting-style" not in {finding.code for finding in environment_checks.check_settings()}


def test_a_database_that_was_not_migrated(event, monkeypatch):
    monkeypatch.setattr(environment_checks, "unapplied_migrations", lambda: ["tournaments.0099_x"])
    (finding,) = run_integrity_checks(Club.objects.all())
    assert finding.code == "migrations-missing"
    assert "migrate" in finding.do


def test_a_database_of_a_later_version(event):
    MigrationRecorder(connection).record_applied("clubs", "9001_later")
    (finding,) = run_integrity_checks(Club.objects.all(), quick=True)
    assert finding.code == "migrations-unknown"
    assert "clubs.9001_later" in finding.what


# -- The command -----------------------------------------------------------------------------------------------------


def test_the_command_speaks_json_and_ends_with_1(event, capsys):
    call_command("doctor", "--json", "--quick")
    said = json.loads(capsys.readouterr().out)
    assert (said["version"], said["healthy"], said["errors"]) == (1, True, 0)
    Round.objects.filter(pk=round_of(event, 3).pk).update(state=Round.State.FINISHED)
    with pytest.raises(SystemExit) as ended:
        call_command("doctor", "--json", "--quick", "--club", event.club.slug)
    assert ended.value.code == 1
    said = json.loads(capsys.readouterr().out)
    (finding,) = [each for each in said["findings"] if each["weight"] == "error"]
    assert finding["code"] == "finished-with-open-boards"
    assert f"{event.club.slug}/{event.slug} round 3" in finding["where"]
    assert finding["do"]


def test_a_club_that_is_not_there(db):
    with pytest.raises(CommandError, match="No club has the address") as refused:
        call_command("doctor", "--club", "nowhere")
    assert refused.value.returncode == 2, "1 is for a sick one"


def test_in_words(event, capsys):
    call_command("doctor", "--quick")
    assert capsys.readouterr().out.endswith("warnings\n")


def test_it_says_that_no_backup_was_made_and_nobody_does_what_comes_back(event, settings, tmp_path):
    settings.BACKUP_DIR = tmp_path / "nothing"
    ScheduledTaskRun.objects.create(name="backup", due_at=timezone.now() - timedelta(days=5))
    assert {each.code for each in run_integrity_checks(Club.objects.all(), quick=True)} >= {
        "backup-old",
        "chore-overdue",
    }
