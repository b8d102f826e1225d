"""The command `manage.py backup`: write all data into one verified file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError, CommandParser

from operations.backups.backup_folder import add_backup
from operations.backups.creation import make_backup
from operations.backups.encryption import generate_key_pair, parse_backup_key
from operations.backups.problems import BackupProblem


class Command(BaseCommand):
    help = (
        "Back up the database and the files in var/, and test the backup. The server can keep running. "
        "The backup is encrypted if CLUBNIGHT_BACKUP_KEY is set. Without a file name, it is saved with "
        "the nightly backups."
    )
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", nargs="?", type=Path, help="file to write")
        parser.add_argument("--new-key", action="store_true", help="print a new key pair and exit")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["new_key"]:
            public, secret = generate_key_pair()
            self.stdout.write(f"public key (CLUBNIGHT_BACKUP_KEY on the server): {public}")
            self.stdout.write(f"secret key (keep it on paper, not on the server): {secret}")
            return
        try:
            key = parse_backup_key(settings.BACKUP_KEY)
            file = options["file"]
            made, gone = (make_backup((settings.CALLED_FROM / file).resolve(), key), []) if file else add_backup(key)
        except BackupProblem as problem:
            raise CommandError(str(problem)) from problem
        how = "encrypted" if made.is_encrypted else "not encrypted"
        rows = sum(made.manifest.rows.values())
        self.stdout.write(
            f"{made.path}: {made.size} bytes, {rows} rows, {len(made.manifest.files) - 1} files, {how}, tested"
        )
        for name in gone:
            self.stdout.write(f"deleted old backup: {name}")
        if not made.is_fully_verified:
            self.stdout.write("The backup was tested before encryption, because the secret key is not on this server.")
