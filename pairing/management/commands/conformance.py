"""`manage.py conformance`: any pairing program against the conformance kit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from pairing.commandline.command import UNREADABLE
from pairing.commandline.conformance_runs import KIT, KitProblem, read_cases, report, run_cases
from pairing.commandline.event_files import positive_number
from pairing.engine.systems import SYSTEMS


class Command(BaseCommand):
    help = "Run a pairing program against the conformance cases of docs/conformance."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--engine",
            required=True,
            metavar="COMMAND",
            help="with {file} for the event, and {system} and {options} where the program takes them",
        )
        parser.add_argument("--system", choices=sorted(SYSTEMS), help="the cases of one system alone")
        parser.add_argument("--kit", type=Path, default=KIT, metavar="DIR", help="the folder of the kit")
        parser.add_argument("--timeout", type=positive_number, default=20, metavar="SECONDS", help="for each case")

    def handle(self, **options: Any) -> None:
        try:
            cases = read_cases(options["kit"], system=options["system"])
            outcomes = list(run_cases(cases, options["engine"], timeout=options["timeout"]))
        except KitProblem as problem:
            raise CommandError(str(problem), returncode=UNREADABLE) from problem
        for line in report(outcomes):
            self.stdout.write(line)
        if not all(outcome.passed for outcome in outcomes):
            raise SystemExit(1)
