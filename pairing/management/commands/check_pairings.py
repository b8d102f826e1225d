"""`manage.py check_pairings`: every round of report files, paired anew and compared."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from pairing.engine.checker import check_event
from pairing.engine.systems import SYSTEMS
from pairing.engine.trf import forbidden_pairs
from pairing.management.check_reports import as_json, as_text, status_of
from pairing.management.event_files import (
    Problems,
    add_system_options,
    print_out,
    problems_of,
    read_file,
    take_snapshot,
)


class Command(BaseCommand):
    help = "Rebuild every round of tournament report files from the rounds before it, and compare."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        add_system_options(parser)
        parser.add_argument("--format", default="text", choices=("text", "json"))
        parser.add_argument("files", nargs="+", metavar="FILE")

    def handle(self, *, files: list[str], **options: Any) -> None:
        problems = Problems(files=len(files), stderr=self.stderr)
        status = 0
        for path in files:
            with problems.noted():
                status = max(status, self._check(path, options))
        problems.raise_worst(status)

    def _check(self, path: str, options: dict[str, Any]) -> int:
        trf = read_file(path)
        event = take_snapshot(trf, options)
        with problems_of(path):
            checks = []
            for check in check_event(event, SYSTEMS[event.system], forbidden_in=partial(forbidden_pairs, trf)):
                checks.append(check)
                if options["format"] == "text":
                    print_out(self.stdout, f"{path}: round {check.round_number}: {as_text(check)}\n")
            if options["format"] == "json":
                print_out(self.stdout, as_json(path, event.system, checks))
        return status_of(checks)
