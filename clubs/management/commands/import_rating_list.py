"""Import a rating list of FIDE's, as it is downloaded."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError

from clubs.models import RatingListImport, TimeKind
from clubs.rating.lists.importing import import_list
from clubs.rating.lists.looking import is_to_come, month_said_by
from clubs.rating.lists.starting import fide_register, keep_list, under_way
from common.jobs.queue import run
from common.models import Job

CHUNK = 1024 * 1024


class Command(BaseCommand):
    help = "Import FIDE's standard, rapid, blitz or combined list: text or XML, zipped or not."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, nargs="?", help="the list; none: go on with the import that was stopped")
        parser.add_argument("--kind", choices=TimeKind.values, default="", help="unless the file's name says it")
        parser.add_argument(
            "--month", help="2026-11; none: as the file's name or heading says, else when it was written"
        )
        parser.add_argument("--replace-newer", action="store_true", help="replace a newer list by this older one")

    def handle(self, *args: Any, file: Path | None, kind: str, month: str | None, **options: Any) -> None:
        listed = (
            self._stopped()
            if file is None
            else self._begun(settings.CALLED_FROM / file, kind, month, replaces_newer=options["replace_newer"])
        )
        if not run(listed.job_id, import_list):
            raise CommandError("Another process is at it, or was a moment ago. Try again in a quarter of a minute.")
        listed.refresh_from_db()
        job = Job.objects.get(pk=listed.job_id)
        if job.state == Job.State.FAILED:
            raise CommandError(f"{listed.filename}: {job.error}")
        self.stdout.write(f"{listed.filename}: {listed.players} players, {listed.skipped} lines without one.")
        for line, wrong, text in listed.problems:
            self.stdout.write(f"  line {line}: {wrong}: {text}")

    def _begun(self, file: Path, kind: str, month: str | None, *, replaces_newer: bool) -> RatingListImport:
        if not file.is_file():
            raise CommandError(f"There is no file {file}.")
        if under_way(fide_register()) is not None:
            raise CommandError("Another file is being brought in. Give none to go on with it, if it was stopped.")
        said = month_said_by(month) if month else month_said_by(file.name, file)
        if month and said is None:
            raise CommandError("Write the month as 2026-11.")
        if said and is_to_come(said):
            raise CommandError(f"The list of {said:%Y-%m} is still to come: was the year mistyped?")
        written = date.fromtimestamp(file.stat().st_mtime).replace(day=1)
        return keep_list(
            fide_register(),
            _chunks(file),
            file.name,
            kind=kind,
            by=None,
            month=said or written,
            replaces_newer=replaces_newer,
        )

    def _stopped(self) -> RatingListImport:
        unfinished = RatingListImport.objects.exclude(job__state__in=[Job.State.DONE, Job.State.FAILED]).last()
        if unfinished is None:
            raise CommandError("No import was stopped. Give a file.")
        return unfinished


def _chunks(file: Path) -> Iterator[bytes]:
    with file.open("rb") as opened:
        while chunk := opened.read(CHUNK):
            yield chunk
