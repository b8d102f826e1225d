"""`manage.py conformance`: any pairing program against the conformance kit."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from pairing.cli.command import UNREADABLE, Command, CommandFailed, Console
from pairing.cli.conformance_runs import KIT, KitProblem, read_cases, report, run_cases
from pairing.cli.event_files import positive_number, print_out
from pairing.engine.systems import SYSTEMS


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--engine",
        required=True,
        metavar="COMMAND",
        help="with {file} for the event, and {system} and {options} where the program takes them",
    )
    parser.add_argument("--system", choices=sorted(SYSTEMS), help="the cases of one system alone")
    parser.add_argument("--kit", type=Path, default=KIT, metavar="DIR", help="the folder of the kit")
    parser.add_argument("--timeout", type=positive_number, default=20, metavar="SECONDS", help="for each case")


def run(options: dict[str, Any], console: Console) -> None:
    try:
        cases = read_cases(options["kit"], system=options["system"])
        outcomes = list(run_cases(cases, options["engine"], timeout=options["timeout"]))
    except KitProblem as problem:
        raise CommandFailed(str(problem), UNREADABLE) from problem
    for line in report(outcomes):
        print_out(console, f"{line}\n")
    if not all(outcome.passed for outcome in outcomes):
        raise SystemExit(1)


COMMAND = Command("Run a pairing program against the conformance cases of docs/conformance.", add_arguments, run)
