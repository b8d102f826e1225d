"""Messages of the backup commands; other tests check what they do."""

from __future__ import annotations

from types import SimpleNamespace

from django.core.management import call_command

from operations.management.commands import backup, restore


def test_a_backup_is_told_with_its_rows_files_and_what_went_for_it(monkeypatch, capsys):
    manifest = SimpleNamespace(rows={"clubs_club": 2, "clubs_member": 3}, files={"database": (), "logos/one.png": ()})
    made = SimpleNamespace(path="new.zip", size=10, is_encrypted=False, is_fully_verified=True, manifest=manifest)
    monkeypatch.setattr(backup, "add_backup", lambda _key: (made, ["old.zip"]))
    call_command("backup")
    said = capsys.readouterr().out
    assert said == "new.zip: 10 bytes, 5 rows, 1 files, not encrypted, tested\ndeleted old backup: old.zip\n"


def test_what_was_put_back_is_told_and_what_is_to_be_done_now(monkeypatch, capsys):
    empty = SimpleNamespace(made_at="2026-11-23", rows={"clubs_user": 1})
    monkeypatch.setattr(restore, "restore_backup", lambda *_args, **_options: (empty, None))
    call_command("restore", "some.zip")
    said = capsys.readouterr().out
    assert "Restored: made at 2026-11-23, 0 clubs, 1 rows" in said
    assert "Start the server and the worker" in said
