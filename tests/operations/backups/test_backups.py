"""Backups: what is not accepted as one, what a failed one leaves, and that a restored one equals the original."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import shutil
import sqlite3
import stat
import subprocess
import sys
import threading
import zipfile
from contextlib import closing
from datetime import datetime, timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.utils import timezone

from clubs.finance.dues.ledger import charge_member, record_payment
from clubs.models import Club, User
from common.models import Job
from operations.backups import archive, creation, database_copy, restoration, temporary_database
from operations.backups.backup_folder import add_backup, list_backups
from operations.backups.creation import make_backup
from operations.backups.encryption import generate_key_pair, parse_backup_key
from operations.backups.problems import BackupProblem
from operations.backups.restoration import restore_backup
from operations.backups.row_copy import managed_models
from operations.backups.verification import verify_backup, verify_database
from operations.backups.work_folders import delete_leftovers
from pairing.models import Webhook
from pairing.public.api_tokens.tokens import create_token
from pairing.public.webhooks.queue import new_message
from tests.database_snapshot import wait_for_jobs
from tests.factories import make_club, make_event, make_member, make_user, played, published
from tests.test_postgresql import commands_on, run_on
from tournaments.entries.enrolment import enter_members
from tournaments.models import Game, LogEntry
from tournaments.models.integrity_triggers import INTEGRITY_TRIGGERS, installed_integrity_triggers

MADE_ANEW = {"django_session", "usersessions_usersession", "django_content_type", "auth_permission"}


@pytest.fixture
def var(transactional_db, tmp_path, settings, migrated_sqlite, monkeypatch, django_db_blocker) -> Path:
    """A folder for this test. The tables of a copy come from the file that all tests share."""
    settings.VAR_DIR, settings.BACKUP_DIR, settings.BACKUP_KEY = tmp_path / "var", tmp_path / "kept", ""
    settings.VAR_DIR.mkdir()
    settings.PUSH_KEY_FILE = settings.VAR_DIR / "push-key"
    (settings.VAR_DIR / "secret-key").write_text("k" * 40)
    (settings.VAR_DIR / "uploads").mkdir()
    (settings.VAR_DIR / "uploads" / "list").write_text("no")
    (settings.VAR_DIR / "media").mkdir()
    (settings.VAR_DIR / "media" / "wieża.txt").write_text("ó")
    (settings.VAR_DIR / "static").mkdir()
    (settings.VAR_DIR / "static" / "style.css").write_text("no")
    # Tests may only use the databases of the settings; the copy is another one.
    monkeypatch.setattr(BaseDatabaseWrapper, "ensure_connection", django_db_blocker._real_ensure_connection)
    monkeypatch.setattr(database_copy, "migrate_sqlite_file", lambda path: shutil.copy(migrated_sqlite, path))
    monkeypatch.setattr(restoration, "migrate_sqlite_file", lambda path: None)
    return settings.VAR_DIR


@pytest.fixture
def event(transactional_db):
    """A finished and a published round, played by members of a club that has money."""
    club = make_club()
    make_user("secretary", club, "secretary")
    event = make_event(club)
    members = [make_member(club, f"Pionek, Nr{number}", 1500 + 10 * number) for number in range(7)]
    enter_members(event, members, by=None)
    charge_member(members[0], 9000, text="składka", due_on=datetime(2026, 9, 1).date(), by=None)
    record_payment(members[0], 5000, method="cash", paid_on=datetime(2026, 9, 2).date(), by=None)
    played(event, 1)
    published(event, 2)
    # Wait for the ratings of the finished round, so that later comparisons see a single state.
    wait_for_jobs()
    return event


def everything() -> dict[str, list[dict[str, object]]]:
    """Every row of every table except those that no backup restores. No job is writing."""
    wait_for_jobs()
    return {
        model._meta.db_table: [_plain(row) for row in model._base_manager.order_by("pk").values()]
        for model in managed_models()
        if model._meta.db_table not in MADE_ANEW
    }


def _plain(row: dict[str, object]) -> dict[str, object]:
    return {name: bytes(value) if isinstance(value, memoryview) else value for name, value in row.items()}


def archived(path: Path, tmp_path: Path, **changes: object) -> Path:
    """The backup with another manifest, or with other bytes for a file (None: without it)."""
    made = tmp_path / "changed.zip"
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(made, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name == archive.MANIFEST and "manifest" in changes:
                data = json.dumps(json.loads(data) | changes["manifest"]).encode()
            elif name in changes.get("files", {}):
                data = changes["files"][name]
            new.writestr(name, data)
    return made


def test_what_is_restored_is_what_was(event, var, tmp_path):
    before = everything()
    made = make_backup(tmp_path / "one.zip", None)
    assert not made.is_encrypted
    assert set(made.manifest.files) == {archive.DATABASE, "var/secret-key", "var/media/wieża.txt"}

    played(make_event(event.club, players=4), 1)
    Club.objects.filter(pk=event.club_id).update(name="Inna nazwa")
    Job.objects.create(task="none")
    (var / "media" / "wieża.txt").write_text("overwritten")
    assert everything() != before

    with pytest.raises(BackupProblem, match="--replace"):
        restore_backup(made.path, None, replace=False)
    assert Club.objects.get(pk=event.club_id).name == "Inna nazwa"
    _manifest, way_back = restore_backup(made.path, None, replace=True)

    assert everything() == before
    assert (var / "media" / "wieża.txt").read_text() == "ó"
    assert installed_integrity_triggers() == {guard.name for guard in INTEGRITY_TRIGGERS}
    with pytest.raises(IntegrityError), transaction.atomic():
        Game.objects.filter(round__number=1).update(result="1-0", revision=9)
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("DELETE FROM clubs_ledgerentry")
    # New rows get keys that no earlier row had.
    played(make_event(event.club, players=4), 1)

    restore_backup(way_back, None, replace=True)
    assert Club.objects.get(pk=event.club_id).name == "Inna nazwa"
    assert not Job.objects.filter(state__in=["waiting", "running"]).exists()


def test_a_backup_made_while_others_write_is_of_one_moment(event, var, tmp_path):
    """Somebody creates clubs in pairs: a backup never has one without the other."""
    done, written = threading.Event(), threading.Event()

    def write() -> None:
        number = 0
        while not done.is_set():
            number += 1
            with transaction.atomic():
                for twin in "ab":
                    Club.objects.create(slug=f"twin-{number}-{twin}", name=f"Twin {number}")
            written.set()
        connections.close_all()

    writer = threading.Thread(target=write)
    writer.start()
    try:
        assert written.wait(30)
        made = make_backup(tmp_path / "busy.zip", None)
    finally:
        done.set()
        writer.join()
    with zipfile.ZipFile(made.path) as packed:
        packed.extract(archive.DATABASE, tmp_path)
    with closing(sqlite3.connect(tmp_path / archive.DATABASE)) as database:
        ((twins,),) = database.execute("SELECT COUNT(*) FROM clubs_club WHERE slug LIKE 'twin-%'")
    assert twins > 0
    assert twins % 2 == 0


def test_a_locked_backup_is_opened_by_its_key_alone(event, var, tmp_path):
    public, secret = generate_key_pair()
    made = make_backup(tmp_path / "one.zip.age", parse_backup_key(public))
    assert made.is_encrypted
    assert not made.is_fully_verified
    assert b"clubnight" not in made.path.read_bytes()
    for wrong in ("", public, generate_key_pair()[1]):
        with pytest.raises(BackupProblem):
            verify_backup(made.path, parse_backup_key(wrong), work_dir=tmp_path)
    verify_backup(made.path, parse_backup_key(secret), work_dir=tmp_path)
    assert make_backup(tmp_path / "two.zip.age", parse_backup_key(secret)).is_fully_verified

    data = bytearray(made.path.read_bytes())
    data[len(data) // 2] ^= 1
    made.path.write_bytes(data)
    with pytest.raises(BackupProblem):
        verify_backup(made.path, parse_backup_key(secret), work_dir=tmp_path)


@pytest.mark.parametrize("key", ["age1", "AGE-SECRET-KEY-1QQ", "hunter2", "ssh-ed25519 AAAA"])
def test_what_is_no_key_is_refused(key):
    with pytest.raises(BackupProblem, match="not an age key"):
        parse_backup_key(key)


@pytest.mark.one_database
def test_what_is_no_whole_backup_changes_nothing(event, var, tmp_path):
    before = everything()
    good = make_backup(tmp_path / "good.zip", None)
    whole = good.path.read_bytes()
    digest = good.manifest.files[archive.DATABASE]
    hostile = {
        "empty": b"",
        "no archive": b"PK\3\4" + b"x" * 500,
        "cut off": whole[: len(whole) // 2],
        "a bit turned": whole[:900] + bytes([whole[900] ^ 1]) + whole[901:],
    }
    for name, data in hostile.items():
        (tmp_path / "hostile.zip").write_bytes(data)
        with pytest.raises(BackupProblem):
            restore_backup(tmp_path / "hostile.zip", None, replace=True)
        assert everything() == before, name
    changed = [
        {"manifest": {"format": "another"}},
        {"manifest": {"version": 2}},
        {"manifest": {"rows": {"clubs_club": 99}}},
        {"manifest": {"migrations": [*good.manifest.migrations, "clubs.9999_later"]}},
        {"manifest": {"files": {"var/../../outside": [1, "x"], archive.DATABASE: digest}}},
        {"manifest": {"files": {"/etc/outside": [1, "x"], archive.DATABASE: digest}}},
        {"manifest": {"files": {archive.DATABASE: [10**18, "x"]}}},
        {"manifest": {"files": "none"}},
        {"files": {archive.DATABASE: b"not a database"}},
        {"files": {archive.MANIFEST: b"[" * 100_000}},
    ]
    for change in changed:
        with pytest.raises(BackupProblem):
            restore_backup(archived(good.path, tmp_path, **change), None, replace=True)
        assert everything() == before, change
    with zipfile.ZipFile(good.path) as opened:
        opened.extract(archive.DATABASE, tmp_path)
    with closing(sqlite3.connect(tmp_path / archive.DATABASE)) as database:
        database.execute("UPDATE tournaments_tournament SET club_id = club_id + 9")
        database.commit()
    with pytest.raises(BackupProblem, match="a row of tournaments_tournament belongs to a missing row of clubs_club"):
        verify_database(tmp_path / archive.DATABASE, good.manifest)
    with pytest.raises(CommandError, match="Nothing was changed"):
        call_command("restore", str(tmp_path / "nowhere.zip"))
    assert not list(var.glob(".*"))


@pytest.mark.one_database
@pytest.mark.parametrize(
    "name",
    [
        "var/.pgpass",
        "var/.ssh/config",
        "var/media/.ssh/authorized_keys",
        "var/uploads/anything",
        "var/readings/anything",
        "var/other",
        "var/media",
        "var/media/../secret-key",
        "var/media/x\ny",
        "/etc/outside",
        "outside",
    ],
)
def test_a_backup_with_other_files_than_backups_have_is_refused_when_checked(var, tmp_path, name):
    """A stranger's archive with the right checksums wrote settings of ssh into the home of the server's user."""
    good = make_backup(tmp_path / "good.zip", None)
    content = b"ProxyCommand sh\n"
    files = {**good.manifest.files, name: (len(content), hashlib.sha256(content).hexdigest())}
    changed = archived(good.path, tmp_path, manifest={"files": files})
    with zipfile.ZipFile(changed, "a") as packed:
        packed.writestr(name, content)
    with pytest.raises(BackupProblem, match="a file that no backup has"):
        verify_backup(changed, None, work_dir=tmp_path)


@pytest.mark.one_database
@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFBLK, stat.S_IFDIR])
def test_a_backup_has_neither_links_nor_devices(var, tmp_path, kind):
    good = make_backup(tmp_path / "good.zip", None)
    with zipfile.ZipFile(good.path, "a") as packed:
        link = zipfile.ZipInfo("var/media/link")
        link.external_attr = (kind | 0o777) << 16
        packed.writestr(link, "/etc/passwd")
    with pytest.raises(BackupProblem, match="a link or device"):
        verify_backup(good.path, None, work_dir=tmp_path)


@pytest.mark.one_database
def test_a_backup_made_elsewhere_is_restored_only_if_told_so(event, var, tmp_path, settings):
    """Its age proves nothing, and neither does a lock that is closed with a public key."""
    public, secret = generate_key_pair()
    own = make_backup(tmp_path / "own.zip.age", parse_backup_key(public)).path
    checked = StringIO()
    assert verify_backup(own, parse_backup_key(secret), work_dir=tmp_path).is_own
    plain = make_backup(tmp_path / "own.zip", None).path
    without = archived(plain, tmp_path, files={archive.SIGNATURE: b""})
    assert not verify_backup(without, None, work_dir=tmp_path).is_own
    settings.SECRET_KEY = "another server's secret key, which is as long as any"
    call_command("restore", "--check", str(plain), stdout=checked)
    assert "This server did not make it" in checked.getvalue()
    before = everything()
    for path in (plain, without):
        with pytest.raises(CommandError, match="--made-elsewhere"):
            call_command("restore", "--replace", str(path))
    with pytest.raises(BackupProblem, match="not signed"):
        restore_backup(own, parse_backup_key(secret), replace=True)
    assert everything() == before
    Club.objects.update(name="Inna nazwa")
    call_command("restore", "--replace", "--made-elsewhere", str(plain), stdout=StringIO())
    assert everything() == before


@pytest.mark.one_database
def test_a_restored_copy_sends_no_old_messages_and_one_from_elsewhere_none_at_all(event, var, tmp_path):
    webhook = Webhook.objects.create(
        club=event.club, url="https://bot.example.org/", salt="a", site="https://a.example/"
    )
    message = new_message(webhook, "round.published", at=timezone.now(), data={})
    message.save()
    token, _text = create_token(
        event.club,
        name="bot",
        scopes=["read"],
        tournament=None,
        expires_at=None,
        by=User.objects.get(),
        site="https://chess.example/",
    )
    path = str(make_backup(tmp_path / "b.zip", None).path)
    for flags, is_active in ((["--replace"], True), (["--replace", "--made-elsewhere"], False)):
        call_command("restore", *flags, path, stdout=StringIO())
        for row in (message, webhook, token):
            row.refresh_from_db()
        assert (message.state, webhook.is_active, token.is_valid) == ("failed", is_active, is_active)


KILLED = """
import os, pathlib, sys
from operations.backups.work_folders import private_folder
with private_folder(pathlib.Path(sys.argv[1])) as folder:
    (folder / "database.sqlite3").write_text("everything about everybody")
    print(folder, flush=True)
    sys.stdin.read(1)
    os.kill(os.getpid(), 9)
