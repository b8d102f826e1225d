"""`manage.py conformance`: run any pairing program against the conformance kit."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from pairing.cli.command import UNREADABLE_FILE_STATUS, CliCommand, CommandConsole, CommandFailed
from pairing.cli.conformance_runner import (
    KIT_FOLDER,
    ConformanceKitError,
    format_conformance_report,
    read_conformance_cases,
    run_conformance_cases,
)
from pairing.cli.trf_files import parse_positive_number, write_to_stdout
from pairing.engine.systems import PAIRING_SYSTEMS


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--engine",
        required=True,
        metavar="COMMAND",
        help="use {file} for the event, and {system} and {options} if the program accepts them",
    )
    parser.add_argument("--system", choices=sorted(PAIRING_SYSTEMS), help="run only the cases of this system")
    parser.add_argument("--kit", type=Path, default=KIT_FOLDER, metavar="DIR", help="folder with the cases")
    parser.add_argument(
        "--timeout", type=parse_positive_number, default=20, metavar="SECONDS", help="time limit for each case"
    )


def run_conformance_kit(options: dict[str, Any], console: CommandConsole) -> None:
    try:
        cases = read_conformance_cases(options["kit"], system=options["system"])
        outcomes = list(run_conformance_cases(cases, options["engine"], timeout=options["timeout"]))
    except ConformanceKitError as problem:
        raise CommandFailed(str(problem), UNREADABLE_FILE_STATUS) from problem
    for line in format_conformance_report(outcomes):
        write_to_stdout(console, f"{line}\n")
    if not all(outcome.has_passed for outcome in outcomes):
        raise SystemExit(1)


COMMAND = CliCommand(
    "Test a pairing program with the conformance cases in docs/conformance.", add_arguments, run_conformance_kit
)
