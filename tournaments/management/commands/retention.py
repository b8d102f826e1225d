"""`retention`: whose data has been kept as long as it may be; with --erase, erase it."""

from __future__ import annotations

from typing import Any

from django.core.management import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from clubs.models import Club
from clubs.problems import OfficerProblem
from tournaments.events.deleting import erase_event, to_be_erased
from tournaments.people.personal_data import clear_old_log, erase, kept_too_long


class Command(BaseCommand):
    help = (
        "List the people whose data has been kept long enough, and the events deleted long enough ago, or erase them."
        " Results keep the names they have."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--club", help="the address of one club; without it, every club")
        parser.add_argument("--erase", action="store_true", help="erase for ever; without it, only list")

    def handle(self, *args: Any, **options: Any) -> None:
        clubs = Club.objects.all()
        if options["club"]:
            clubs = clubs.filter(slug=options["club"])
            if not clubs:
                raise CommandError(f"There is no club at the address {options['club']}.")
        today = timezone.localdate()
        for club in clubs:
            for each in kept_too_long(club, today=today):
                self.stdout.write(f"{club.slug}\t{each.member.pk}\t{each.since}\t{each.why}\t{each.member.name}")
                if options["erase"]:
                    try:
                        erase(each.member, in_results=False, by=None)
                    except OfficerProblem as problem:
                        self.stderr.write(f"{each.member.pk} is kept: {problem.message}")
            for event in to_be_erased(club, now=timezone.now()):
                self.stdout.write(
                    f"{club.slug}\t{event.slug}\t{event.deleted_at:%Y-%m-%d}\tdeleted event\t{event.name}"
                )
                if options["erase"]:
                    erase_event(event)
            if options["erase"]:
                self.stdout.write(f"{club.slug}\t{clear_old_log(club, today=today)} old lines of the log dropped")
