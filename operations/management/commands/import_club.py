"""The `import_club` command: import a club's archive, also one that is too large for the page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.management import BaseCommand, CommandError, CommandParser
from django.core.validators import URLValidator

from clubs.models import User
from common.problems import OfficerProblem
from operations.club_transfer.archive_reader import read_club_archive
from operations.club_transfer.club_import import import_club


class Command(BaseCommand):
    help = (
        "Import a club from another Clubnight server: all of its archive, or nothing. Also for archives that are too "
        "large for the page."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="ZIP file that the other server made")
        parser.add_argument("--secretary", required=True, help="user name of the person who becomes its secretary")
        parser.add_argument("--site", required=True, help="address of this server, such as https://chess.example.org/")
        parser.add_argument("--check", action="store_true", help="only read the archive, and change nothing")

    def handle(self, *args: Any, file: Path, secretary: str, site: str, check: bool, **options: Any) -> None:
        by = User.objects.filter(username=secretary, is_active=True).first()
        if by is None:
            raise CommandError(f"No active user has the name {secretary}. Nothing was changed.")
        try:
            URLValidator(schemes=["http", "https"])(site)
            archive = read_club_archive((settings.CALLED_FROM / file).read_bytes())
            rows = sum(map(len, archive.tables.values()))
            self.stdout.write(f"{archive.manifest.club}: {rows} rows, {len(archive.tables['events'])} events")
            if check:
                return
            club = import_club(archive, by=by, site=f"{site.rstrip('/')}/")
        except ValidationError as error:
            raise CommandError(f"{site} is not the address of a website. Nothing was changed.") from error
        except (OfficerProblem, OSError) as error:
            raise CommandError(f"{error} Nothing was changed.") from error
        self.stdout.write(
            f"Imported as {club.slug}. {by.username} is its secretary. Run manage.py doctor --club {club.slug}."
        )
