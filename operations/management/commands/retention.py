"""The `retention` command: list data kept too long, or erase it with --erase."""

from __future__ import annotations

from typing import Any

from django.core.management import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from clubs.models import Club
from tournaments.events.data_retention import erase_expired_data, find_expired_data


class Command(BaseCommand):
    help = (
        "List people whose data has been kept too long and events that were deleted long ago, or erase them. "
        "Names in results stay. The server does this automatically every week."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--club", help="address of a club (default: all clubs)")
        parser.add_argument("--erase", action="store_true", help="erase them permanently instead of only listing them")

    def handle(self, *args: Any, **options: Any) -> None:
        clubs = Club.objects.all()
        if options["club"]:
            clubs = clubs.filter(slug=options["club"])
            if not clubs:
                raise CommandError(f"No club has the address {options['club']}.")
        now = timezone.now()
        for club in clubs:
            found = find_expired_data(club, now=now)
            for each in found.people:
                self.stdout.write(f"{club.slug}\t{each.member.pk}\t{each.since}\t{each.why}\t{each.member.name}")
            for event in found.events:
                self.stdout.write(
                    f"{club.slug}\t{event.slug}\t{event.deleted_at:%Y-%m-%d}\tdeleted event\t{event.name}"
                )
            if options["erase"]:
                erased = erase_expired_data(club, found, now=now)
                for each, why in erased.kept:
                    self.stderr.write(f"{each.member.pk} was not erased: {why}")
                self.stdout.write(f"{club.slug}\t{erased.lines} old log entries deleted")
