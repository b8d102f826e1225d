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
        "Write the database and the files of var/ into one file while the server is in use, locked where "
        "CLUBNIGHT_BACKUP_KEY is set, and try it out. Without a name it goes into the folder of the nightly ones."
    )
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", nargs="?", type=Path, help="the file to write")
        parser.add_argument("--new-key", action="store_true", help="print a new pair of keys, and do nothing else")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["new_key"]:
            public, secret = generate_key_pair()
            self.stdout.write(f"locks (CLUBNIGHT_BACKUP_KEY of the server): {public}")
            self.stdout.write(f"opens (keep it on paper, away from the server): {secret}")
            return
        try:
            key = parse_backup_key(settings.BACKUP_KEY)
            file = options["file"]
            made, gone = (make_backup((settings.CALLED_FROM / file).resolve(), key), []) if file else add_backup(key)
        except BackupProblem as problem:
            raise CommandError(str(problem)) from problem
        how = "locked" if made.is_encrypted else "not locked"
        rows = sum(made.manifest.rows.values())
        self.stdout.write(
            f"{made.path}: {made.size} bytes, {rows} rows, {len(made.manifest.files) - 1} files, {how}, tried out"
        )
        for name in gone:
            self.stdout.write(f"old, deleted: {name}")
        if not made.is_fully_verified:
            self.stdout.write("It was tried out before it was locked: the key that opens it is not here.")
