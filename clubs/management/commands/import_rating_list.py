"""Import a rating list downloaded from FIDE."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError

from clubs.models import RatingListImport, TimeControlKind
from clubs.rating.lists.import_jobs import get_fide_register, store_list_for_import, unfinished_import
from clubs.rating.lists.list_import import run_list_import
from clubs.rating.lists.list_inspection import is_future_month, month_of_list_file
from common.jobs.queue import run_job
from common.models import Job

CHUNK_BYTES = 1024 * 1024


class Command(BaseCommand):
    help = "Import FIDE's standard, rapid, blitz or combined list (text or XML, zipped or not)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, nargs="?", help="the list (leave out to continue a stopped import)")
        parser.add_argument(
            "--kind",
            choices=TimeControlKind.values,
            default="",
            help="type of ratings, needed if the file's name doesn't show it",
        )
        parser.add_argument(
            "--month",
            help="month of the list, such as 2026-11 (default: taken from the file's name, heading or date)",
        )
        parser.add_argument("--replace-newer", action="store_true", help="replace a newer list with this older one")

    def handle(self, *args: Any, file: Path | None, kind: str, month: str | None, **options: Any) -> None:
        listed = (
            self._stopped()
            if file is None
            else self._begun(settings.CALLED_FROM / file, kind, month, replaces_newer=options["replace_newer"])
        )
        if not run_job(listed.job_id, run_list_import):
            raise CommandError("Another process is importing this list. Try again in 15 seconds.")
        listed.refresh_from_db()
        job = Job.objects.get(pk=listed.job_id)
        if job.state == Job.State.FAILED:
            raise CommandError(f"{listed.filename}: {job.error}")
        self.stdout.write(f"{listed.filename}: {listed.players} players, {listed.skipped} lines skipped.")
        for line, wrong, text in listed.problems:
            self.stdout.write(f"  line {line}: {wrong}: {text}")

    def _begun(self, file: Path, kind: str, month: str | None, *, replaces_newer: bool) -> RatingListImport:
        if not file.is_file():
            raise CommandError(f"File not found: {file}")
        if unfinished_import(get_fide_register()) is not None:
            raise CommandError(
                "Another file is being imported. If that import was stopped, run the command without a "
                "file to continue it."
            )
        said = month_of_list_file(month) if month else month_of_list_file(file.name, file)
        if month and said is None:
            raise CommandError("Enter the month like this: 2026-11.")
        if said and is_future_month(said):
            raise CommandError(f"{said:%Y-%m} is in the future. Check the month.")
        written = date.fromtimestamp(file.stat().st_mtime).replace(day=1)
        return store_list_for_import(
            get_fide_register(),
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
            raise CommandError("There is no stopped import to continue. Enter the name of a file.")
        return unfinished


def _chunks(file: Path) -> Iterator[bytes]:
    with file.open("rb") as opened:
        while chunk := opened.read(CHUNK_BYTES):
            yield chunk
