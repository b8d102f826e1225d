"""The command `manage.py restore`: restore a backup, or only verify it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from operations.backups.backup_folder import get_backup_folder, list_backups
from operations.backups.encryption import parse_backup_key
from operations.backups.problems import BackupProblem
from operations.backups.restoration import restore_backup
from operations.backups.verification import verify_backup
from operations.integrity.environment_checks import are_static_files_missing


class Command(BaseCommand):
    help = (
        "Restore a backup from SQLite or PostgreSQL into this server's database and var/. Stop the "
        "server and the worker first, and start them again afterwards."
    )
    requires_system_checks: list[str] = []
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, nargs="?", help="file made by the command backup")
        parser.add_argument("--list", action="store_true", help="list this server's backups, newest first")
        parser.add_argument("--check", action="store_true", help="only test the backup, and change nothing")
        parser.add_argument(
            "--replace", action="store_true", help="restore even if the database already has clubs or accounts"
        )
        parser.add_argument(
            "--made-elsewhere",
            action="store_true",
            help="restore a backup of another server, or from before this one had its secret key",
        )
        parser.add_argument("--key-file", type=Path, help="file with the secret key, instead of the setting")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["list"]:
            self._list()
            return
        if options["file"] is None:
            raise CommandError("Enter the file name of a backup. To see this server's backups, run restore --list.")
        try:
            file, key_file = settings.CALLED_FROM / options["file"], options["key_file"]
            written = (settings.CALLED_FROM / key_file).read_text(encoding="ascii") if key_file else settings.BACKUP_KEY
            key = parse_backup_key(written)
            if options["check"]:
                manifest = verify_backup(file, key, work_dir=file.resolve().parent)
                self.stdout.write(f"The backup is valid: {_told(manifest.made_at, manifest.rows)}")
                self.stdout.write(
                    "This server made it."
                    if manifest.is_own
                    else "This server did not make it: it is not signed with this secret key. Restore it with "
                    "--made-elsewhere, and only if you know where it comes from."
                )
                return
            manifest, way_back = restore_backup(
                file, key, replace=options["replace"], made_elsewhere=options["made_elsewhere"]
            )
        except BackupProblem as problem:
            raise CommandError(f"{problem} Nothing was changed.") from problem
        except (OSError, ValueError) as error:
            raise CommandError(f"{error}. Nothing was changed.") from error
        self.stdout.write(f"Restored: {_told(manifest.made_at, manifest.rows)}")
        if way_back is not None:
            self.stdout.write(f"The earlier data is kept in {way_back}")
        if options["made_elsewhere"]:
            self.stdout.write("All webhooks are paused and all API tokens are revoked.")
        self.stdout.write("Everyone has to sign in again. Start the server and the worker, then run manage.py doctor.")
        if are_static_files_missing():
            self.stdout.write(
                f"Style sheets and scripts are missing in {settings.STATIC_ROOT}, so every page would "
                "fail. Run manage.py collectstatic --no-input before you start the server."
            )

    def _list(self) -> None:
        """Print one backup per line, with its path last. Safety backups of a restore are left out."""
        there = list_backups()
        if not there:
            raise CommandError(f"No backups in {get_backup_folder()}.")
        for each in there:
            made_at = timezone.localtime(each.made_at)
            state = "encrypted" if each.is_encrypted else "not encrypted"
            self.stdout.write(f"{made_at:%a %Y-%m-%d %H:%M:%S %Z}  {each.size / 1e6:8.1f} MB  {state:13}  {each.path}")


def _told(made_at: str, rows: dict[str, int]) -> str:
    return f"made at {made_at}, {rows.get('clubs_club', 0)} clubs, {sum(rows.values())} rows"
