"""The command `manage.py seal_anew`: seal all logs and ledgers under the present secret key."""

from __future__ import annotations

from typing import Any

from django.core.management import BaseCommand, CommandError, CommandParser

from common.sealing import seal_everything_anew


class Command(BaseCommand):
    help = (
        "Seal the logs of all events and all ledgers anew, as they are now. For a database from a server with another "
        "secret key, or after the key was changed or lost. Changes made before can no longer be found: run doctor "
        "with the old key first, if you still have it."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--yes", action="store_true", help="confirm that the rows are right as they are now")

    def handle(self, *args: Any, **options: Any) -> None:
        if not options["yes"]:
            raise CommandError("Nothing was sealed. Add --yes to accept all logs and ledgers as they are now.")
        self.stdout.write(f"{seal_everything_anew()} lines sealed anew.")