"""


@pytest.mark.one_database
def test_what_a_killed_backup_leaves_is_gone_with_the_next(var, tmp_path, settings):
    """Each left the whole database, as plain SQLite, in the folder of locked backups."""
    settings.BACKUP_DIR.mkdir()
    command = [sys.executable, "-c", KILLED, str(settings.BACKUP_DIR)]
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "config.settings"}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment) as maker:
        left = Path(maker.stdout.readline().strip())
        assert left.stat().st_mode & 0o777 == 0o700
        delete_leftovers()
        assert (left / "database.sqlite3").exists(), "a backup in the making is not disturbed"
        maker.communicate("x")
    assert maker.returncode == -9
    assert left.exists()
    add_backup(None)
    assert not left.exists()
    assert [path.name for path in settings.BACKUP_DIR.iterdir()] == [list_backups()[0].path.name]


@pytest.mark.one_database
def test_servers_and_workers_delete_what_was_left_when_they_start():
    root = Path(__file__).parents[3]
    for start in ("wsgi", "celery"):
        assert re.search(r"^ *delete_leftovers\(\)$", (root / "config" / f"{start}.py").read_text(), re.MULTILINE)


@pytest.mark.one_database
def test_a_backup_in_the_making_is_not_copied_to_the_second_place(tmp_path):
    (tmp_path / "rsync").write_text('#!/bin/sh\necho "$@"\n')
    (tmp_path / "rsync").chmod(0o755)
    script = Path(__file__).parents[3] / "deploy" / "copy-backups"
    places = {"CLUBNIGHT_BACKUPS": "here", "CLUBNIGHT_COPIES": str(tmp_path), "PATH": f"{tmp_path}:/usr/bin:/bin"}
    called = subprocess.run([script], check=True, env=places, capture_output=True, text=True)
    assert "--exclude .*" in called.stdout


@pytest.mark.one_database
def test_a_backup_that_fails_leaves_the_one_before(event, var, tmp_path, monkeypatch):
    target = make_backup(tmp_path / "one.zip", None).path
    before = target.read_bytes()

    def full(*_args: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    for name, what in (("pack_archive", "full"), ("encrypt_file", "full")):
        with monkeypatch.context() as patch:
            patch.setattr(creation, name, full)
            with pytest.raises(BackupProblem, match=what):
                make_backup(target, parse_backup_key(generate_key_pair()[0]))
        assert target.read_bytes() == before
    with monkeypatch.context() as patch:
        patch.setattr(creation, "database_size", lambda: 10**12 * 1024**2)
        with pytest.raises(
            BackupProblem, match=f"Not enough disk space .*: {creation.DATABASE_COPIES * 10**12 + 1} MB may be needed"
        ):
            make_backup(target, None)
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


@pytest.mark.one_database
def test_the_folder_knows_its_own_and_leaves_the_rest(event, var, settings):
    made, _gone = add_backup(None)
    assert settings.BACKUP_DIR.stat().st_mode & 0o777 == 0o700
    assert made.path.stat().st_mode & 0o777 == 0o600
    stranger = settings.BACKUP_DIR / "mine.zip"
    stranger.write_text("another's")
    for day in range(1, 31):
        (settings.BACKUP_DIR / f"clubnight-2020-01-{day:02}T030000Z.zip").write_text("old")
    last_night = settings.BACKUP_DIR / f"clubnight-{timezone.now() - timedelta(hours=15):%Y-%m-%dT%H%M%SZ}.zip"
    last_night.write_text("good")
    called = StringIO()
    call_command("backup", stdout=called)
    gone = re.findall(r"deleted old backup: (\S+)", called.getvalue())
    assert "clubnight-2020-01-01T030000Z.zip" in gone
    # Two backups within one second have the same name.
    assert len(gone) + len(list_backups()) in (32, 33)
    assert last_night.exists()
    assert list_backups()[0].path.name >= made.path.name
    assert stranger.exists()


@pytest.mark.one_database
def test_the_page_says_when_the_last_good_one_was_made(event, var, settings, admin_client, client):
    assert client.get("/clubs/backups/").status_code == 302
    assert "No backups yet." in admin_client.get("/clubs/backups/").text
    settings.BACKUP_DIR.mkdir()
    name = "clubnight-2020-01-01T030000Z.zip"
    (settings.BACKUP_DIR / name).write_text("old")
    page = admin_client.get("/clubs/backups/").text
    assert 'class="notice care"' in page
    assert name in page
    # A stranger at an open browser does not know the password and gets no file. With `download`, the browser would save
    # the page that asks for the password as the backup.
    assert f'<a href="/clubs/backups/{name}">' in page
    assert admin_client.get(f"/clubs/backups/{name}").status_code == 302
    assert admin_client.get("/clubs/backups/clubnight-2020-01-02T030000Z.zip").status_code == 404

    settings.BACKUP_KEY = "nonsense"
    answer = admin_client.post("/clubs/backups/make/", follow=True)
    while Job.objects.filter(state__in=["waiting", "running"]).exists():
        answer = admin_client.get("/clubs/backups/")
    page = admin_client.get("/clubs/backups/").text
    assert answer.status_code == 200
    assert "is not an age key" in page
    settings.BACKUP_KEY = ""
    admin_client.post("/clubs/backups/make/")
    admin_client.post("/clubs/backups/make/")
    while Job.objects.filter(state__in=["waiting", "running"]).exists():
        pass
    assert 'class="notice good"' in admin_client.get("/clubs/backups/").text


def test_tables_that_cannot_be_made_are_told_with_the_reason(tmp_path, monkeypatch):
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\necho of all things >&2\nexit 1\n")
    python.chmod(0o755)
    monkeypatch.setattr(temporary_database.sys, "executable", str(python))
    with pytest.raises(BackupProblem, match="of all things"):
        temporary_database.migrate_sqlite_file(tmp_path / "db.sqlite3")


def test_a_backup_takes_the_place_of_a_damaged_file(migrated_sqlite, tmp_path, monkeypatch):
    """When a backup is needed, the database file may be damaged. It is kept unchanged."""
    (tmp_path / "var").mkdir()
    monkeypatch.setenv("CLUBNIGHT_VAR", str(tmp_path / "var"))
    monkeypatch.setenv("CLUBNIGHT_BACKUPS", str(tmp_path / "kept"))
    run_on(str(migrated_sqlite), "manage.py", "backup", str(tmp_path / "one.zip"))
    damaged = tmp_path / "damaged.sqlite3"
    damaged.write_bytes(b"no database" * 9999)
    with pytest.raises(AssertionError, match="--replace"):
        run_on(str(damaged), "manage.py", "restore", str(tmp_path / "one.zip"))
    monkeypatch.setenv("CLUBNIGHT_DEBUG", "0")
    said = run_on(str(damaged), "manage.py", "restore", "--replace", str(tmp_path / "one.zip"))
    assert "collectstatic" in said
    assert "[ ]" not in run_on(str(damaged), "manage.py", "showmigrations")
    (kept,) = (tmp_path / "kept").glob("before-restore-*.sqlite3")
    assert kept.read_bytes() == b"no database" * 9999


@pytest.mark.slow
@pytest.mark.postgresql
@pytest.mark.one_database
@pytest.mark.django_db
def test_a_laptop_s_backup_moves_to_a_server_and_back(migrated_postgresql, migrated_sqlite, tmp_path, monkeypatch):
    """The commands themselves, in one process per machine: SQLite, PostgreSQL, and a new SQLite file again."""
    from tests.servers import new_database

    server = new_database(migrated_postgresql, "moved")
    laptop, later = (str(shutil.copy(migrated_sqlite, tmp_path / name)) for name in ("laptop.sqlite3", "later.sqlite3"))
    one, two = str(tmp_path / "one.zip"), str(tmp_path / "two.zip")
    (tmp_path / "var").mkdir()
    monkeypatch.setenv("CLUBNIGHT_VAR", str(tmp_path / "var"))
    commands_on(laptop, "demo", f"backup {one}")
    assert '"healthy": true' in commands_on(server, f"restore {one}", "doctor --json", f"backup {two}")
    assert '"healthy": true' in commands_on(later, f"restore {two}", "doctor --json")
    assert LogEntry.objects.count() == 0
    with closing(sqlite3.connect(laptop)) as first, closing(sqlite3.connect(later)) as last:
        for model in managed_models():
            table = model._meta.db_table
            if table not in MADE_ANEW:
                columns = ", ".join(f'"{field.column}"' for field in model._meta.local_concrete_fields)
                rows = f'SELECT {columns} FROM "{table}" ORDER BY id'  # noqa: S608
                assert _meant(first, rows) == _meant(last, rows), table


def _meant(database: sqlite3.Connection, rows: str) -> list[tuple[object, ...]]:
    """The rows with JSON parsed: PostgreSQL keeps its values, not its formatting."""

    def read(value: object) -> object:
        return json.loads(value) if isinstance(value, str) and value[:1] in "{[" and value else value

    return [tuple(read(value) for value in row) for row in database.execute(rows)]
