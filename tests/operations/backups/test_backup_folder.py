"""Which backups stay in the folder, how they are listed, and that no partial copy stays there."""

from __future__ import annotations

import errno
import re
import zipfile
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from operations.backups import archive, restoration
from operations.backups.backup_folder import select_backups_to_keep
from operations.backups.problems import BackupProblem, DiskFull


def test_old_backups_go_by_days_weeks_and_months():
    now = datetime(2026, 11, 22, 3, tzinfo=UTC)
    nights = [now - timedelta(days=number) for number in range(800)]
    kept = sorted(select_backups_to_keep(nights, now=now), reverse=True)
    assert kept[:7] == nights[:7]
    assert len(kept) <= 7 + 5 + 12
    assert {(time.year, time.month) for time in kept} == {(2025, 12), *((2026, month) for month in range(1, 12))}
    # Several backups in one night do not delete any older one.
    often = [*nights, *(now + timedelta(minutes=number) for number in range(50))]
    assert set(kept) <= select_backups_to_keep(often, now=now + timedelta(hours=1))
    assert select_backups_to_keep([], now=now) == set()


def test_last_night_s_backup_outlives_those_of_the_evening():
    """The safety backup and yesterday's backups must all still be there."""
    evening = datetime(2026, 11, 22, 18, 20, tzinfo=UTC)
    young = {evening, evening - timedelta(hours=15), evening - timedelta(hours=22), evening - timedelta(hours=47)}
    old = {evening - timedelta(hours=49), evening - timedelta(hours=52)}
    assert select_backups_to_keep(young | old, now=evening) == young
    # A backup made while the clock was ahead does not make today's backup an old one.
    ahead = evening + timedelta(days=900)
    assert young <= select_backups_to_keep({*young, ahead}, now=evening)


@pytest.mark.one_database
@pytest.mark.django_db
def test_what_cannot_be_kept_aside_whole_leaves_nothing_behind(tmp_path, settings, monkeypatch):
    settings.BACKUP_DIR = tmp_path / "kept"
    settings.BACKUP_DIR.mkdir()
    live = tmp_path / "live.sqlite3"
    live.write_bytes(b"no database" * 9)
    monkeypatch.setitem(connection.settings_dict, "NAME", str(live))

    def fails(problem: Exception):
        def fail(*_arguments: object) -> None:
            raise problem

        return fail

    def cut_short(_source: Path, target: Path) -> None:
        assert target.stat().st_mode & 0o777 == 0o600
        target.write_bytes(b"no")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(restoration.shutil, "copyfile", cut_short)
    # A full disk does not mean that the database is damaged.
    for problem, told in ((DiskFull("There is no room"), "no room"), (BackupProblem("damaged"), "No space left")):
        monkeypatch.setattr(restoration, "make_backup", fails(problem))
        with pytest.raises(BackupProblem, match=told):
            restoration._kept_aside(None)
        assert list(settings.BACKUP_DIR.iterdir()) == []


def test_the_list_has_locked_ones_and_none_that_was_kept_aside(settings, tmp_path):
    settings.BACKUP_DIR, settings.TIME_ZONE = tmp_path, "Europe/Warsaw"
    with pytest.raises(CommandError, match="No backups in"):
        call_command("restore", "--list")
    with pytest.raises(CommandError, match="--list"):
        call_command("restore")
    unlocked, locked = "clubnight-2026-11-21T020000Z.zip", "clubnight-2026-11-22T020000Z.zip.age"
    for name in (unlocked, locked, "before-restore-2026-11-22T172000Z.zip"):
        (tmp_path / name).write_bytes(b"x" * 200_000)
    shown = StringIO()
    call_command("restore", "--list", stdout=shown)
    newest, older = shown.getvalue().splitlines()
    assert re.split(r"\s{2,}", newest) == ["Sun 2026-11-22 03:00:00 CET", "0.2 MB", "encrypted", str(tmp_path / locked)]
    assert older.endswith(f"not encrypted  {tmp_path / unlocked}")


def test_a_file_that_unpacks_to_more_than_it_says_is_not_written_on(tmp_path, monkeypatch):
    monkeypatch.setattr(archive, "_PIECE", 10)
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w") as made:
        made.writestr("members", b"0" * 1_000)
    target = tmp_path / "unpacked" / "members"
    with (
        zipfile.ZipFile(tmp_path / "bomb.zip") as opened,
        pytest.raises(BackupProblem, match="members has changed since"),
    ):
        archive._extract(opened, "members", target, 25, "")
    assert target.stat().st_size == 20
